"""Finds the package's regular expressions and runs each over hostile strings; as a script, prints the slow ones."""

import ast
import importlib
import json
import re
import re._constants as sre  # pyright: ignore[reportMissingImports]
import re._parser as parser  # pyright: ignore[reportMissingImports]
import sys
import time
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

if __package__:
    from .tree import Module, modules
else:
    from tree import Module, modules

METHODS = ("search", "match", "fullmatch", "findall", "finditer", "split", "sub", "subn")
ANCHORED = frozenset({"match", "fullmatch"})
COMMON = "0aA -_.,:\n<\"'`[(|#*/@=$一。"
TAIL = "\x07"
TINY, SHORT, LONG = 100, 1000, 4000
CALM = 0.0015
GROWTH = 8.0
"""Work that is linear grows by 4 between the two lengths, quadratic work by 16."""


class Found(NamedTuple):
    """A pattern, where it stands, and the methods that it is used with."""

    place: str
    pattern: "re.Pattern[Any]"
    methods: frozenset[str]


def find_patterns(value: object) -> Iterator["re.Pattern[Any]"]:
    """The patterns in a module's constant, also within tuples and mappings."""
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from find_patterns(each)
    elif isinstance(value, tuple | list):
        for each in value:
            yield from find_patterns(each)


def find_uses() -> dict[str, set[str]]:
    """For each constant, by module and name, the methods that are called on it anywhere in the package."""
    found: dict[str, set[str]] = {}
    for module in modules():
        taken = {
            alias.asname or alias.name: f"{node.module}:{alias.name}"
            for node in ast.walk(module.tree)
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Attribute) and node.attr in METHODS and isinstance(node.value, ast.Name):
                name = node.value.id
                found.setdefault(taken.get(name, f"{module.name}:{name}"), set()).add(node.attr)
    return found


def list_targets(node: ast.stmt) -> list[ast.expr]:
    return node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []


def find_constants(module: Module, scope: Mapping[str, object], used: Mapping[str, set[str]]) -> Iterator[Found]:
    own = {target.id for node in module.tree.body for target in list_targets(node) if isinstance(target, ast.Name)}
    for name, value in scope.items():
        for pattern in find_patterns(value) if name in own else ():
            methods = used.get(f"{module.name}:{name}") or {"search"}
            yield Found(f"{module.name}.{name}", pattern, frozenset(methods))


def find_inline(module: Module, scope: Mapping[str, object]) -> Iterator[Found | str]:
    """The patterns of `re.search(...)` and the like; the place as text where one is only known when it runs."""
    for node in ast.walk(module.tree):
        call = node.func if isinstance(node, ast.Call) else None
        if not isinstance(call, ast.Attribute) or not isinstance(call.value, ast.Name) or call.value.id != "re":
            continue
        assert isinstance(node, ast.Call)
        if call.attr not in (*METHODS, "compile") or not node.args:
            continue
        place = f"{module.name}:{node.lineno}"
        try:
            text = eval(compile(ast.Expression(node.args[0]), place, "eval"), dict(scope))
        except NameError:
            yield f"{module.name}: re.{call.attr}({ast.unparse(node.args[0])})"
            continue
        if call.attr == "compile":
            continue
        flags = [each.value for each in node.keywords if each.arg == "flags"]
        at = {"sub": 4, "subn": 4, "split": 3}.get(call.attr, 2)
        flags += node.args[at : at + 1]
        flag = eval(compile(ast.Expression(flags[0]), place, "eval"), dict(scope)) if flags else 0
        yield Found(place, re.compile(text, flag), frozenset({call.attr}))


def sample(tokens: Any, choice: int) -> str:
    """One text that the tokens match, nearly; `choice` says which of several ways."""
    return "".join(one(op, arg, choice) for op, arg in tokens)


def one(op: Any, arg: Any, choice: int) -> str:
    match op:
        case sre.LITERAL:
            return chr(arg)
        case sre.NOT_LITERAL | sre.ANY:
            return "xy1 "[choice % 4]
        case sre.IN:
            return member(arg, choice)
        case sre.BRANCH:
            return sample(arg[1][choice % len(arg[1])], choice)
        case sre.SUBPATTERN:
            return sample(arg[3], choice)
        case sre.ATOMIC_GROUP:
            return sample(arg, choice)
        case sre.MAX_REPEAT | sre.MIN_REPEAT | sre.POSSESSIVE_REPEAT:
            return sample(arg[2], choice) * max(1, min(arg[0], 50))
        case _:
            return ""


SAMPLES = (("NOT_WORD", "-. \n"), ("NOT", "ax"), ("DIGIT", "1"), ("SPACE", " \n"), ("WORD", "a1"))


def member(options: Any, choice: int) -> str:
    """One sign of a class."""
    chars = ""
    for op, arg in options:
        match op:
            case sre.NEGATE:
                chars += "xy1 -."
            case sre.LITERAL:
                chars += chr(arg)
            case sre.RANGE:
                chars += chr(arg[0])
            case _:
                chars += next(signs for name, signs in SAMPLES if name in str(arg))
    return chars[choice % len(chars)]


def pumps(tokens: Any, before: str, choice: int) -> Iterator[tuple[str, str]]:
    """What stands before each repetition, and a text that it repeats."""
    for op, arg in tokens:
        if op in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
            if arg[1] is sre.MAXREPEAT or arg[1] > 50:
                yield before, sample(arg[2], choice)
            yield from pumps(arg[2], before, choice)
        elif op is sre.SUBPATTERN:
            yield from pumps(arg[3], before, choice)
        elif op is sre.BRANCH:
            for each in arg[1]:
                yield from pumps(each, before, choice)
        elif op in (sre.ASSERT, sre.ASSERT_NOT):
            yield from pumps(arg[1], before, choice)
        before += one(op, arg, choice)


def hostile(pattern: "re.Pattern[Any]") -> dict[str, tuple[str, str]]:
    """Texts as (begin, what is repeated), named by themselves."""
    text = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    tokens = parser.parse(text, pattern.flags & ~re.DEBUG & (~re.UNICODE if isinstance(pattern.pattern, bytes) else -1))
    found = {("", char) for char in COMMON}
    for choice in range(4):
        whole = sample(tokens, choice)
        found |= {("", whole), ("", whole[: len(whole) // 2]), ("", whole[:-1]), (whole[:-1], whole[-1:])}
        for before, pump in pumps(tokens, "", choice):
            found |= {(before, pump), ("", before + pump), ("", before), ("", pump)}
    return {repr(pair): pair for pair in sorted(found) if pair[1]}


def work(found: Found, begin: str, pump: str, size: int) -> float:
    """The least processor time of some runs."""
    text: Any = begin + pump * (size * 8 // max(8, len(pump))) + TAIL
    if isinstance(found.pattern.pattern, bytes):
        text = text.encode("utf-8")
    least = 1e9
    for _ in range(2):
        start = time.process_time()
        if found.methods <= ANCHORED:
            found.pattern.match(text)
            found.pattern.fullmatch(text)
        else:
            for _ in found.pattern.finditer(text):
                pass
        least = min(least, time.process_time() - start)
        if least < CALM:
            break
    return least


def slow(found: Found) -> str:
    """The text over which work grows faster than its length; empty where there is none."""
    for name, (begin, pump) in hostile(found.pattern).items():
        if work(found, begin, pump, TINY) > CALM * 10:
            return name
        short = work(found, begin, pump, SHORT)
        if short > 1 or (short > CALM and work(found, begin, pump, LONG) > GROWTH * short):
            return name
    return ""


def main() -> None:
    used, unknown, bad, count = find_uses(), list[str](), dict[str, str](), 0
    for module in modules():
        if ".migrations." in module.name or ".practice" in module.name:
            continue
        scope = vars(importlib.import_module(module.name))
        for found in (*find_constants(module, scope, used), *find_inline(module, scope)):
            if isinstance(found, str):
                unknown.append(found)
                continue
            count += 1
            print(found.place, file=sys.stderr, flush=True)
            if text := slow(found):
                bad[found.place] = text
                print("SLOW", found.place, text, file=sys.stderr, flush=True)
    print(json.dumps({"count": count, "unknown": unknown, "slow": bad}))


if __name__ == "__main__":
    main()

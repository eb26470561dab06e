"""The house numbers. A file or function that outgrows them is split, not excused."""

import ast
import io
import tokenize
from collections.abc import Iterator, Sequence
from graphlib import CycleError, TopologicalSorter

import pytest

from .tree import ROOT, Module, classes, functions, list_files, modules

DIRECTIVES = ("# pyright:", "# noqa", "# type:", "#!")
CATCH_ALL = {"Exception", "BaseException"}


def most(numbers: Sequence[int]) -> int:
    """What 95 % of them do not exceed."""
    ranked = sorted(numbers)
    return ranked[max(0, -(-len(ranked) * 95 // 100) - 1)]


def length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def test_a_file_has_at_most_400_lines() -> None:
    sizes = {path: path.read_text().count("\n") for path in list_files() if path.suffix == ".py"}
    assert {str(path.relative_to(ROOT)): size for path, size in sizes.items() if size > 400} == {}


def test_nearly_every_file_has_at_most_250_lines() -> None:
    assert most([module.lines for module in modules()]) <= 250


def test_a_function_has_at_most_60_lines() -> None:
    long = {f"{m.name}.{f.name}": length(f) for m in modules() for f in functions(m.tree) if length(f) > 60}
    assert long == {}


def test_nearly_every_function_has_at_most_40_lines() -> None:
    assert most([length(f) for m in modules() for f in functions(m.tree)]) <= 40


def test_a_loop_fits_in_100_lines() -> None:
    loops = [m for m in modules() if m.path.parent.name == "agents"]
    assert {m.name: m.lines for m in loops if m.lines > 100} == {}


def fields(node: ast.ClassDef) -> int:
    """What its constructor takes. Pydantic values mirror a record on the wire and are as wide as the record."""
    for item in node.body:
        if isinstance(item, ast.FunctionDef) and item.name == "__init__":
            taken = item.args
            return len(taken.posonlyargs) + len(taken.args) + len(taken.kwonlyargs) - 1
    if any("dataclass" in ast.unparse(decorator) for decorator in node.decorator_list):
        return sum(map(is_field, node.body))
    return 0


def is_field(item: ast.stmt) -> bool:
    """Whether a dataclass's line is a field that the constructor takes."""
    if not isinstance(item, ast.AnnAssign) or "ClassVar" in ast.unparse(item.annotation):
        return False
    return item.value is None or "init=False" not in ast.unparse(item.value)


def test_a_constructor_takes_at_most_8_fields() -> None:
    wide = {f"{m.name}.{c.name}": fields(c) for m in modules() for c in classes(m.tree) if fields(c) > 8}
    assert wide == {}


def test_every_module_opens_with_a_docstring() -> None:
    assert [m.name for m in modules() if not ast.get_docstring(m.tree)] == []


def test_comments_are_rare() -> None:
    lines = comments = 0
    for module in modules():
        lines += sum(bool(line.strip()) for line in module.text.splitlines())
        for token in tokenize.generate_tokens(io.StringIO(module.text).readline):
            comments += token.type == tokenize.COMMENT and not token.string.startswith(DIRECTIVES)
    assert comments / lines <= 0.06


def swallows(handler: ast.ExceptHandler) -> bool:
    """Whether it catches everything and keeps it; cleaning up and raising again does not count."""
    caught = CATCH_ALL if handler.type is None else {n.id for n in ast.walk(handler.type) if isinstance(n, ast.Name)}
    last = handler.body[-1]
    return bool(caught & CATCH_ALL) and not (isinstance(last, ast.Raise) and last.exc is None)


def test_exception_is_caught_in_at_most_three_places() -> None:
    places = [
        f"{module.name}:{node.lineno}"
        for module in modules()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.ExceptHandler) and swallows(node)
    ]
    assert len(places) <= 3, places


def works(statement: ast.stmt) -> bool:
    """Whether a top-level statement does something rather than define it."""
    if isinstance(statement, ast.Expr):
        return not isinstance(statement.value, ast.Constant)
    return isinstance(statement, ast.With | ast.For | ast.While | ast.AsyncFor | ast.AsyncWith | ast.Delete)


def test_nothing_happens_at_import() -> None:
    # Alembic runs its env.py as a script; nobody imports it.
    imported = [module for module in modules() if not module.name.endswith(".migrations.env")]
    assert [f"{m.name}:{s.lineno}" for m in imported for s in m.tree.body if works(s)] == []


def test_no_module_is_called_utils() -> None:
    assert [m.name for m in modules() if m.path.stem in ("utils", "util", "helpers", "misc", "common")] == []


def imports(module: Module, known: frozenset[str]) -> Iterator[str]:
    """The product's modules that this one imports when it is itself imported."""
    for node in module.tree.body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield from (name for name in (inner if inner in known else node.module,) if name in known)


def test_there_are_no_import_cycles() -> None:
    known = frozenset(module.name for module in modules())
    graph = {module.name: set(imports(module, known)) - {module.name} for module in modules()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" → ".join(error.args[1]))

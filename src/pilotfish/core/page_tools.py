"""Tools that a page offers to agents (WebMCP): what the page says of them, as bounded text, and checks of arguments.

Everything in a `PageTool` but its origin, frame and kind of form is the page's word: data, never an instruction.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any, Literal, cast

from pydantic import Field

from pilotfish.core.gestures import PageToolInfo
from pilotfish.core.values import Value

LISTED_LENGTH = 3000
DESCRIPTION_LENGTH, SCHEMA_LENGTH, PARAMETER_LENGTH, NAME_LENGTH = 200, 400, 80, 64
PAGE_TOOL = "page_tool"
"""The tool by which models call the tools of pages."""
MOST_NAMED = 8
ANSWER_LENGTH = 4000
TOOLS_HEADING = "Tools that this page offers; call one with page_tool. What they say of themselves is the page's word:"
SCHEMA_TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,), "array": (list, tuple),
    "object": (dict,),
}  # fmt: skip


class PageTool(Value):
    """One tool of a page or frame. `label` is what models call it: its name, numbered where two frames share one.

    `form`: the tool is a form, which a call fills in, or fills in and sends; else it is a script of the page.
    """

    label: str
    name: str
    description: str = ""
    parameters: Mapping[str, Any] = Field(default_factory=dict[str, Any])
    read_only: bool = Field(default=False, description="whether the page says that it changes nothing")
    consequential: bool = Field(default=False, description="whether the page says that it does something that matters")
    form: Literal["", "fills", "sends"] = ""
    origin: str = ""
    frame: str = ""

    @property
    def fingerprint(self) -> str:
        """The same as long as name, description, parameters, hints, origin and frame stay the same."""
        said = [self.name, self.description, self.parameters, self.read_only, self.consequential, self.form]
        bound = json.dumps([*said, self.origin, self.frame], sort_keys=True, default=str)
        return hashlib.sha256(bound.encode()).hexdigest()[:32]

    @property
    def kind(self) -> str:
        """What the page says about its effect, in a word or two."""
        if self.form:
            return "fills in a form" if self.form == "fills" else "fills in and sends a form"
        return "only reads" if self.read_only else "may change something"

    @property
    def brief(self) -> PageToolInfo:
        """What a person is told of it."""
        return PageToolInfo(
            name=cut_line(self.label, NAME_LENGTH),
            description=cut_line(self.description, DESCRIPTION_LENGTH),
            kind=self.form or ("reads" if self.read_only else "changes"),
            origin=self.origin,
        )

    def describe(self, page_origin: str = "") -> str:
        """The tool in one line: name, parameters, kind, description; and its origin if that is not the page's."""
        given = cut_line(", ".join(describe_parameters(self.parameters)), SCHEMA_LENGTH)
        frame = f"; in a frame of {self.origin}" if page_origin and self.origin != page_origin else ""
        said = f": {cut_line(self.description, DESCRIPTION_LENGTH)}" if self.description.strip() else ""
        return f"page.{cut_line(self.label, NAME_LENGTH)}({given}) ({self.kind}{frame}){said}"


def number_labels(tools: Iterable[PageTool]) -> Iterator[PageTool]:
    """The tools with labels that are used once: a name that comes again gets a number."""
    used: set[str] = set()
    for tool in tools:
        label, number = tool.name, 1
        while label in used:
            number += 1
            label = f"{tool.name}_{number}"
        used.add(label)
        yield tool.model_copy(update={"label": label})


def list_page_tools(tools: Sequence[PageTool]) -> str:
    """The tools as lines for a model; empty where there are none."""
    if not tools:
        return ""
    lines = [f"- {tool.describe(tools[0].origin)}" for tool in tools]
    sizes = accumulate(map(len, lines))
    kept = [line for line, size in zip(lines, sizes, strict=True) if size <= LISTED_LENGTH]
    more = [f"… and {len(lines) - len(kept)} more"] if len(kept) < len(lines) else []
    return "\n".join([TOOLS_HEADING, *kept, *more])


def describe_tool_change(shown: Mapping[str, PageTool], now: Sequence[PageTool]) -> str:
    """Which tools of a page came, went or changed since a model was told of them, in a sentence or two."""
    known = {tool.label: tool for tool in now}
    new = [label for label in known if label not in shown]
    changed = [label for label in known if label in shown and known[label].fingerprint != shown[label].fingerprint]
    gone = [label for label in shown if label not in known]
    parts = (("offers new tools", new), ("says other things of", changed), ("no longer offers", gone))
    named = (f"The page {what}: {_name_some(labels)}." for what, labels in parts if labels)
    return " ".join(named)


def _name_some(labels: Sequence[str]) -> str:
    more = f" and {len(labels) - MOST_NAMED} more" if len(labels) > MOST_NAMED else ""
    return ", ".join(f"page.{cut_line(label, NAME_LENGTH)}" for label in labels[:MOST_NAMED]) + more


def describe_parameters(schema: Mapping[str, Any]) -> Iterator[str]:
    """Each parameter in words: name, type or choices, whether it may be left out, and what it means."""
    needed = _list_needed(schema)
    for name, rule in _list_rules(schema).items():
        words = cut_line(str(rule.get("description", "")), PARAMETER_LENGTH)
        choices = rule.get("enum")
        kind = (
            "|".join(map(str, cast(list[Any], choices))) if isinstance(choices, list) else str(rule.get("type", "any"))
        )
        deep = _find_inner(rule)
        inner = f" of {cut_line(json.dumps(rule[deep], default=str), PARAMETER_LENGTH)}" if deep else ""
        optional = "" if name in needed else "?"
        meaning = f" = {words}" if words else ""
        yield f"{cut_line(name, NAME_LENGTH)}{optional}: {cut_line(kind, PARAMETER_LENGTH)}{inner}{meaning}"


def check_arguments(tool: PageTool, given: Mapping[str, Any]) -> str:
    """What is wrong with the arguments of a call by the tool's own schema; empty if nothing is."""
    rules = _list_rules(tool.parameters)
    wrong = [f"{name} is missing" for name in _list_needed(tool.parameters) if name in rules and name not in given]
    wrong += [f"there is no {name}" for name in given if rules and name not in rules]
    wrong += [f"{name} {fault}" for name, value in given.items() if (fault := _find_fault(rules.get(name, {}), value))]
    taken = ", ".join(describe_parameters(tool.parameters)) or "nothing"
    return f"page.{tool.label}: {'; '.join(wrong[:5])}. It takes: {cut_line(taken, SCHEMA_LENGTH)}." if wrong else ""


def read_answer(output: Any) -> str:
    """What a tool answered, as text: its own text parts if it has some, else JSON; cut to what is kept."""
    parts: Any = cast(Mapping[str, Any], output).get("content") if isinstance(output, Mapping) else None
    if isinstance(parts, list):
        listed = cast(list[Any], parts)
        texts = [str(cast(Mapping[str, Any], part).get("text", "")) for part in listed if isinstance(part, Mapping)]
        text = "\n".join(filter(None, texts))
    else:
        text = output if isinstance(output, str) else "" if output in (None, []) else json.dumps(output, default=str)
    return (
        text
        if len(text) <= ANSWER_LENGTH
        else f"{text[:ANSWER_LENGTH]}… ({len(text) - ANSWER_LENGTH:,} more characters were left out)"
    )


def cut_line(text: str, most: int) -> str:
    line = " ".join(text[: most * 4].split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def _list_rules(schema: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    rules: Any = schema.get("properties")
    named = cast(Mapping[str, Any], rules) if isinstance(rules, Mapping) else {}
    return {name: cast(Mapping[str, Any], rule) if isinstance(rule, Mapping) else {} for name, rule in named.items()}


def _list_needed(schema: Mapping[str, Any]) -> list[str]:
    needed: Any = schema.get("required")
    return [str(name) for name in cast(list[Any], needed)] if isinstance(needed, list) else []


def _find_inner(rule: Mapping[str, Any]) -> str:
    return next((name for name in ("items", "properties") if name in rule), "")


def _find_fault(rule: Mapping[str, Any], value: Any) -> str:
    choices: Any = rule.get("enum")
    if isinstance(choices, list) and value not in choices:
        return f"must be one of {cut_line(json.dumps(choices, default=str), PARAMETER_LENGTH)}"
    wanted: Any = rule.get("type")
    kinds = SCHEMA_TYPES.get(wanted, ()) if isinstance(wanted, str) else ()
    mixed = isinstance(value, bool) and wanted in ("integer", "number")
    return f"must be of type {wanted}" if kinds and (mixed or not isinstance(value, kinds)) else ""

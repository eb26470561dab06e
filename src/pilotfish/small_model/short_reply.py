"""The reply of a small model in the short form: why in a few words, then acts, done, ask or give_up."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import accumulate
from math import prod
from typing import Any, NamedTuple, Self

from pydantic import BaseModel, Field, model_validator

from pilotfish.core.messages import ModelReply
from pilotfish.loop_support.tool_calling import closed_schema, with_schema
from pilotfish.loop_support.turn import TurnAction

MOST_ACTS = 4
ENDS = ("done", "ask", "give_up")
NOTE_LENGTH = "note"
VERBS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "click": ("click", ("id", "answer")),
    "double": ("click", ("id",)),
    "right": ("click", ("id",)),
    "type": ("type", ("id", "text")),
    "select": ("select", ("id", "option")),
    "press": ("press_key", ("key",)),
    "scroll": ("scroll", ("direction", "target")),
    "hover": ("hover", ("id",)),
    "drag": ("drag", ("from_id", "to_id")),
    "back": ("navigate", ()),
    "open": ("navigate", ("url",)),
    "find": ("find", ("text",)),
    "wait": ("wait_for", ()),
    NOTE_LENGTH: ("", ("text",)),
}
"""The tool of each verb, and the arguments that follow the verb."""
FIXED_ARGUMENTS: Mapping[str, Mapping[str, str]] = {
    "double": {"kind": "double"},
    "right": {"kind": "right"},
    "back": {"action": "back"},
    "wait": {"kind": "time", "value": "1500"},
}
POINTING_VERBS = ("click", "double", "right", "hover")
"""The verbs with nothing but an element."""
LEAST_ARGUMENTS: Mapping[str, int] = {"click": 1, "scroll": 1}
"""How many arguments must be given, where not all."""
KEYS = ("Enter", "Escape", "Tab", "ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight", "Space", "Backspace", "Ctrl+A")
SCROLL_DIRECTIONS = ("down", "up")
ELEMENT = re.compile(r"\[(\d{1,9})\] (\w{1,40})")
ELEMENT_NAME = re.compile(r'^ "([^"]{0,300})"')
VALUE = re.compile(r' = "([^"]{0,300})"')
STATES = re.compile(r" \(([^()]{1,200})\)")
TEXT_ROLES = frozenset({"textbox", "searchbox", "combobox", "spinbutton", "slider"})
CHOICE_ROLES = frozenset({"combobox", "listbox"})
TEXT_LENGTHS = {"type": 200, "select": 80, "open": 300, "find": 60, NOTE_LENGTH: 120, "why": 80, "end": 300}
"""The most characters of each text."""


class ShortReply(BaseModel):
    """Exactly one of acts, done, ask and give_up. An act is a verb and its arguments, such as `["click", 12]`."""

    why: str = ""
    acts: list[list[int | str]] = Field(default_factory=list[list[int | str]], max_length=MOST_ACTS)
    done: str | None = None
    ask: str | None = None
    give_up: str | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        ends = [text for text in (self.done, self.ask, self.give_up) if text is not None]
        if bool(self.acts) + len(ends) != 1:
            raise ValueError("give exactly one of acts, done, ask and give_up")
        for verb, *given in self.acts:
            if verb not in VERBS:
                raise ValueError(f"there is no act {verb}")
            wanted = len(VERBS[str(verb)][1])
            if not LEAST_ARGUMENTS.get(str(verb), wanted) <= len(given) <= wanted:
                raise ValueError(f"{verb} takes {wanted} arguments")
        return self

    @property
    def notes(self) -> list[str]:
        return [str(given[0]) for verb, *given in self.acts if verb == NOTE_LENGTH]

    @property
    def actions(self) -> list[TurnAction]:
        """The acts as calls of tools, without the notes."""
        return [_make_action(str(verb), given) for verb, *given in self.acts if verb != NOTE_LENGTH]


def _make_action(verb: str, given: Sequence[int | str]) -> TurnAction:
    tool, names = VERBS[verb]
    args = dict(zip(names, given, strict=False))
    return TurnAction.model_validate({"tool": tool, **FIXED_ARGUMENTS.get(verb, {}), **args})


def read_certainty(reply: ModelReply) -> float:
    """How likely the model found its reason and the kind of reply that follows from it; 1 where it does not tell.

    What ends right is said with more certainty than what ends wrong.
    """
    kind_end = max(reply.text.find(f'"{kind}":') for kind in ("acts", *ENDS)) + 2
    begins = accumulate((len(token.text) for token in reply.tokens), initial=0)
    return prod(token.chance for token, begin in zip(reply.tokens, begins, strict=False) if begin < kind_end)


class ShownElement(NamedTuple):
    """An element as a line of the page shows it; `rest` is what the line says after its role."""

    id: int
    role: str
    rest: str

    @property
    def name(self) -> str:
        return find_group(ELEMENT_NAME, self.rest)

    @property
    def value(self) -> str:
        return find_group(VALUE, ELEMENT_NAME.sub("", self.rest))

    @property
    def states(self) -> frozenset[str]:
        found = find_group(STATES, ELEMENT_NAME.sub("", self.rest))
        return frozenset(found.split(", ")) if found else frozenset()

    @property
    def takes(self) -> frozenset[str]:
        """The verbs that this element takes."""
        scrolls = frozenset({"scroll"} if "(scrolls" in self.rest else ())
        if "disabled" in self.rest.rpartition("(")[2]:
            return scrolls
        listed = " options: " in self.rest
        verbs = {"type"} if self.role in TEXT_ROLES and not listed else set[str]()
        verbs |= {"select"} if self.role in CHOICE_ROLES else set[str]()
        return scrolls | verbs | (frozenset() if listed else {*POINTING_VERBS, "drag"})


def find_group(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    return found[1] if found else ""


def list_shown(page: str) -> list[ShownElement]:
    """The elements of a page as a request shows it."""
    found: dict[int, ShownElement] = {}
    for line in page.splitlines():
        marks = [*ELEMENT.finditer(line)]
        ends = [*(mark.start() for mark in marks[1:]), len(line)]
        for mark, end in zip(marks, ends, strict=False):
            found.setdefault(int(mark[1]), ShownElement(int(mark[1]), mark[2], line[mark.end() : end]))
    return list(found.values())


def reply_shape(page: str, tools: Collection[str], *, dialog: bool = False) -> type[ShortReply]:
    """`ShortReply`, whose schema admits only numbers that the page shows, each with the verbs that it takes.

    `why` comes first in each of the four forms, so the choice among them is made after it. `dialog`: one came up, so a
    click may be given its answer.
    """
    shown = list_shown(page)
    numbers = {verb: [each.id for each in shown if verb in each.takes] for verb in VERBS}
    tuples = [*_list_tuples(numbers, dialog)]
    offered = [one for one in tuples if one[0]["const"] == NOTE_LENGTH or VERBS[one[0]["const"]][0] in tools]
    sized = [{"type": "array", "prefixItems": one, "minItems": len(one), "maxItems": len(one)} for one in offered]
    acts = {"type": "array", "minItems": 1, "maxItems": MOST_ACTS, "items": {"anyOf": sized}}
    ways = {"acts": acts, **{end: _text("end") for end in ENDS}}
    return with_schema(ShortReply, {"anyOf": [closed_schema(why=_text("why"), **{k: v}) for k, v in ways.items()]})


def _list_tuples(numbers: Mapping[str, Sequence[int]], dialog: bool) -> Iterable[list[dict[str, Any]]]:
    """The forms of an act, each as the schemas of its parts."""
    if targets := numbers["click"]:
        yield from ([{"const": verb}, {"enum": targets}] for verb in POINTING_VERBS)
        yield [{"const": "drag"}, {"enum": targets}, {"enum": targets}]
        if dialog:
            yield [{"const": "click"}, {"enum": targets}, _text("select")]
    for verb in ("type", "select"):
        if fitting := numbers[verb]:
            yield [{"const": verb}, {"enum": fitting}, _text(verb)]
    yield [{"const": "press"}, {"enum": [*KEYS]}]
    yield [{"const": "scroll"}, {"enum": [*SCROLL_DIRECTIONS]}]
    if boxes := numbers["scroll"]:
        yield [{"const": "scroll"}, {"enum": [*SCROLL_DIRECTIONS]}, {"enum": boxes}]
    yield from ([{"const": verb}, _text(verb)] for verb in ("open", "find", NOTE_LENGTH))
    yield from ([{"const": verb}] for verb in ("back", "wait"))


def _text(name: str) -> dict[str, Any]:
    return {"type": "string", "minLength": 1, "maxLength": TEXT_LENGTHS[name]}

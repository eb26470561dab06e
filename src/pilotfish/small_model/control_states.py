"""What a page itself tells of the state of its controls, to check short answers and claims that all is so already."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from pilotfish.context.page_cut import list_terms
from pilotfish.core.answers import NO_ANSWERS, YES_ANSWERS
from pilotfish.loop_support.evidence import WORDS, content_terms, is_distinctive, normalize_text
from pilotfish.small_model.short_reply import ELEMENT

ELEMENT_NAME = re.compile(r'^ "([^"]{0,300})"')
VALUE = re.compile(r' = "([^"]{0,300})"')
NOTES = re.compile(r" \(([^()]{1,200})\)")
PARTS = re.compile(r"[|,:;()·“”\"\n]")
PRESSED_ROLES = frozenset({"button", "switch", "checkbox", "radio", "menuitemcheckbox", "menuitemradio"})
ON_STATES = frozenset({"checked", "pressed", "selected", "on", "expanded", "current"})
OFF_STATES = frozenset({"unchecked", "off", "unselected", "collapsed"})
MOST_STATE_WORDS = 3
"""Words of what a line says beside its name that can be a state."""


class StatedControl(NamedTuple):
    """A control of a line, with the value and the states that the page tells of it."""

    role: str
    name: str
    value: str
    states: frozenset[str]

    def has_state(self, said: frozenset[str]) -> bool:
        """Whether the page tells a state that these words of a claim can mean: it is on, or as they say."""
        value = frozenset(WORDS.findall(self.value.casefold()))
        return bool(self.states & (ON_STATES | said)) or (bool(value) and value <= said)


def list_controls(line: str) -> Iterator[StatedControl]:
    """The controls of a line of a page."""
    marks = [*ELEMENT.finditer(line)]
    for mark, end in zip(marks, [*(each.start() for each in marks[1:]), len(line)], strict=False):
        rest = line[mark.end() : end]
        name = ELEMENT_NAME.match(rest)
        after = rest[name.end() :] if name else rest
        value, notes = VALUE.search(after), NOTES.search(after)
        states = frozenset(notes[1].split(", ")) if notes else frozenset[str]()
        yield StatedControl(mark[2], name[1] if name else "", value[1] if value else "", states)


def claims_untold_state(answer: str, goal: str, page: str) -> bool:
    """Whether a claim rests on a control that the goal is about and whose state the page does not tell so.

    That is a button that was not pressed, or a box that is not ticked, which the claim names as one of its parts.
    """
    named, said = {normalize_text(part) for part in PARTS.split(answer)}, frozenset(WORDS.findall(answer.casefold()))
    wanted, untold = content_terms(goal), False
    for line in page.splitlines():
        for control in list_controls(line):
            fits = control.role in PRESSED_ROLES and normalize_text(control.name) in named - {""}
            if fits and not wanted.isdisjoint(list_terms(line)):
                if control.has_state(said):
                    return False
                untold = True
    return untold


def shows_state(answer: str, goal: str, texts: Iterable[str]) -> bool:
    """Whether a line about what the goal names shows a short answer such as “Off”: as a cell, a value or a state.

    What else the answer says must stand in the goal or in that line.
    """
    said, wanted = frozenset(WORDS.findall(answer.casefold())), {*filter(is_distinctive, content_terms(goal))}
    plain = answer.strip(" .!,。！").casefold()
    for text in texts if said and wanted else ():
        before = ""
        for line in text.splitlines():
            about, before = f"{before}\n{line}" if len(WORDS.findall(line)) <= MOST_STATE_WORDS else line, line
            if wanted.isdisjoint(list_terms(about)):
                continue
            known = {*list_terms(about), *list_terms(goal)}
            if any(term not in known and is_distinctive(term) for term in list_terms(answer)) and not is_yes_or_no(
                plain
            ):
                continue
            if any(state and state <= said for state in list_states(line, wanted)) or answers_state(plain, line):
                return True
    return False


def list_states(line: str, wanted: Iterable[str]) -> Iterator[frozenset[str]]:
    """The words of each short cell, value and state of a line that does not name what is wanted itself."""
    controls = list(list_controls(line))
    values = [text for control in controls for text in (control.value, *control.states)]
    for part in (*values, *PARTS.split(ELEMENT.sub("", line))):
        words = frozenset(WORDS.findall(part.casefold()))
        if len(words) <= MOST_STATE_WORDS and not set(wanted) & set(list_terms(part)):
            yield words


def is_yes_or_no(plain: str) -> bool:
    return plain in YES_ANSWERS | NO_ANSWERS


def answers_state(plain: str, line: str) -> bool:
    """Whether a yes or no says the state of a control of the line."""
    states = frozenset(state for control in list_controls(line) for state in control.states)
    return (plain in YES_ANSWERS and bool(states & ON_STATES)) or (plain in NO_ANSWERS and bool(states & OFF_STATES))

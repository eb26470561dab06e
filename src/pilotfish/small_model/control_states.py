"""What a page itself tells of the state of its controls, to check short answers and claims that all is so already."""

import re
from collections.abc import Iterable, Iterator

from pilotfish.context.page_cut import list_terms
from pilotfish.core.answers import NO_ANSWERS, YES_ANSWERS
from pilotfish.loop_support.evidence import WORDS, content_terms, is_distinctive, normalize_text
from pilotfish.small_model.short_reply import ELEMENT, ShownElement, list_shown

PARTS = re.compile(r"[|,:;()·“”\"\n]")
PRESSED_ROLES = frozenset({"button", "switch", "checkbox", "radio", "menuitemcheckbox", "menuitemradio"})
ON_STATES = frozenset({"checked", "pressed", "selected", "on", "expanded", "current"})
OFF_STATES = frozenset({"unchecked", "off", "unselected", "collapsed"})
MOST_STATE_WORDS = 3
"""Words of what a line says beside its name that can be a state."""


def has_state(control: ShownElement, said: frozenset[str]) -> bool:
    """Whether the page tells a state that these words of a claim can mean: it is on, or as they say."""
    value = frozenset(WORDS.findall(control.value.casefold()))
    return bool(control.states & (ON_STATES | said)) or (bool(value) and value <= said)


def claims_untold_state(answer: str, goal: str, page: str) -> bool:
    """Whether a claim rests on a control that the goal is about and whose state the page does not tell so.

    That is a button that was not pressed, or a box that is not ticked, which the claim names as one of its parts.
    """
    named, said = {normalize_text(part) for part in PARTS.split(answer)}, frozenset(WORDS.findall(answer.casefold()))
    wanted, untold = content_terms(goal), False
    for line in page.splitlines():
        for control in list_shown(line):
            fits = control.role in PRESSED_ROLES and normalize_text(control.name) in named - {""}
            if fits and not wanted.isdisjoint(list_terms(line)):
                if has_state(control, said):
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
            more = any(term not in known and is_distinctive(term) for term in list_terms(answer))
            if more and plain not in YES_ANSWERS | NO_ANSWERS:
                continue
            if any(state and state <= said for state in list_states(line, wanted)) or answers_state(plain, line):
                return True
    return False


def list_states(line: str, wanted: Iterable[str]) -> Iterator[frozenset[str]]:
    """The words of each short cell, value and state of a line that does not name what is wanted itself."""
    values = [text for control in list_shown(line) for text in (control.value, *control.states)]
    for part in (*values, *PARTS.split(ELEMENT.sub("", line))):
        words = frozenset(WORDS.findall(part.casefold()))
        if len(words) <= MOST_STATE_WORDS and not set(wanted) & set(list_terms(part)):
            yield words


def answers_state(plain: str, line: str) -> bool:
    """Whether a yes or no says the state of a control of the line."""
    states = frozenset(state for control in list_shown(line) for state in control.states)
    return (plain in YES_ANSWERS and bool(states & ON_STATES)) or (plain in NO_ANSWERS and bool(states & OFF_STATES))

"""Marking for models that see lines, not letters: which words of the page a goal wants highlighted."""

import re
from collections.abc import Sequence

from pilotfish.runtime.aids.focus import COUNTED, rank, sender, share, values, words
from pilotfish.runtime.aids.moves import MARK, Move
from pilotfish.runtime.aids.things import things

MARKED = re.compile(r"\b(highlight|mark|select)\b.*\b(text|words?|paragraphs?|sentences?|lines?)\b", re.IGNORECASE)
FORMED = re.compile(r"\b(bold|italics?|italici[sz]e|underlined?|strike ?through|font|style)\b", re.IGNORECASE)
PART = re.compile(r"paragraph|sentence|line|text", re.IGNORECASE)
ECHO = 0.7
"""A line that shares so much with the goal only repeats it."""


def marked(goal: str, page: str) -> list[Move]:
    """Where a goal says to highlight words and it is plain which: those that it quotes, the paragraph that it counts
    out, or the only one; then what sends. Words that are to look otherwise in an editor are marked first."""
    if FORMED.search(goal):
        return [Move(act=MARK, text=text) for text in values(goal) if _written(text, page)][:1]
    text = _meant(goal, page.splitlines()[1:]) if MARKED.search(goal) else ""
    act = sender(thing for thing in things(page) if share(words(goal), words(thing.name)))
    return [Move(act=MARK, text=text), *([Move(act=act)] if act else [])] if text else []


def _written(text: str, page: str) -> bool:
    """Whether this is part of what stands in an editor."""
    return any(thing.role == "textbox" and text in thing.value for thing in things(page))


def _meant(goal: str, lines: Sequence[str]) -> str:
    told = [line.strip() for line in lines if "[" not in line and not line.lstrip().startswith(("#", "("))]
    parts = [line.removeprefix("- ") for line in told if line and share(words(line), words(goal)) < ECHO]
    quoted = [value for value in values(goal) if any(value.casefold() in line.casefold() for line in lines)]
    if quoted:
        return quoted[0]
    found = COUNTED.search(goal)
    if found and PART.match(found[2]):
        at = rank(found[1]) - 1
        return parts[at] if at < len(parts) else ""
    return parts[0] if len(parts) == 1 else ""

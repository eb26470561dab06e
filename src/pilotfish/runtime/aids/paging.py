"""What was found comes in pages: the one that a goal counts out is here, or on a page that a link leads to."""

import re
from collections.abc import Sequence
from itertools import chain

from pilotfish.runtime.aids.focus import NTH, inner, rank
from pilotfish.runtime.aids.things import EARLIER, FIELDS, LATER, Thing, things

RESULT = re.compile(rf"{NTH} (?:\w+ )?(?:result|hit|match|finding)\b", re.IGNORECASE)


class Paging:
    """The way to one of many results; how many a page holds is learnt from the fullest."""

    def __init__(self, goal: str) -> None:
        said = RESULT.search(goal)
        self._wanted = rank(said[1]) if said else 0
        self._last = bool(said) and not goal[said.end() :].strip(" .!")
        self._size = 0
        self._found = ""

    def reached(self, clicked: Sequence[str]) -> str:
        """What was opened, where the goal asks for no more."""
        return self._found if self._last and clicked and clicked[-1] == self._found else ""

    def result(self, page: str, clicked: Sequence[str]) -> Thing | None:
        """The result, or what turns to its page. `clicked` are the names of what was clicked so far, in order."""
        if not self._wanted:
            return None
        every = things("\n".join(inner(page.splitlines())))
        start = max((at for at, thing in enumerate(every) if thing.role in FIELDS), default=-1) + 1
        found = [thing for thing in every[start:] if thing.role == "link" and not thing.turns]
        links = [thing for thing in every if thing.turns]
        self._size = max(self._size, len(found))
        if not found or any(thing.empty for thing in every):
            return None
        turn, place = divmod(self._wanted - 1, self._size)
        ahead = turn + 1 - _number(clicked)
        if ahead == 0:
            self._found = found[place].short if place < len(found) else ""
            return found[place] if self._found else None
        signs = LATER if ahead > 0 else EARLIER
        numbered = (thing for thing in links if thing.name == str(turn + 1))
        signed = (thing for thing in links if thing.name.casefold().startswith(signs))
        return next(chain(numbered, signed), None)


def _number(clicked: Sequence[str]) -> int:
    """The page that these clicks have led to."""
    number = 1
    for name in map(str.casefold, clicked):
        number = int(name) if name.isdecimal() else number + name.startswith(LATER) - name.startswith(EARLIER)
    return number

"""What a small model need not be asked: rules in order, of which the first that knows what to do is followed."""

from collections.abc import Sequence

from pilotfish.runtime.aids.dragging import gathered, ordered, placed
from pilotfish.runtime.aids.focus import before, body, meant, named, names, sends
from pilotfish.runtime.aids.instinct import (
    appeared,
    copied,
    owned,
    suggested,
    swept,
    tinted,
    topmost,
    turned,
    undated,
    unopened,
    unrolled,
    unsent,
)
from pilotfish.runtime.aids.marking import marked
from pilotfish.runtime.aids.moves import DONE, Move, Moves
from pilotfish.runtime.aids.paging import Paging
from pilotfish.runtime.aids.ranking import answering, sorting
from pilotfish.runtime.aids.things import FIELDS, Thing, things
from pilotfish.runtime.aids.trace import Trace
from pilotfish.runtime.seeing import Page

ROLLS = 5
"""How often a list is gone down before the model is asked."""


class Reflexes:
    """The rules of one run; what they need of the past is in its trace."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.goal = trace.goal
        self._known: set[str] = set()
        self._rolled = 0
        self._paging = Paging(trace.goal)

    def over(self, page: Page, moves: Moves, ahead: list[Move]) -> list[Move]:
        """The moves ahead, or what needs no thinking instead of them: only what sends stays behind that."""
        if opened := self._paging.reached(self.trace.clicked):
            return [Move(act=DONE, text=f"“{opened}” is open.")]
        if (head := sorting(self.goal, page.text)) and head[1]:
            return [Move(act=DONE, text=f"Sorted by {head[0].name}.")]
        offered = suggested(self.trace.typed, page.text, self.trace.before)
        plain = Move(act=f"click {offered.label}" if offered else self._plain(page, ahead))
        self._known |= {thing.name for thing in named(self.goal, page.text)}
        if plain.act and moves.has(plain):
            return [plain, *(move for move in ahead if offered or sends(move.act))]
        return ahead or ([] if self.trace.acts else self._begun(page))

    def _begun(self, page: Page) -> list[Move]:
        """All that is to be done, where that is plain from the start."""
        return copied(self.goal, page.text) or tinted(self.goal, page.text) or marked(self.goal, body(page))

    def _plain(self, page: Page, ahead: Sequence[Move]) -> str:
        goal, text, trace = self.goal, page.text, self.trace
        found = (self._appeared(page) or topmost(goal, text)) if trace.acts else None
        found = found or turned(goal, text) or answering(goal, text)
        if not found and (head := sorting(goal, text)):
            return f"click {head[0].label}"
        if found and found.label in trace.labels:
            return ""  # a calendar that fades away still shows the day that was clicked
        found = found or (None if trace.values else self._paging.result(text, trace.clicked))
        if found := found or self._undated(page, ahead) or self._last(page, ahead):
            return f"click {found.label}"
        act = unopened(trace.values, text, trace.acts) or ("" if trace.acts else placed(goal, text))
        act = act or ordered(goal, text) or gathered(goal, text, trace.acts)
        act = act or owned(goal, text, trace.labels) or swept(goal, text, trace.labels)
        return act or self._unrolled(page)

    def _appeared(self, page: Page) -> Thing | None:
        """The one thing that came up and that the goal quotes or speaks of; not what we wrote ourselves."""
        fresh = self.trace.fresh(page)
        known = self._known | self.trace.written
        return appeared(self.goal, page.text, known) or (fresh[0] if len(fresh) == 1 else None)

    def _undated(self, page: Page, ahead: Sequence[Move]) -> Thing | None:
        """The field that opens a calendar, once the others are written."""
        writing = not self.trace.acts or any(move.act.startswith("type into") for move in ahead)
        field = None if writing else undated(self.trace.days, page.text)
        return field if field and field.label not in self.trace.labels else None

    def _last(self, page: Page, ahead: Sequence[Move]) -> Thing | None:
        """The button that sends, where the goal asks for that and it is all that is left, or where it cannot be meant
        otherwise and no field is empty."""
        full = all(thing.value for thing in things(page.text) if thing.role in FIELDS)
        if self.trace.filled and not ahead and full and (found := unsent(self.goal, page.text, self.trace.labels)):
            return found
        left = meant(self.goal, page.text, self.trace.labels) if self.trace.acts and not ahead else []
        alone = len(left) == 1 and sends(left[0].name) and self.trace.reached(page, left[0])
        return left[0] if alone and before(self.goal, left[0].name) else None

    def _unrolled(self, page: Page) -> str:
        """Down a list for who is named, or for the button that sends once nothing else is left."""
        if self._rolled >= ROLLS:
            return ""
        left = self.trace.left
        people = [name for name in names(self.goal) if name.casefold() in left]
        ready = self.trace.acts and not meant(self.goal, page.text, self.trace.labels)
        wanted = people or ([word for word in left if sends(word)] if ready else [])
        act = unrolled(wanted, body(page).replace(self.goal, ""))
        self._rolled += bool(act)
        return act

"""The notes of a run: lines that the model writes, kept in the journal and part of every later request."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from pilotfish.core.journal_reports import NOTES_TOPIC, last_notes
from pilotfish.core.values import Value
from pilotfish.loop_support.turn import NoteEdits
from pilotfish.runtime.run_context import Json

if TYPE_CHECKING:
    from pilotfish.runtime.run import Run

NOTES_LENGTH = 10_000
LONGEST_NOTE = 1000
NOTES_FULL = "Your notes are full, and this did not fit: drop what is no longer needed."


class NoteLine(Value):
    """One line of the notes."""

    number: int
    text: str
    ticked: bool = False

    def __str__(self) -> str:
        return f"{self.number}. {'[x] ' if self.ticked else ''}{self.text}"


class RunNotes:
    """Numbered lines that the model adds, ticks and drops. Numbers are not reused."""

    def __init__(self, run: "Run", lines: Iterable[NoteLine] = ()) -> None:
        self.run = run
        self.lines = {line.number: line for line in lines}
        self._last = max(self.lines, default=0)

    async def edit(self, edits: NoteEdits) -> str:
        """Apply the edits, and journal the notes if they changed. Returns what could not be done, or an empty text."""
        before = dict(self.lines)
        unknown = [number for number in (*edits.tick, *edits.drop) if number not in self.lines]
        for number in set(edits.drop) & set(self.lines):
            del self.lines[number]
        for number in set(edits.tick) & set(self.lines):
            self.lines[number] = self.lines[number].model_copy(update={"ticked": True})
        refused = [text for text in edits.add if text.strip() and not self._add(text.strip())]
        if self.lines != before:
            lines = [line.model_dump() for line in self.lines.values()]
            await self.run.note(NOTES_TOPIC, describe_edits(before, self.lines), lines=lines)
        problems = [f"There is no note {', '.join(map(str, unknown))}."] if unknown else []
        return " ".join([*problems, *([NOTES_FULL] if refused else [])])

    def _add(self, text: str) -> bool:
        """Add a line; drop the oldest ticked lines if there is no room. Returns False if it still does not fit."""
        text = text[:LONGEST_NOTE]
        ticked = [number for number, line in self.lines.items() if line.ticked]
        while ticked and self._size + len(text) > NOTES_LENGTH:
            del self.lines[ticked.pop(0)]
        if self._size + len(text) > NOTES_LENGTH:
            return False
        self._last += 1
        self.lines[self._last] = NoteLine(number=self._last, text=text)
        return True

    @property
    def _size(self) -> int:
        return sum(len(line.text) for line in self.lines.values())

    @property
    def text(self) -> str:
        return "\n".join(map(str, self.lines.values()))


async def open_notes(run: "Run") -> RunNotes:
    """The notes of a run: empty, or those of the run that it continues."""
    earlier = str(run.options.get("continues") or "")
    if not earlier:
        return RunNotes(run)

    async def read() -> Json:
        past = await run.store.run(earlier)
        own = past is not None and past.user == run.record.user
        return {"lines": last_notes(await run.store.events(earlier)) if own else []}

    lines = (await run.step("notes", read))["lines"]
    notes = RunNotes(run, [NoteLine.model_validate(line) for line in lines])
    if lines:
        await run.note(NOTES_TOPIC, f"Going on with {len(lines)} notes of the earlier run.", lines=lines)
    return notes


def describe_edits(before: dict[int, NoteLine], after: dict[int, NoteLine]) -> str:
    """The changed lines, for people."""
    return "; ".join(f"{'✓ ' if line.ticked else ''}{line.text}" for n, line in after.items() if before.get(n) != line)

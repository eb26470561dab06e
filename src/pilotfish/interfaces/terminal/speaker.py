"""A run told in a terminal: the answer to standard output as it is written, everything else beside it."""

import re
import sys
from typing import TYPE_CHECKING, Protocol

from pilotfish.core import events
from pilotfish.core.events import Delta, Live

if TYPE_CHECKING:
    from rich.console import Console

# The number of an element, which means nothing to people.
NUMBER = re.compile(r"\[\d+\] ?")


class Speaker(Protocol):
    """Tells a run to whoever reads."""

    def tell(self, item: Live) -> None: ...


class Lines:
    """For scripts: each event as one line of JSON."""

    def tell(self, item: Live) -> None:
        sys.stdout.write(item.model_dump_json() + "\n")
        sys.stdout.flush()


class Story:
    """For people. Only the answer goes to standard output, so that it can be piped."""

    def __init__(self, notes: "Console", reasoning: bool = False) -> None:
        self.notes = notes
        self.reasoning = reasoning
        self._call = ""
        self._said = ""

    def tell(self, item: Live) -> None:
        match item:
            case Delta(kind="content"):
                self._say(item)
            case Delta():
                if self.reasoning:
                    self.notes.print(item.text, end="", style="dim italic", markup=False, highlight=False)
            case events.RunFinished():
                self._end(item)
            case _:
                if line := note(item):
                    self._note(line)

    def _say(self, piece: Delta) -> None:
        if piece.call != self._call:
            self._break()
            self._call, self._said = piece.call, ""
        self._said += piece.text
        sys.stdout.write(piece.text)
        sys.stdout.flush()

    def _break(self) -> None:
        """Begin a new line if one is unfinished."""
        if self._said and not self._said.endswith("\n"):
            sys.stdout.write("\n")
            sys.stdout.flush()
            self._said += "\n"

    def _note(self, line: str) -> None:
        self._break()
        self.notes.print(f"· {line}", style="dim", markup=False, highlight=False)

    def _end(self, end: events.RunFinished) -> None:
        self._break()
        if end.text and end.text.strip() != self._said.strip():
            sys.stdout.write(end.text.rstrip("\n") + "\n")
            sys.stdout.flush()
        if end.error:
            self.notes.print(end.error, style="red", markup=False, highlight=False)
            if end.fix:
                self.notes.print(f"→ {end.fix}", markup=False, highlight=False)
        elif end.outcome == "stopped":
            self.notes.print("Stopped.")
        self._note(summary(end))


def note(item: Live) -> str:
    """One line about an event, for those that a person wants to see go by."""
    match item:
        case events.PageSeen():
            return f"read {item.title or item.url}"
        case events.ToolFinished():
            return NUMBER.sub("", item.text or item.tool) if item.ok else f"{item.tool}: {item.error}"
        case events.ModelFailed():
            return f"{item.model}: {item.error}"
        case events.Noted(topic="policy"):
            return ""
        case events.Progressed(status="started") | events.Noted():
            return item.text
        case events.StateChanged(state="paused" | "stopping"):
            return item.state
        case _:
            return ""


def summary(end: events.RunFinished) -> str:
    """What it took: time, tokens, money."""
    parts = [f"{end.outcome.replace('_', ' ')} in {end.seconds:.1f} s"]
    if end.usage.tokens:
        parts.append(f"{end.usage.tokens:,} tokens")
    if not end.usage.priced:
        parts.append("price unknown")
    elif end.usage.cost:
        parts.append(f"${end.usage.cost:.4f}")
    return ", ".join(parts)

"""Prints a run in a terminal: the answer to standard output as it is written, everything else to standard error."""

import re
import sys
from typing import TYPE_CHECKING, Protocol

from pilotfish.core import events
from pilotfish.core.events import StreamItem, TextDelta
from pilotfish.interfaces.answer_pictures import AnswerPictures
from pilotfish.interfaces.terminal.inline_picture import inline_picture
from pilotfish.interfaces.terminal.printable_text import printable

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console

# Element numbers mean nothing to people.
NUMBER = re.compile(r"\[\d+\] ?")


class RunPrinter(Protocol):
    """Prints the events of a run."""

    def print_event(self, item: StreamItem) -> None: ...


class JsonPrinter:
    """For scripts: each event as one line of JSON, with what the model thought only where that is wanted."""

    def __init__(self, reasoning: bool = False) -> None:
        self.reasoning = reasoning

    def print_event(self, item: StreamItem) -> None:
        shown = item if self.reasoning else events.hide_thinking(item)
        if shown is not None:
            sys.stdout.write(printable(shown.model_dump_json()) + "\n")
            sys.stdout.flush()


class TextPrinter:
    """For people. Only the answer goes to standard output, so that it can be piped."""

    def __init__(self, notes: "Console", reasoning: bool = False, folder: "Path | None" = None) -> None:
        self.notes = notes
        self._pictures = AnswerPictures(folder)
        self.reasoning = reasoning
        self._call = ""
        self._said = ""
        self._thinking = False

    def print_event(self, item: StreamItem) -> None:
        self._pictures.note(item)
        match item:
            case TextDelta(kind="content"):
                self._say(item)
            case TextDelta():
                if self.reasoning:
                    self._thinking = True
                    self.notes.print(item.text, end="", style="dim italic", markup=False, highlight=False)
            case events.RunFinished():
                self._end(item)
            case _:
                if line := event_line(item):
                    self._note(line)

    def _say(self, piece: TextDelta) -> None:
        if piece.call != self._call or self._thinking:
            self._break()
        if piece.call != self._call:
            self._call, self._said = piece.call, ""
        self._said += piece.text
        sys.stdout.write(printable(piece.text))
        sys.stdout.flush()

    def _break(self) -> None:
        """Begin a new line if one is unfinished."""
        if self._thinking:
            self.notes.print()
            self._thinking = False
        if self._said and not self._said.endswith("\n"):
            sys.stdout.write("\n")
            sys.stdout.flush()
            self._said += "\n"

    def _note(self, line: str) -> None:
        self._break()
        self.notes.print(f"· {line}", style="dim", markup=False, highlight=False)

    def _end(self, end: events.RunFinished) -> None:
        self._break()
        if end.text and end.text.strip() != (said := self._said.strip()):
            # Of an answer that only grew at its end, such as by its sources, the rest is written.
            rest = end.text.strip().removeprefix(said) if said else end.text
            sys.stdout.write(printable(rest.lstrip()).rstrip("\n") + "\n")
            sys.stdout.flush()
        for path in self._pictures.paths():
            if sys.stdout.isatty():
                sys.stdout.write(inline_picture(path))
            self._note(f"picture: {path}")
        if end.error:
            self.notes.print(end.error, style="red", markup=False, highlight=False)
            if end.fix:
                self.notes.print(f"→ {end.fix}", markup=False, highlight=False)
        elif end.outcome == "stopped":
            self.notes.print("Stopped.")
        if end.outcome != "completed" and end.text and "resume" not in end.fix:
            self.notes.print(f"→ `pilotfish resume {end.run}` goes on from here.", markup=False, highlight=False)
        self._note(usage_summary(end))


def event_line(item: StreamItem) -> str:
    """One line about an event; empty for events that are not shown."""
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
        case events.StateChanged(state="queued" | "paused") if item.why:
            return item.why if item.state == "queued" else f"{item.state}: {item.why}"
        case events.StateChanged(state="paused" | "stopping"):
            return item.state
        case events.MessageAdded() if events.is_steering(item):
            return f"you: {item.message.text}"
        case _:
            return ""


def usage_summary(end: events.RunFinished) -> str:
    """Time, tokens and money that the run took."""
    parts = [f"{end.outcome.replace('_', ' ')} in {end.seconds:.1f} s"]
    if end.usage.tokens:
        parts.append(f"{end.usage.tokens:,} tokens")
    if not end.usage.priced:
        parts.append("price unknown")
    elif end.usage.cost:
        parts.append(f"${end.usage.cost:.4f}")
    return ", ".join(parts)

"""Prints a run again in the terminal, with its original pauses."""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pilotfish.core.events import Event, InputReceived, InputRequested, MessageAdded
from pilotfish.interfaces.terminal.run_printer import JsonPrinter, RunPrinter, TextPrinter

if TYPE_CHECKING:
    from rich.console import Console

LONGEST_PAUSE = 3.0


def pause_between(before: Event, after: Event, speed: float) -> float:
    """The pause between two events: the original one, but without waiting times for a person."""
    passed = (after.at - before.at).total_seconds()
    return min(LONGEST_PAUSE, max(0.0, passed / speed)) if speed else 0.0


async def play_events(events: Sequence[Event], speed: float, as_json: bool, notes: "Console") -> None:
    printer: RunPrinter = JsonPrinter(reasoning=True) if as_json else TextPrinter(notes, reasoning=True)
    for number, event in enumerate(events):
        await asyncio.sleep(pause_between(events[max(0, number - 1)], event, speed))
        if not as_json:
            _print_message(event, notes)
        printer.print_event(event)


def _print_message(event: Event, notes: "Console") -> None:
    """Print the person's and the run's messages, which a live run does not print again."""
    match event:
        case MessageAdded(message=message) if message.role == "user":
            notes.print(message.text, style="bold", markup=False)
        case InputRequested():
            notes.print(event.question, style="bold", markup=False)
        case InputReceived():
            notes.print(f"→ {event.answer}", markup=False)
        case _:
            pass

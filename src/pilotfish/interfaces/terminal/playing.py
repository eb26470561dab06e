"""A run played again in the terminal, in the rhythm in which it went."""

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pilotfish.core.events import Event, InputReceived, InputRequested, MessageAdded
from pilotfish.interfaces.terminal.speaker import Lines, Speaker, Story

if TYPE_CHECKING:
    from rich.console import Console

LONGEST = 3.0


def pause(before: Event, after: Event, speed: float) -> float:
    """How long to wait between two events: as long as it took, but never for a person who was away."""
    passed = (after.at - before.at).total_seconds()
    return min(LONGEST, max(0.0, passed / speed)) if speed else 0.0


async def perform(story: Sequence[Event], speed: float, as_json: bool, notes: "Console") -> None:
    speaker: Speaker = Lines() if as_json else Story(notes, reasoning=True)
    for number, event in enumerate(story):
        await asyncio.sleep(pause(story[max(0, number - 1)], event, speed))
        if not as_json:
            _talk(event, notes)
        speaker.tell(event)


def _talk(event: Event, notes: "Console") -> None:
    """What was said between the person and the run, which a live run need not repeat."""
    match event:
        case MessageAdded(message=message) if message.role == "user":
            notes.print(message.text, style="bold", markup=False)
        case InputRequested():
            notes.print(event.question, style="bold", markup=False)
        case InputReceived():
            notes.print(f"→ {event.answer}", markup=False)
        case _:
            pass

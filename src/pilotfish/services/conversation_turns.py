"""Finds which run works in a conversation's tabs, which run waits for it, and which can be spoken to."""

from collections.abc import Iterable

from pilotfish.core.errors import PersonError
from pilotfish.core.events import StateChanged
from pilotfish.core.records import RunRecord
from pilotfish.runtime.loops import is_steerable


def find_run_ahead(runs: Iterable[RunRecord], version: str) -> RunRecord | None:
    """The run of a conversation that has not ended. One that other code began and nobody drives holds no tab."""
    found = (run for run in runs if not run.outcome and not run.parent)
    return next((run for run in found if run.worker or run.version in ("", version)), None)


def refuse_turn(ahead: RunRecord) -> PersonError:
    """The error for a task that cannot wait for its turn."""
    return PersonError(
        f"The agent is at work in this conversation, as run {ahead.id}.",
        f'Say it to that run with `pilotfish say {ahead.id} "…"`, stop it, or wait for its end.',
    )


def announce_waiting(record: RunRecord, ahead: RunRecord) -> StateChanged:
    """The event that says what a queued run waits for."""
    why = f"It waits until run {ahead.id} of this conversation has ended."
    return StateChanged(run=record.id, key="waits", state="queued", why=why, cause="turn")


def require_listener(record: RunRecord, text: str) -> None:
    """Refuse to say nothing, and to say something to a run that is over or has a fixed course."""
    if not text.strip():
        raise PersonError("There is nothing to say: the text is empty.", "Say what the run should know.")
    if record.outcome:
        raise PersonError("That run is over.", "Give it as a new task in the same conversation.")
    if not is_steerable(record.loop):
        raise PersonError("That run repeats fixed steps and cannot be told anything.", "Stop it, or wait for its end.")

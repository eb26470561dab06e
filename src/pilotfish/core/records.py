"""Values that the store keeps beside the journal: runs, conversations, commands, files."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, NamedTuple

from pydantic import Field

from pilotfish.core.events import Event, RunOutcome, RunState, current_time
from pilotfish.core.messages import Message
from pilotfish.core.usage import Usage
from pilotfish.core.values import Value

CommandVerb = Literal["stop", "pause", "resume", "answer", "say"]
ChangeKind = Literal["events", "commands", "runs", "text", "all"]

BROWSER_HOLDERS = "browser"
"""The kind under which the store has, by conversation, the worker with its browser."""


class JournalEntry(Value):
    """An event as the journal holds it. `is_new` is false where it was written before a restart."""

    event: Event
    is_new: bool


class RunRecord(Value):
    """The summary of a run, computed from its journal and stored so that lists are quick."""

    id: str
    user: str
    conversation: str
    task: str
    loop: str
    state: RunState = "queued"
    outcome: RunOutcome | None = None
    answer: str = ""
    options: Mapping[str, Any] = Field(default_factory=dict)
    parent: str = ""
    version: str = ""
    worker: str = ""
    usage: Usage = Usage()
    created: datetime = Field(default_factory=current_time)
    updated: datetime = Field(default_factory=current_time)


class Conversation(Value):
    """A thread of runs of one person."""

    id: str
    user: str
    title: str = ""
    created: datetime = Field(default_factory=current_time)
    updated: datetime = Field(default_factory=current_time)


class Command(Value):
    """A person's command to a run. `id` grows, so that a reader can ask for new ones."""

    run: str
    verb: CommandVerb
    id: int = 0
    request: str = Field(default="", description="for answer: the input request that it answers")
    text: str = ""
    by: str = ""
    at: datetime = Field(default_factory=current_time)


class StoredRun(NamedTuple):
    """Everything needed to drive a run. `earlier` has the messages of its conversation before it, `messages` its own.

    Its own messages end with the task. Before it come turns that a client sent along and that no conversation has.
    """

    record: RunRecord
    commands: Sequence[Command]
    events: Sequence[Event]
    earlier: Sequence[Message]
    messages: Sequence[Message]


class StoreChange(NamedTuple):
    """What changed: a run's events, its commands, the list of runs; or perhaps all of it.

    `text` comes with a piece of text that a run elsewhere is writing, as JSON.
    """

    what: ChangeKind
    run: str = ""
    text: str = ""


def memory_run_id(run: str) -> str:
    """The id of the background run that saves facts from what the person said in a run."""
    return f"{run}-memory"

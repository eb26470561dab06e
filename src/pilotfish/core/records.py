"""What the store keeps beside the journal: runs, conversations, commands, files."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, NamedTuple

from pydantic import Field

from pilotfish.core.events import Event, Outcome, State, now
from pilotfish.core.messages import Message
from pilotfish.core.usage import Usage
from pilotfish.core.values import Value

Verb = Literal["stop", "pause", "resume", "answer"]
What = Literal["events", "commands", "runs", "text", "all"]


class Entry(Value):
    """An event as the journal holds it. `fresh` is false where it had been written before, by an earlier life."""

    event: Event
    fresh: bool


class RunRecord(Value):
    """A run at a glance; a projection of its journal, kept so that lists are quick."""

    id: str
    user: str
    conversation: str
    task: str
    loop: str
    state: State = "queued"
    outcome: Outcome | None = None
    answer: str = ""
    options: Mapping[str, Any] = Field(default_factory=dict)
    parent: str = ""
    version: str = ""
    worker: str = ""
    usage: Usage = Usage()
    created: datetime = Field(default_factory=now)
    updated: datetime = Field(default_factory=now)


class Conversation(Value):
    """A thread of runs of one person."""

    id: str
    user: str
    title: str = ""
    created: datetime = Field(default_factory=now)
    updated: datetime = Field(default_factory=now)


class Command(Value):
    """What a person tells a run from outside. `id` grows, so that a reader can ask for what is new."""

    run: str
    verb: Verb
    id: int = 0
    request: str = Field(default="", description="for answer: the input request that it answers")
    text: str = ""
    by: str = ""
    at: datetime = Field(default_factory=now)


class Dossier(NamedTuple):
    """All that one must know of a run to drive it: `before` was said in its conversation, `said` to it.

    What was said to it ends with its task; turns that no conversation holds, and pictures, may come with that.
    """

    record: RunRecord
    commands: Sequence[Command]
    events: Sequence[Event]
    before: Sequence[Message]
    said: Sequence[Message]


class News(NamedTuple):
    """What changed: a run's events, what it was told, which runs there are; or perhaps all of it.

    `text` comes with a piece of text that a run elsewhere is writing, as JSON.
    """

    what: What
    run: str = ""
    text: str = ""

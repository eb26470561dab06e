"""What happened in a run: a closed union of frozen events. Everything else is a fold over them.

`seq` is given by the journal, once, and never changes. `key` makes an event unique within its run, so that a
replay after a crash, which tells the same story again, writes nothing twice.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from pilotfish.core.messages import Call, Message, Tier
from pilotfish.core.usage import Usage
from pilotfish.core.values import Value

State = Literal["queued", "running", "paused", "awaiting_input", "awaiting_approval", "stopping", "ended"]
Outcome = Literal["completed", "failed", "stopped", "out_of_budget"]
Status = Literal["started", "completed", "failed"]
Stage = Literal[
    "analyzing",
    "reasoning",
    "planning",
    "executing_tools",
    "searching_web",
    "fetching_content",
    "retrieving_memory",
    "saving_memory",
    "observing_results",
    "generating_response",
]


def now() -> datetime:
    return datetime.now(UTC)


class Base(Value):
    """What every event carries."""

    run: str
    seq: int = 0
    key: str = ""
    at: datetime = Field(default_factory=now)


class RunStarted(Base):
    type: Literal["run_started"] = "run_started"
    task: str
    loop: str
    user: str
    conversation: str
    options: Mapping[str, Any] = Field(default_factory=dict)
    parent: str = ""
    version: str = ""


class StateChanged(Base):
    type: Literal["state_changed"] = "state_changed"
    state: State
    why: str = ""


class Progressed(Base):
    """A sentence for people about where the run is."""

    type: Literal["progress"] = "progress"
    stage: Stage
    status: Status
    text: str
    details: Mapping[str, Any] = Field(default_factory=dict)


class MessageAdded(Base):
    """The conversation grew."""

    type: Literal["message_added"] = "message_added"
    message: Message
    sources: tuple[Mapping[str, Any], ...] = ()


class ModelAsked(Base):
    type: Literal["model_asked"] = "model_asked"
    call: str
    tier: Tier
    model: str
    purpose: str
    tokens: int


class ModelReplied(Base):
    """A finished model call, with what it used and how full the window was."""

    type: Literal["model_replied"] = "model_replied"
    call: str
    tier: Tier
    model: str
    purpose: str
    text: str = ""
    calls: tuple[Call, ...] = ()
    usage: Usage = Usage()
    seconds: float = 0.0
    first: float | None = None
    context: int = 0
    window: int = 0


class ModelFailed(Base):
    type: Literal["model_failed"] = "model_failed"
    call: str
    model: str
    error: str
    fix: str = ""
    usage: Usage = Usage()


class Reasoned(Base):
    """The model's thinking; shown only where the settings say so."""

    type: Literal["reasoned"] = "reasoned"
    text: str
    phase: str = ""
    step: int = 0


class PageSeen(Base):
    type: Literal["page_seen"] = "page_seen"
    url: str
    title: str
    tab: int = 0
    tokens: int = 0
    text: str = ""


class ToolStarted(Base):
    type: Literal["tool_started"] = "tool_started"
    call: str
    tool: str
    args: Mapping[str, Any] = Field(default_factory=dict)
    text: str = ""


class ToolFinished(Base):
    type: Literal["tool_finished"] = "tool_finished"
    call: str
    tool: str
    ok: bool
    output: str = ""
    error: str = ""
    data: Mapping[str, Any] = Field(default_factory=dict)
    text: str = ""
    seconds: float = 0.0
    usage: Usage = Usage()
    unknown: bool = False


class Planned(Base):
    """The plan or todo list as it now stands: (text, state) pairs."""

    type: Literal["planned"] = "planned"
    items: tuple[tuple[str, str], ...]


class InputRequested(Base):
    type: Literal["input_requested"] = "input_requested"
    request: str
    kind: Literal["question", "approval", "budget"] = "question"
    question: str
    choices: tuple[str, ...] = ()
    details: Mapping[str, Any] = Field(default_factory=dict)
    deadline: datetime | None = None


class InputReceived(Base):
    type: Literal["input_received"] = "input_received"
    request: str
    answer: str
    by: str = ""


class InputTimedOut(Base):
    type: Literal["input_timed_out"] = "input_timed_out"
    request: str


class FileSaved(Base):
    """A picture, download or other file of the run, by reference."""

    type: Literal["file_saved"] = "file_saved"
    name: str
    media: str
    size: int
    purpose: str = ""


class Noted(Base):
    """Something a person or auditor should see that is no step of its own (a recovery, a refusal, a saved fact)."""

    type: Literal["noted"] = "noted"
    topic: str
    text: str
    details: Mapping[str, Any] = Field(default_factory=dict)


class RunFinished(Base):
    """The one terminal event."""

    type: Literal["run_finished"] = "run_finished"
    outcome: Outcome
    text: str = ""
    error: str = ""
    fix: str = ""
    kind: str = Field(default="", description="where it failed: the name of the error, as in `core.errors`")
    usage: Usage = Usage()
    seconds: float = 0.0
    steps: int = 0


Event = Annotated[
    RunStarted
    | StateChanged
    | Progressed
    | MessageAdded
    | ModelAsked
    | ModelReplied
    | ModelFailed
    | Reasoned
    | PageSeen
    | ToolStarted
    | ToolFinished
    | Planned
    | InputRequested
    | InputReceived
    | InputTimedOut
    | FileSaved
    | Noted
    | RunFinished,
    Field(discriminator="type"),
]

EVENT: TypeAdapter[Event] = TypeAdapter(Event)


class Delta(Value):
    """A piece of text while it is being written: live only, never journalled."""

    run: str
    call: str
    text: str
    kind: Literal["content", "reasoning"] = "content"
    type: Literal["delta"] = "delta"


Live = Event | Delta

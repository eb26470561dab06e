"""The events of a run: a closed union of frozen values. Records, reports and costs are computed from them.

The journal sets `seq` once and never changes it. `key` makes an event unique within its run, so that a
replay after a crash, which emits the same events again, writes nothing twice.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, field_validator

from pilotfish.core.errors import FORMER_NAMES
from pilotfish.core.messages import Message, ModelTier, ToolCall
from pilotfish.core.usage import Usage
from pilotfish.core.values import Value

RunState = Literal["queued", "running", "paused", "awaiting_input", "awaiting_approval", "stopping", "ended"]
RunOutcome = Literal["completed", "failed", "stopped", "out_of_budget"]
InputKind = Literal["question", "approval", "budget"]
StageStatus = Literal["started", "completed", "failed"]
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


STEERING = ".said."
"""Stands in the key of a message that the person sent to a run while it worked."""


def current_time() -> datetime:
    return datetime.now(UTC)


class EventBase(Value):
    """The fields of every event."""

    run: str
    seq: int = 0
    key: str = ""
    at: datetime = Field(default_factory=current_time)


class RunStarted(EventBase):
    type: Literal["run_started"] = "run_started"
    task: str
    loop: str
    user: str
    conversation: str
    options: Mapping[str, Any] = Field(default_factory=dict)
    parent: str = ""
    version: str = ""
    max_steps: int | None = Field(default=None, description="the most steps, where that is known from the start")


WaitCause = Literal["", "turn", "labels", "version"]
"""What a run waits for, by code: the run before it, a worker with its labels, or the version that began it."""


class StateChanged(EventBase):
    type: Literal["state_changed"] = "state_changed"
    state: RunState
    why: str = ""
    cause: WaitCause = ""


class Progressed(EventBase):
    """A sentence for people about where the run is."""

    type: Literal["progress"] = "progress"
    stage: Stage
    status: StageStatus
    text: str
    details: Mapping[str, Any] = Field(default_factory=dict)


class MessageAdded(EventBase):
    """A message was added to the conversation."""

    type: Literal["message_added"] = "message_added"
    message: Message
    sources: tuple[Mapping[str, Any], ...] = ()


def is_steering(event: "MessageAdded") -> bool:
    """Whether it is what the person said to the run after its task."""
    return event.message.origin == "person" and STEERING in event.key


class ModelAsked(EventBase):
    type: Literal["model_asked"] = "model_asked"
    call: str
    tier: ModelTier
    model: str
    purpose: str
    tokens: int
    repeated: int = Field(default=0, description="tokens at the beginning that repeat the request before")


class ModelReplied(EventBase):
    """A finished model call, with what it used and how full the window was."""

    type: Literal["model_replied"] = "model_replied"
    call: str
    tier: ModelTier
    model: str
    purpose: str
    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    usage: Usage = Usage()
    seconds: float = 0.0
    first: float | None = None
    context: int = 0
    window: int = 0


class ModelFailed(EventBase):
    type: Literal["model_failed"] = "model_failed"
    call: str
    model: str
    error: str
    fix: str = ""
    usage: Usage = Usage()


class Reasoned(EventBase):
    """The model's thinking; shown only where the settings say so.

    A public one is a phase of the run, such as Reason and Observe of `strict`, and is shown like any other event.
    """

    type: Literal["reasoned"] = "reasoned"
    text: str
    phase: str = ""
    step: int = 0
    public: bool = False


class PageSeen(EventBase):
    type: Literal["page_seen"] = "page_seen"
    url: str
    title: str
    tab: int = 0
    tokens: int = 0
    text: str = ""


class ToolStarted(EventBase):
    type: Literal["tool_started"] = "tool_started"
    call: str
    tool: str
    args: Mapping[str, Any] = Field(default_factory=dict)
    text: str = ""


class ToolFinished(EventBase):
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


class Planned(EventBase):
    """The plan or todo list as it now stands: (text, state) pairs."""

    type: Literal["planned"] = "planned"
    items: tuple[tuple[str, str], ...]


class InputRequested(EventBase):
    type: Literal["input_requested"] = "input_requested"
    request: str
    kind: InputKind = "question"
    question: str
    choices: tuple[str, ...] = ()
    details: Mapping[str, Any] = Field(default_factory=dict)
    deadline: datetime | None = None


class InputReceived(EventBase):
    type: Literal["input_received"] = "input_received"
    request: str
    answer: str
    by: str = ""


class InputTimedOut(EventBase):
    type: Literal["input_timed_out"] = "input_timed_out"
    request: str


class FileSaved(EventBase):
    """A picture, download or other file of the run, by reference."""

    type: Literal["file_saved"] = "file_saved"
    name: str
    media: str
    size: int
    purpose: str = ""


class Noted(EventBase):
    """Something for the person or an auditor that is not a step: a recovery, a refusal, a saved fact."""

    type: Literal["noted"] = "noted"
    topic: str
    text: str
    details: Mapping[str, Any] = Field(default_factory=dict)


class RunFinished(EventBase):
    """The last event of a run."""

    type: Literal["run_finished"] = "run_finished"
    outcome: RunOutcome
    text: str = ""
    error: str = ""
    fix: str = ""
    kind: str = Field(default="", description="where it failed: the name of the error, as in `core.errors`")
    usage: Usage = Usage()
    seconds: float = 0.0
    steps: int = 0
    data: Any = Field(default=None, description="the value that was asked for, in the form that was asked for")
    places: tuple[Mapping[str, Any], ...] = Field(
        default=(), description="where on the pages each row of the data stands, and what the page says there"
    )

    @field_validator("kind")
    @classmethod
    def _use_present_name(cls, name: str) -> str:
        return FORMER_NAMES.get(name, name)


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

EVENT_ADAPTER: TypeAdapter[Event] = TypeAdapter(Event)


class TextDelta(Value):
    """A piece of text while it is being written: live only, never journalled."""

    run: str
    call: str
    text: str
    kind: Literal["content", "reasoning"] = "content"
    type: Literal["delta"] = "delta"


StreamItem = Event | TextDelta


def hide_thinking(item: StreamItem) -> StreamItem | None:
    """The item without what the model thought; None where it is nothing else.

    The text of a reply is hidden whole: it may hold thinking, and what of it is meant for people comes as a message.
    """
    match item:
        case Reasoned(public=False) | TextDelta(kind="reasoning"):
            return None
        case ModelReplied() if item.text:
            return item.model_copy(update={"text": ""})
        case _:
            return item

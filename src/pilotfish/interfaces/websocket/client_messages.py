"""What clients send over `/ws`."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, TypeAdapter

from pilotfish.core.gestures import WebAddress
from pilotfish.core.values import Value
from pilotfish.interfaces.http.runs import NameList, RunOptions, RunStart

Text = Annotated[str, Field(min_length=1, max_length=200_000)]
Id = Annotated[str, Field(max_length=100, pattern=r"^[A-Za-z0-9_-]*$")]
Vocabulary = Literal["", "a11y"]
"""The words in which tool calls are told: the tools' own, or also those of accessibility-tree clients."""


class ClientMessage(Value):
    """A message from the client; unknown fields are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class ChatMessageIn(RunOptions):
    """Start a run. In agent mode it reasons, acts and observes in turn, unless a loop is named.

    It may have all options of a run over HTTP. With `agent_mode` and without a conversation it goes on with the last
    one of its socket. The client is taken to be there to answer, unless it says otherwise.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    type: Literal["chat"]
    content: Text
    agent_mode: bool | None = None
    agent_max_steps: int | None = Field(default=None, ge=1, le=500)
    selected_tools: NameList | None = Field(default=None, description="the only tools that it may use")
    attended: bool | None = True
    conversation: Id | None = None
    tabs: tuple[int | WebAddress, ...] = Field(default=(), max_length=50)
    files: tuple[str, ...] = Field(default=(), max_length=20)
    vocabulary: Vocabulary = ""

    @property
    def goes_on(self) -> bool:
        """Whether it belongs to the conversation of its socket."""
        return self.agent_mode is not None and self.conversation is None

    def start(self) -> RunStart:
        modes = {True: "strict", False: "chat", None: ""}
        options: dict[str, Any] = {
            **self.options(),
            "max_steps": self.agent_max_steps or self.max_steps,
            "tools": self.tools if self.selected_tools is None else self.selected_tools,
        }
        return RunStart(
            **options,
            task=self.content,
            loop=self.loop or modes[self.agent_mode],
            conversation=self.conversation or "",
            tabs=self.tabs,
            files=self.files,
        )


class ControlMessage(ClientMessage):
    """Stop, pause or resume a run."""

    type: Literal["agent_control"]
    action: Literal["stop", "pause", "resume"]
    run: Id = ""


class InputMessage(ClientMessage):
    """Answer a run's question."""

    type: Literal["agent_user_input"]
    content: str = Field(max_length=100_000)
    run: Id = ""
    request: str = Field(default="", max_length=200)


class SayMessage(ClientMessage):
    """Say something to a run while it works."""

    type: Literal["agent_say"]
    content: Annotated[str, Field(min_length=1, max_length=100_000)]
    run: Id = ""


class FollowMessage(ClientMessage):
    """Follow a run after a sequence number."""

    type: Literal["follow"]
    run: Id
    after: int = Field(default=0, ge=0, le=2**31)
    vocabulary: Vocabulary = ""


class SignInMessage(ClientMessage):
    """The first message of a client whose request carried no token, such as a page of another site."""

    type: Literal["auth"]
    token: str = Field(min_length=1, max_length=1000)


class PingMessage(ClientMessage):
    """Ask for a pong."""

    type: Literal["ping"]


AnyClientMessage = ChatMessageIn | ControlMessage | InputMessage | SayMessage | FollowMessage | PingMessage
CLIENT_ADAPTER: TypeAdapter[AnyClientMessage] = TypeAdapter(Annotated[AnyClientMessage, Field(discriminator="type")])

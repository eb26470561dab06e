"""What is said between a loop and a model: messages, requests, replies."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Base64Bytes, Field

from pilotfish.core.usage import Usage
from pilotfish.core.values import Value

Role = Literal["system", "user", "assistant", "tool"]
Tier = Literal["main", "light", "decision", "executor", "image"]


class Image(Value):
    """A picture as bytes; never a URL that somebody else would fetch."""

    data: Base64Bytes
    media: str = "image/png"


class Call(Value):
    """A model's wish to use a tool."""

    id: str
    tool: str
    args: Mapping[str, Any] = Field(default_factory=dict)


class Message(Value):
    """One turn. An assistant's may carry calls; a tool's answers the call named by `call`."""

    role: Role
    text: str = ""
    images: tuple[Image, ...] = ()
    calls: tuple[Call, ...] = ()
    call: str = ""
    tool: str = ""


class ToolSpec(Value):
    """What a model is told of a tool."""

    name: str
    description: str
    parameters: Mapping[str, Any]


class Request(Value):
    """Everything a model needs for one reply. With `shape`, a JSON schema, the text must be JSON of that shape."""

    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    shape: Mapping[str, Any] | None = None
    max_tokens: int | None = None
    temperature: float | None = None


class Reply(Value):
    """A model's whole answer."""

    text: str = ""
    reasoning: str = ""
    calls: tuple[Call, ...] = ()
    usage: Usage = Usage()
    model: str = ""
    cut: bool = False


class Facts(Value):
    """What a model is known to be able to do."""

    window: int = 8192
    answer: int = 4096
    vision: bool = False
    tools: bool = True
    shapes: bool = False
    small: bool = False
    local: bool = False
    caches: bool = False

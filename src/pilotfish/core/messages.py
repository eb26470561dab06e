"""The values between a loop and a model: messages, tool calls, requests and replies."""

from collections.abc import Mapping
from typing import Any, Literal, Self

from pydantic import Base64Bytes, Field, ValidationInfo, model_validator

from pilotfish.core.usage import Usage
from pilotfish.core.values import Value

Role = Literal["system", "user", "assistant", "tool"]
Origin = Literal["", "person", "model", "tool", "earlier_run", "client"]
"""Who said a text. `client`: a program that brings along what was said elsewhere; empty: nobody knows."""
ModelTier = Literal["main", "light", "decision", "executor", "image"]


ROLE_ORIGINS: Mapping[Role, Origin] = {"user": "person", "assistant": "model", "tool": "tool"}


class Image(Value):
    """A picture as bytes; never a URL that somebody else would fetch."""

    data: Base64Bytes
    media: str = "image/png"


class ToolCall(Value):
    """A tool call by a model. A call of a tool that the request did not offer is kept, marked and refused."""

    id: str
    tool: str
    args: Mapping[str, Any] = Field(default_factory=dict)
    offered: bool = True


class Message(Value):
    """One turn. An assistant's may carry calls; a tool's answers the call named by `call`.

    Only messages of the origin `person` count as the person's own words, whatever their role. `stable` marks the last
    message of a request that the next request repeats from the beginning, `pinned` one that is never left out; neither
    is stored.
    """

    role: Role
    text: str = ""
    images: tuple[Image, ...] = ()
    calls: tuple[ToolCall, ...] = ()
    call: str = ""
    tool: str = ""
    origin: Origin = ""
    stable: bool = Field(default=False, exclude=True)
    pinned: bool = Field(default=False, exclude=True)

    @model_validator(mode="after")
    def _stored_without_origin(self, info: ValidationInfo) -> Self:
        """A message stored before origins were kept was journalled by role alone, and only people had the role user."""
        if info.mode == "json" and "origin" not in self.model_fields_set:
            return self.model_copy(update={"origin": ROLE_ORIGINS.get(self.role, "")})
        return self


class ToolSpec(Value):
    """The description of a tool for a model."""

    name: str
    description: str
    parameters: Mapping[str, Any]


class ModelRequest(Value):
    """Everything a model needs for one reply. With `shape`, a JSON schema, the text must be JSON of that shape.

    `adapted` marks a form of request that an adapter was trained on: an embedded model that has one answers with it.
    """

    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    shape: Mapping[str, Any] | None = None
    max_tokens: int | None = None
    temperature: float | None = None
    adapted: bool = False


class TokenChance(Value):
    """A token of a reply, and how likely the model found it."""

    text: str
    chance: float


class ModelReply(Value):
    """A model's whole answer. An embedded model with an adapter also tells the tokens of what it was trained for."""

    text: str = ""
    reasoning: str = ""
    calls: tuple[ToolCall, ...] = ()
    usage: Usage = Usage()
    model: str = ""
    cut: bool = False
    tokens: tuple[TokenChance, ...] = ()


class ModelFacts(Value):
    """What a model is known to be able to do."""

    window: int = 8192
    answer: int = 4096
    vision: bool = False
    tools: bool = True
    shapes: bool = False
    small: bool = False
    local: bool = False
    caches: bool = False

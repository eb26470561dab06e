"""The protocol that every model implements."""

from collections.abc import Callable, Sequence
from typing import Literal, Protocol

from pilotfish.core.messages import Message, ModelFacts, ModelReply, ModelRequest

TextKind = Literal["content", "reasoning"]
TextListener = Callable[[str, TextKind], None]


class Model(Protocol):
    """A model. Cancelling the task that awaits `reply` ends the call at once, wherever it is."""

    @property
    def name(self) -> str: ...

    @property
    def facts(self) -> ModelFacts: ...

    async def reply(self, request: ModelRequest, on_text: TextListener | None = None) -> ModelReply:
        """Answer. `on_text` is called with each piece as it arrives; the reply holds the whole text."""
        ...

    async def warm(self, messages: Sequence[Message]) -> None:
        """Read `messages` ahead of the question where there is a prefix cache; elsewhere do nothing."""
        ...

    async def close(self) -> None: ...

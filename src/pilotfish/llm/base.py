"""The seam: what every model can do, whoever serves it."""

from collections.abc import Callable, Sequence
from typing import Literal, Protocol

from pilotfish.core.messages import Facts, Message, Reply, Request

Kind = Literal["content", "reasoning"]
Hear = Callable[[str, Kind], None]


class Model(Protocol):
    """A model. Cancelling the task that awaits `reply` ends the call at once, wherever it is."""

    @property
    def name(self) -> str: ...

    @property
    def facts(self) -> Facts: ...

    async def reply(self, request: Request, hear: Hear | None = None) -> Reply:
        """Answer. `hear` gets each piece as it arrives; the reply is whole either way."""
        ...

    async def warm(self, messages: Sequence[Message]) -> None:
        """Read `messages` ahead of the question where there is a prefix cache; elsewhere do nothing."""
        ...

    async def close(self) -> None: ...

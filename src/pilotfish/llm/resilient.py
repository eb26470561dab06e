"""A model that outlives outages: tried again with backoff, then another takes over and says so."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pilotfish.core.errors import ModelError
from pilotfish.core.messages import Facts, Message, Reply, Request
from pilotfish.llm.base import Hear, Kind, Model

Heard = Callable[[], bool]
_LONGEST = 30.0


@dataclass(frozen=True)
class Resilient:
    """`model`, retried while its errors are passing ones; then `fallback`, whose name the reply bears.

    Nothing is retried once the person has heard a piece: they would hear it twice.
    """

    model: Model
    fallback: Model | None = None
    attempts: int = 4
    wait: float = 0.5

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def facts(self) -> Facts:
        return self.model.facts

    async def reply(self, request: Request, hear: Hear | None = None) -> Reply:
        heard = False

        def listen(text: str, kind: Kind) -> None:
            nonlocal heard
            heard = True
            if hear:
                hear(text, kind)

        try:
            return await self._tried(request, listen if hear else None, lambda: heard)
        except ModelError as error:
            if self.fallback is None or heard or not error.transient:
                raise
        return await self.fallback.reply(request, hear)

    async def warm(self, messages: Sequence[Message]) -> None:
        await self.model.warm(messages)

    async def close(self) -> None:
        await self.model.close()
        if self.fallback:
            await self.fallback.close()

    async def _tried(self, request: Request, hear: Hear | None, heard: Heard) -> Reply:
        import stamina

        def again(error: Exception) -> bool | float:
            if heard() or not isinstance(error, ModelError) or not error.transient:
                return False
            asked = getattr(error.__cause__, "retry_after", None)
            return min(float(asked), _LONGEST) if isinstance(asked, int | float) else True

        attempts = stamina.retry_context(
            on=again, attempts=self.attempts, timeout=None, wait_initial=self.wait, wait_jitter=self.wait, wait_max=8.0
        )
        async for attempt in attempts:
            with attempt:
                return await self.model.reply(request, hear)
        raise AssertionError("stamina returns or raises")

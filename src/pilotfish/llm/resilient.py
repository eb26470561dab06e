"""A model with retries: it retries with backoff, then uses the fallback model and says so."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pilotfish.core.errors import ModelError
from pilotfish.core.messages import Message, ModelFacts, ModelReply, ModelRequest
from pilotfish.llm.base import Model, TextKind, TextListener

HasStreamed = Callable[[], bool]
_LONGEST_WAIT = 30.0


@dataclass(frozen=True)
class ResilientModel:
    """`model`, retried while its errors are temporary; then `fallback`, whose name is in the reply.

    Nothing is retried after the first piece was streamed: the person would see it twice.
    """

    model: Model
    fallback: Model | None = None
    attempts: int = 4
    wait: float = 0.5

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def facts(self) -> ModelFacts:
        return self.model.facts

    async def reply(self, request: ModelRequest, on_text: TextListener | None = None) -> ModelReply:
        streamed = False

        def listen(text: str, kind: TextKind) -> None:
            nonlocal streamed
            streamed = True
            if on_text:
                on_text(text, kind)

        try:
            return await self._reply_with_retries(request, listen if on_text else None, lambda: streamed)
        except ModelError as error:
            if self.fallback is None or streamed or not error.transient:
                raise
        return await self.fallback.reply(request, on_text)

    async def warm(self, messages: Sequence[Message]) -> None:
        await self.model.warm(messages)

    async def close(self) -> None:
        await self.model.close()
        if self.fallback:
            await self.fallback.close()

    async def _reply_with_retries(
        self, request: ModelRequest, on_text: TextListener | None, streamed: HasStreamed
    ) -> ModelReply:
        import stamina

        def is_worth_retrying(error: Exception) -> bool | float:
            if streamed() or not isinstance(error, ModelError) or not error.transient:
                return False
            asked = getattr(error.__cause__, "retry_after", None)
            return min(float(asked), _LONGEST_WAIT) if isinstance(asked, int | float) else True

        attempts = stamina.retry_context(
            on=is_worth_retrying,
            attempts=self.attempts,
            timeout=None,
            wait_initial=self.wait,
            wait_jitter=self.wait,
            wait_max=8.0,
        )
        async for attempt in attempts:
            with attempt:
                return await self.model.reply(request, on_text)
        raise AssertionError("stamina returns or raises")

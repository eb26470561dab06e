"""The last door before a model: nothing passes that its window does not hold, retries and repairs included."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic_core import to_json

from pilotfish.core.errors import TooLong
from pilotfish.core.messages import Facts, Message, Reply, Request
from pilotfish.runtime.window.context import fit, room, tokens, total

if TYPE_CHECKING:
    from pilotfish.llm.base import Hear, Model

SHARES = (1.0, 0.6, 0.35)
"""How much of the room is used, should the model say that it was too much."""
STRIDES = 5
ENOUGH = 400
LARGEST = 4.0


class Gauge:
    """How models count beside how we estimate, learnt from what they report: 1.2 means a fifth more."""

    def __init__(self) -> None:
        self._ratios: dict[str, float] = {}

    def ratio(self, model: str) -> float:
        return self._ratios.get(model, 1.0)

    def learn(self, model: str, estimated: int, reported: int) -> None:
        """A model that counts more is believed at once, one that counts less little by little."""
        if estimated >= ENOUGH:
            fresh = min(LARGEST, max(1.0, reported / estimated))
            self._ratios[model] = max(fresh, 0.9 * self.ratio(model))


@dataclass(frozen=True)
class Fitted:
    """A model that is never given more than it can hold. `keep` is the task, which always stays."""

    model: "Model"
    gauge: Gauge
    keep: str = ""

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def facts(self) -> Facts:
        return self.model.facts

    def fitted(self, request: Request, share: float = 1.0) -> Request:
        """The request with as much of its conversation as the window holds beside tools, shape and answer."""
        limit = int(room(self.facts, request.max_tokens) * share / self.gauge.ratio(self.name)) - extras(request)
        stride = limit // STRIDES if self.facts.caches else 0
        messages = fit(request.messages, limit, keep=self.keep, stride=max(0, stride))
        return request.model_copy(update={"messages": messages})

    def measure(self, request: Request) -> int:
        """About how many tokens the request has as it goes out."""
        return int((total(request.messages) + extras(request)) * self.gauge.ratio(self.name))

    async def reply(self, request: Request, hear: "Hear | None" = None) -> Reply:
        for share in SHARES:
            sent = self.fitted(request, share)
            try:
                reply = await self.model.reply(sent, hear)
            except TooLong:
                if share == SHARES[-1]:
                    raise
                continue
            if not reply.usage.estimated:
                self.gauge.learn(self.name, total(sent.messages) + extras(sent), reply.usage.input)
            return reply
        raise AssertionError("the last share returns or raises")

    async def warm(self, messages: Sequence[Message]) -> None:
        await self.model.warm(messages)

    async def close(self) -> None:
        await self.model.close()


def extras(request: Request) -> int:
    """What tools and the wanted shape take of the window."""
    tools = sum(tokens(spec.model_dump_json()) + 8 for spec in request.tools)
    return tools + (tokens(to_json(request.shape).decode()) + 80 if request.shape else 0)

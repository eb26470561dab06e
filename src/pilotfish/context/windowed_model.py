"""Wraps a model so that no request exceeds its window, retries and repairs included."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic_core import to_json

from pilotfish.context.fitting import fit_messages, request_room, token_estimate, total_tokens
from pilotfish.core.errors import RequestTooLong
from pilotfish.core.messages import Message, ModelFacts, ModelReply, ModelRequest

if TYPE_CHECKING:
    from pilotfish.llm.base import Model, TextListener

SHARES = (1.0, 0.6, 0.35)
"""The share of the window that is used after the model refused a request as too long."""
STRIDES = 5
"""Messages are left out in steps of a fifth of the window, so that the prefix cache is used in between."""
ENOUGH_TOKENS = 400
LARGEST_RATIO = 4.0


class TokenRatios:
    """The ratio of a model's token count to the estimate, learnt from its reports: 1.2 means a fifth more."""

    def __init__(self) -> None:
        self._ratios: dict[str, float] = {}

    def ratio(self, model: str) -> float:
        return self._ratios.get(model, 1.0)

    def learn(self, model: str, estimated: int, reported: int) -> None:
        """Learn from a report: a higher ratio is taken at once, a lower one gradually."""
        if estimated >= ENOUGH_TOKENS:
            fresh = min(LARGEST_RATIO, max(1.0, reported / estimated))
            self._ratios[model] = max(fresh, 0.9 * self.ratio(model))


@dataclass(frozen=True)
class WindowedModel:
    """A model whose requests always fit its window. `keep` is the task, which always stays."""

    model: "Model"
    token_ratios: TokenRatios
    keep: str = ""

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def facts(self) -> ModelFacts:
        return self.model.facts

    def fit_request(self, request: ModelRequest, share: float = 1.0) -> ModelRequest:
        """The request with as much of its conversation as fits beside tools, schema and answer."""
        limit = int(
            request_room(self.facts, request.max_tokens) * share / self.token_ratios.ratio(self.name)
        ) - extra_tokens(request)
        stride = limit // STRIDES if self.facts.caches else 0
        messages = fit_messages(request.messages, limit, keep=self.keep, stride=max(0, stride))
        return request.model_copy(update={"messages": messages})

    def measure(self, request: ModelRequest) -> int:
        """The estimated tokens of a request."""
        return int((total_tokens(request.messages) + extra_tokens(request)) * self.token_ratios.ratio(self.name))

    async def reply(self, request: ModelRequest, on_text: "TextListener | None" = None) -> ModelReply:
        for share in SHARES:
            sent = self.fit_request(request, share)
            try:
                reply = await self.model.reply(sent, on_text)
            except RequestTooLong:
                if share == SHARES[-1]:
                    raise
                continue
            if not reply.usage.estimated:
                self.token_ratios.learn(self.name, total_tokens(sent.messages) + extra_tokens(sent), reply.usage.input)
            return reply
        raise AssertionError("the last share returns or raises")

    async def warm(self, messages: Sequence[Message]) -> None:
        await self.model.warm(messages)

    async def close(self) -> None:
        await self.model.close()


def extra_tokens(request: ModelRequest) -> int:
    """The tokens of the tools and the schema."""
    tools = sum(token_estimate(spec.model_dump_json()) + 8 for spec in request.tools)
    return tools + (token_estimate(to_json(request.shape).decode()) + 80 if request.shape else 0)

"""Shortens a long result: a summary by the light model, or the passages that fit the task best."""

import asyncio
from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

from pydantic import BaseModel, Field

from pilotfish.context.fitting import shorten_text
from pilotfish.core.errors import ModelError
from pilotfish.core.messages import Message, ModelFacts, ModelTier
from pilotfish.safety.untrusted_text import UntrustedText

Shape = TypeVar("Shape", bound=BaseModel)

LONG_RESULT = 1000
"""Results with more tokens than this are shortened."""
SUMMARY_TOKENS, POINT_TOKENS = 320, 30
"""Tokens of a summary, and of each of its key points: together at most 500."""
PASSAGE_WORDS = 240


class ResultSummary(BaseModel):
    """The summary of a long result."""

    summary: str
    points: list[str] = Field(default_factory=list[str], max_length=6)


class SummarizingRun(Protocol):
    """What a summary needs of a run: its task, its prompts and its models."""

    @property
    def task(self) -> str: ...

    @property
    def untrusted(self) -> UntrustedText: ...

    async def facts(self, tier: ModelTier = "main") -> ModelFacts: ...

    def prompt(self, name: str, **values: Any) -> str: ...

    async def decide(
        self, shape: type[Shape], messages: Sequence[Message], *, purpose: str, tier: ModelTier = "main"
    ) -> Shape: ...


async def summarize_result(run: SummarizingRun, text: str) -> str:
    """At most 500 tokens of a result. Passages are used if the model is small or not available."""
    if (await run.facts("light")).small:
        return await best_passages(run.task, text)
    prompt = run.prompt("summary", task=run.task, text=run.untrusted.wrap(text, "tool"))
    try:
        said = await run.decide(ResultSummary, [Message(role="user", text=prompt)], purpose="summarize", tier="light")
    except ModelError:
        return await best_passages(run.task, text)
    return "\n".join(
        [
            shorten_text(said.summary, SUMMARY_TOKENS),
            *(f"- {shorten_text(point, POINT_TOKENS)}" for point in said.points),
        ]
    )


async def best_passages(query: str, text: str) -> str:
    from pilotfish.web import rank

    return shorten_text(await asyncio.to_thread(rank.pick_excerpt, query, text, PASSAGE_WORDS), LONG_RESULT // 2)

"""A long result in short: by the light model with its key points, or its passages that fit the task best."""

import asyncio
from typing import TYPE_CHECKING

from pydantic import BaseModel, Field

from pilotfish.core.errors import ModelError
from pilotfish.core.messages import Message
from pilotfish.runtime.window.context import shorten

if TYPE_CHECKING:
    from pilotfish.runtime.run import Run

LONG = 1000
"""From how many tokens on a result is made short."""
SHORT, POINT = 320, 30
"""Tokens of a summary, and of each of its key points: together at most 500."""
WORDS = 240
"""Words of the passages that are taken where no model makes the summary."""


class Gist(BaseModel):
    """A long result in short."""

    summary: str
    points: list[str] = Field(default_factory=list[str], max_length=6)


async def gist(run: "Run", text: str) -> str:
    """At most 500 tokens of a result. A model that is small, or cannot be had, leaves it to the passages."""
    if (await run.facts("light")).small:
        return await excerpt(run.task, text)
    prompt = run.prompt("gist", task=run.task, text=run.fence.wrap(text, "tool"))
    try:
        said = await run.decide(Gist, [Message(role="user", text=prompt)], purpose="gist", tier="light")
    except ModelError:
        return await excerpt(run.task, text)
    return "\n".join([shorten(said.summary, SHORT), *(f"- {shorten(point, POINT)}" for point in said.points)])


async def excerpt(query: str, text: str) -> str:
    from pilotfish.web import rank

    return shorten(await asyncio.to_thread(rank.excerpt, query, text, WORDS), LONG // 2)

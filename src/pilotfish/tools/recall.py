"""Keeps the full text of results that were shortened for the conversation, and the tool that reads them."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, Field

from pilotfish.core.errors import ModelError, ToolError
from pilotfish.core.prompts import render
from pilotfish.safety.untrusted_text import UntrustedText
from pilotfish.tools.base import ToolContext, ToolResult, tool
from pilotfish.web.rank import pick_excerpt

if TYPE_CHECKING:
    from pilotfish.store.base import Store

KIND = "results"
KEPT_AFTER_RUN = 300.0
PART_LENGTH = 12_000
EXCERPT_WORDS = 1500


class ResultStore:
    """Keeps long results under an id while the run goes on and for five minutes after its end."""

    def __init__(self, store: "Store") -> None:
        self.store = store

    async def keep(self, run: str, id: str, text: str) -> None:
        await self.store.put(KIND, f"{run}:{id}", text.encode())

    async def get(self, run: str, id: str) -> str:
        found = await self.store.get(KIND, f"{run}:{id}")
        if found is None:
            known = [key.partition(":")[2] for key in await self.store.entries(KIND, f"{run}:")]
            fix = f"There are: {', '.join(known)}." if known else "No result was kept in this run."
            raise ToolError(f"There is no kept result {id!r}.", fix)
        return found.decode()

    async def release(self, run: str) -> None:
        """Let the results of a finished run expire soon."""
        for key, value in (await self.store.entries(KIND, f"{run}:")).items():
            await self.store.put(KIND, key, value, ttl=KEPT_AFTER_RUN)


class FocusedText(BaseModel):
    found: str = Field(max_length=4000)


@tool(group="recall", timeout=180)
async def recall_details(
    ctx: ToolContext,
    result_id: Annotated[str, Field(description="as shown with the shortened result")],
    focus: Annotated[str, Field(description="what to look for in it; empty: all of it")] = "",
    part: Annotated[int, Field(ge=1, description="which part of a long result, without a focus")] = 1,
) -> ToolResult:
    """Get the whole of an earlier result that was shortened, or what it says about one thing."""
    text = await ctx.use(ResultStore).get(ctx.run, result_id)
    if not focus:
        parts = max(1, -(-len(text) // PART_LENGTH))
        if part > parts:
            raise ToolError(f"{result_id} has {parts} part{'s' * (parts != 1)}.", "Ask for one of them.")
        more = f"\n[part {part} of {parts}; ask with another part or with a focus]" if parts > 1 else ""
        return ToolResult(
            output=text[(part - 1) * PART_LENGTH : part * PART_LENGTH] + more, text=f"recalled {result_id}"
        )
    excerpt = await asyncio.to_thread(pick_excerpt, focus, text, EXCERPT_WORDS)
    values = {"focus": focus, "text": UntrustedText(ctx.conversation).wrap(excerpt, "tool")}
    try:
        found = (await ctx.think(render(Path(__file__).parent / "prompts", "recall", values), FocusedText)).found
    except ModelError:
        found = excerpt
    return ToolResult(output=found, text=f"recalled {result_id} about {focus}")

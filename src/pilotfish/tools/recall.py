"""Results that were too long for the conversation, kept whole for a while."""

import asyncio
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, Field

from pilotfish.core.errors import ModelError, ToolError
from pilotfish.core.prompts import render
from pilotfish.tools.base import Context, Result, tool
from pilotfish.web.rank import excerpt

if TYPE_CHECKING:
    from pilotfish.store.base import Store

KIND = "results"
AFTER = 300.0
MOST = 12_000
WORDS = 1500


class Results:
    """Keeps long results under an id; durable while the run goes on, and five minutes past its end."""

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
        """The run is over: what it kept goes soon."""
        for key, value in (await self.store.entries(KIND, f"{run}:")).items():
            await self.store.put(KIND, key, value, ttl=AFTER)


class Focused(BaseModel):
    found: str = Field(max_length=4000)


@tool(group="recall", timeout=180)
async def recall_details(
    ctx: Context,
    result_id: Annotated[str, Field(description="as shown with the shortened result")],
    focus: Annotated[str, Field(description="what to look for in it; empty: all of it")] = "",
) -> Result:
    """Get the whole of an earlier result that was shortened, or what it says about one thing."""
    text = await ctx.use(Results).get(ctx.run, result_id)
    if not focus:
        more = f"\n[cut: {len(text) - MOST:,} more characters; ask with a focus]" if len(text) > MOST else ""
        return Result(output=text[:MOST] + more, text=f"recalled {result_id}")
    part = await asyncio.to_thread(excerpt, focus, text, WORDS)
    mark = secrets.token_hex(4)
    values = {"focus": focus, "mark": mark, "text": part.replace(mark, "")}
    try:
        found = (await ctx.think(render(Path(__file__).parent / "prompts", "focus", values), Focused)).found
    except ModelError:
        found = part
    return Result(output=found, text=f"recalled {result_id} about {focus}")

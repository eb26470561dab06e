"""Remembering what matters about a person, and recalling it."""

from typing import Annotated

from pydantic import Field

from pilotfish.core.facts import Category
from pilotfish.memory.memory import Memory
from pilotfish.memory.settle import Draft
from pilotfish.tools.base import Context, Result, tool


@tool(group="memory")
async def memory_retrieve(
    ctx: Context,
    search_terms: Annotated[tuple[str, ...], Field(description="words to look for; none: what matters most")] = (),
    categories: Annotated[tuple[Category, ...], Field(description="only these kinds of facts")] = (),
) -> Result:
    """Recall what is known about the person: profile, preferences, technical facts, projects, and what they said."""
    memory = ctx.use(Memory)
    facts = await memory.retrieve(ctx.user, search_terms, categories)
    said = await memory.search(ctx.user, " ".join(search_terms), 3) if search_terms else []
    lines = [f"- {one.fact.content} ({one.fact.category}, {one.fact.created:%Y-%m-%d})" for one in facts]
    lines += [f"- on {one.message.at:%Y-%m-%d} {one.message.role} said: {one.message.text[:300]}" for one in said]
    text = f"recalled {len(facts)} facts and {len(said)} earlier messages"
    data = {"facts": [one.fact.model_dump(mode="json") for one in facts], "messages": len(said)}
    return Result(output="\n".join(lines) or "Nothing is remembered about this.", text=text, data=data)


@tool(group="memory", effect=True)
async def memory_save(ctx: Context, facts: Annotated[tuple[Draft, ...], Field(min_length=1, max_length=8)]) -> Result:
    """Remember lasting facts that the person told about themselves. Never passwords, passing things or page content."""
    done = await ctx.use(Memory).save(ctx.user, facts, ctx.conversation)
    lines = [f"saved: {fact.content}" for fact in done.saved]
    lines += [f"already known: {fact.content}" for fact in done.merged]
    lines += [f"no longer true: {fact.content}" for fact in done.replaced]
    lines += [f"made room: {fact.content}" for fact in done.evicted]
    lines += [f"not saved ({no.reason}): {no.content}" for no in done.refused]
    text = f"saved {len(done.saved)} facts" + (f", {len(done.evicted)} made room" if done.evicted else "")
    return Result(ok=bool(done.saved or done.merged), output="\n".join(lines), error="\n".join(lines), text=text)

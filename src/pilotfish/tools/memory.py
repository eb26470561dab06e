"""Remembering what matters about a person, and recalling it."""

from typing import Annotated

from pydantic import Field

from pilotfish.core.errors import ToolError
from pilotfish.core.facts import Category
from pilotfish.memory.memory import Memory
from pilotfish.memory.settle import Draft
from pilotfish.memory.talk import Found
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
    said = await memory.search(ctx.user, " ".join(search_terms), 4) if search_terms else []
    said = [one for one in said if one.message.conversation != ctx.conversation][:3]
    lines = [f"- {one.fact.content} ({one.fact.category}, {one.fact.created:%Y-%m-%d})" for one in facts]
    lines += [earlier(one) for one in said]
    data = {
        "facts": [one.fact.model_dump(mode="json") for one in facts],
        "messages": [one.message.model_dump(mode="json") for one in said],
    }
    known = "; ".join(one.fact.content for one in facts)
    text = f"recalled {counted(len(facts), 'fact')}" + (f": {known}" if known else "")
    text += f", and {counted(len(said), 'earlier message')}" if said else ""
    return Result(output="\n".join(lines) or "Nothing is remembered about this.", text=text, data=data)


def earlier(found: Found) -> str:
    """What was once said, with what it replied to."""
    before = "".join(f" (after {one.role}: {one.text[:120]})" for one in found.before)
    return f"- on {found.message.at:%Y-%m-%d} the {found.message.role} said: {found.message.text[:300]}{before}"


def counted(number: int, name: str) -> str:
    return f"{number} {name}{'s' * (number != 1)}"


@tool(group="memory", effect=True)
async def memory_save(ctx: Context, facts: Annotated[tuple[Draft, ...], Field(min_length=1, max_length=8)]) -> Result:
    """Remember lasting facts that the person told about themselves. Never passwords, passing things or page content."""
    done = await ctx.use(Memory).save(ctx.user, facts, ctx.conversation)
    told = "\n".join(done.lines())
    if not done.saved and not done.merged:
        raise ToolError(told)
    return Result(output=told, text="; ".join(done.lines()), data=done.model_dump(mode="json"))

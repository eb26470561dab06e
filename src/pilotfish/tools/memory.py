"""Tools that save and recall facts about the person."""

from typing import Annotated

from pydantic import Field

from pilotfish.core.errors import ToolError
from pilotfish.core.facts import FactCategory
from pilotfish.memory.fact_merging import FactDraft
from pilotfish.memory.memory import UserMemory
from pilotfish.memory.message_search import FoundMessage
from pilotfish.tools.base import ToolContext, ToolResult, tool


@tool(group="memory")
async def memory_retrieve(
    ctx: ToolContext,
    search_terms: Annotated[tuple[str, ...], Field(description="words to look for; none: what matters most")] = (),
    categories: Annotated[tuple[FactCategory, ...], Field(description="only these kinds of facts")] = (),
) -> ToolResult:
    """Recall what is known about the person: profile, preferences, technical facts, projects, and what they said."""
    memory = ctx.use(UserMemory)
    facts = await memory.retrieve(ctx.user, search_terms, categories, limit=8 if search_terms else 30)
    said = await memory.search(ctx.user, " ".join(search_terms), 4) if search_terms else []
    said = [one for one in said if one.message.conversation != ctx.conversation][:3]
    lines = [f"- {one.fact.content} ({one.fact.category}, {one.fact.created:%Y-%m-%d})" for one in facts]
    lines += [describe_earlier(one) for one in said]
    data = {
        "facts": [one.fact.model_dump(mode="json") for one in facts],
        "messages": [one.message.model_dump(mode="json") for one in said],
    }
    known = "; ".join(one.fact.content for one in facts)
    text = f"recalled {count_phrase(len(facts), 'fact')}" + (f": {known}" if known else "")
    text += f", and {count_phrase(len(said), 'earlier message')}" if said else ""
    return ToolResult(output="\n".join(lines) or "Nothing is remembered about this.", text=text, data=data)


def describe_earlier(found: FoundMessage) -> str:
    """A former message, with the one before it."""
    before = "".join(f" (after {one.role}: {one.text[:120]})" for one in found.before)
    return f"- on {found.message.at:%Y-%m-%d} the {found.message.role} said: {found.message.text[:300]}{before}"


def count_phrase(number: int, name: str) -> str:
    return f"{number} {name}{'s' * (number != 1)}"


@tool(group="memory", effect=True)
async def memory_save(
    ctx: ToolContext, facts: Annotated[tuple[FactDraft, ...], Field(min_length=1, max_length=8)]
) -> ToolResult:
    """Remember lasting facts that the person told about themselves. Never passwords, passing things or page content."""
    done = await ctx.use(UserMemory).save(ctx.user, facts, ctx.conversation)
    lines = "\n".join(done.lines())
    if not done.saved and not done.merged:
        raise ToolError(lines)
    return ToolResult(output=lines, text="; ".join(done.lines()), data=done.model_dump(mode="json"))

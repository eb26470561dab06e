"""Asking the person."""

from pilotfish.tools.base import Context, Result, tool


@tool(group="talk", timeout=86_400)
async def request_input(ctx: Context, question: str, choices: tuple[str, ...] = ()) -> Result:
    """Pause and ask the person a question that only they can answer. Offer choices where there are few."""
    answer = await ctx.person(question, choices)
    if answer is None:
        return Result(ok=False, error="Nobody answered in time.", data={"timeout": True})
    return Result(output=answer, data={"answer": answer}, text=f"the person answered: {answer[:80]}")

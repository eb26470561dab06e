"""The tool that asks the person a question."""

from pilotfish.tools.base import ToolContext, ToolResult, tool


@tool(group="talk", timeout=86_400)
async def request_input(ctx: ToolContext, question: str, choices: tuple[str, ...] = ()) -> ToolResult:
    """Pause and ask the person a question that only they can answer. Offer choices where there are few."""
    answer = await ctx.person(question, choices)
    if answer is None:
        return ToolResult(ok=False, error="Nobody answered in time.", data={"timeout": True})
    return ToolResult(output=answer, data={"answer": answer}, text=f"the person answered: {answer[:80]}")

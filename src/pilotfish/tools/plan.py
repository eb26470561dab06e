"""Tools that plan the next steps and report that the task is done."""

from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field

from pilotfish.core.errors import ToolError
from pilotfish.core.prompts import render
from pilotfish.safety.untrusted_text import UntrustedText
from pilotfish.tools.base import ToolContext, ToolResult, tool

MOST_STEPS = 5
EARLIER_MESSAGES = 4


class Step(BaseModel):
    """One step of a plan: words, why, and what the page shows before and after it."""

    action: str = Field(max_length=200)
    reasoning: str = Field(default="", max_length=160)
    before: str = Field(default="", max_length=80)
    after: str = Field(default="", max_length=80)


class StepPlan(BaseModel):
    steps: list[Step] = Field(max_length=MOST_STEPS)


@tool(group="plan", timeout=300)
async def planner(
    ctx: ToolContext,
    task: str,
    max_steps: Annotated[int, Field(description=f"how many steps to plan, at most {MOST_STEPS}")] = 3,
) -> ToolResult:
    """Plan the next few steps of a task on the page that is open."""
    count = min(MOST_STEPS, max(1, max_steps))
    view = await (await (await ctx.browser()).tab()).look()
    untrusted = UntrustedText(ctx.conversation)
    earlier = untrusted.recount(ctx.messages[-1 - EARLIER_MESSAGES : -1])
    values = {
        "count": count,
        "task": task,
        "earlier": f"\nEarlier in this conversation:\n{earlier}\n" if earlier else "",
        "page": untrusted.wrap(view.render()),
    }
    plan = await ctx.think(render(Path(__file__).parent / "prompts", "planner", values), StepPlan, tier="main")
    steps = [step for step in plan.steps if step.action.strip()][:count]
    if not steps:
        raise ToolError("The plan came out empty.", "Look at the page and act step by step.")
    output = StepPlan(steps=steps).model_dump_json(exclude_defaults=True)
    data = {"steps": [step.model_dump() for step in steps]}
    return ToolResult(output=output, data=data, text=f"Planned {len(steps)} steps" if steps[1:] else "Planned one step")


@tool(group="plan")
async def done(ctx: ToolContext, summary: str = "") -> ToolResult:
    """Say that the whole task is finished, with what was achieved and how the page shows it."""
    return ToolResult(output=summary or "Finished.", data={"summary": summary}, text="finished")

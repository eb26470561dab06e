"""Planning a few steps ahead, and saying that the task is done."""

from pathlib import Path

from pydantic import BaseModel, Field

from pilotfish.core.errors import ToolError
from pilotfish.core.prompts import render
from pilotfish.tools.base import Context, Result, tool


class Step(BaseModel):
    """One step of a plan. `expect` is a word or phrase that the page will show once the step is done."""

    action: str = Field(max_length=200)
    reasoning: str = Field(default="", max_length=200)
    expect: str = Field(default="", max_length=80)


class Plan(BaseModel):
    steps: list[Step] = Field(max_length=5)


@tool(group="plan", timeout=300)
async def planner(ctx: Context, task: str, max_steps: int = 3) -> Result:
    """Plan the next 3 to 5 steps of a task on the page that is open."""
    count = min(5, max(1, max_steps))
    view = await (await (await ctx.browser()).tab()).look()
    done = "\n".join(f"- {m.text[:200]}" for m in ctx.messages[-6:]) or "nothing"
    values = {"count": count, "task": task, "done": done, "page": view.render()}
    prompt = render(Path(__file__).parent / "prompts", "planner", values)
    plan = await ctx.think(prompt, Plan, tier="main")
    if not plan.steps:
        raise ToolError("The plan came out empty.", "Look at the page and act step by step.")
    steps = plan.steps[:count]
    data = {"steps": [step.model_dump() for step in steps]}
    return Result(output=Plan(steps=steps).model_dump_json(), data=data, text=f"planned {len(steps)} steps")


@tool(group="plan")
async def done(ctx: Context, summary: str) -> Result:
    """Say that the whole task is finished, with what was achieved and how the page shows it."""
    return Result(output=summary, data={"summary": summary}, text="finished")

"""A run that does nothing but call tools, and what came of the calls."""

from typing import Any

from pilotfish import Pilotfish, loop
from pilotfish.core.events import ToolFinished
from pilotfish.core.messages import ToolCall
from pilotfish.runtime.run import Run
from scripted_app import events_of


@loop("use-tools")
async def use(run: Run) -> None:
    for id, text in run.options.get("kept", {}).items():
        await run.results.keep(run.id, id, text)
    for number, (tool, args) in enumerate(run.options["calls"]):
        await run.act(ToolCall(id=str(number), tool=tool, args=args))
    await run.finish("used")


async def run_tools(
    fish: Pilotfish, *calls: tuple[str, dict[str, Any]], task: str = "do it", **how: Any
) -> list[ToolFinished]:
    story = await events_of(fish, task, loop="use-tools", calls=[list(call) for call in calls], **how)
    return [event for event in story if isinstance(event, ToolFinished)]

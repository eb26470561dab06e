"""A run that does nothing but call tools, and what came of the calls."""

from typing import Any

from fish import told
from pilotfish import Pilotfish, loop
from pilotfish.core.events import ToolFinished
from pilotfish.core.messages import Call
from pilotfish.runtime.run import Run


@loop("use-tools")
async def use(run: Run) -> None:
    for id, text in run.options.get("kept", {}).items():
        await run.results.keep(run.id, id, text)
    for number, (tool, args) in enumerate(run.options["calls"]):
        await run.act(Call(id=str(number), tool=tool, args=args))
    await run.finish("used")


async def used(
    fish: Pilotfish, *calls: tuple[str, dict[str, Any]], task: str = "do it", **how: Any
) -> list[ToolFinished]:
    story = await told(fish, task, loop="use-tools", calls=[list(call) for call in calls], **how)
    return [event for event in story if isinstance(event, ToolFinished)]

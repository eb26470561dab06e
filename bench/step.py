"""What the runtime itself costs: a scripted model and a tool that does nothing, on SQLite with durability on.

python bench/step.py [STEPS] [RUNS]
"""

import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from pilotfish import Pilotfish, loop, tool
from pilotfish.core.events import StreamItem, TextDelta
from pilotfish.core.messages import ModelReply, ToolCall
from pilotfish.core.settings import Settings
from pilotfish.llm.scripted import ScriptedModel
from pilotfish.runtime.run import Run
from pilotfish.tools.base import ToolContext


@tool()
async def nothing(ctx: ToolContext) -> str:
    """Do nothing."""
    return "done"


@loop("bench")
async def bench(run: Run) -> None:
    """Ask and act, as often as the options say."""
    for _ in range(run.options["count"]):
        reply = await run.ask(run.messages, purpose="think")
        await run.act(*reply.calls)
    await run.finish("done")


async def main(steps: int, runs: int) -> None:
    with tempfile.TemporaryDirectory() as home:
        async with Pilotfish(Settings(home=Path(home))) as fish:
            line = ModelReply(text="go", calls=(ToolCall(id="1", tool="nothing"),))
            fish.models.set_default("scripted", ScriptedModel([line] * (steps * 8 + runs * 5)))
            took: list[float] = []
            for _ in range(6):
                began = time.perf_counter()
                await _story(fish, count=steps)
                took.append((time.perf_counter() - began) / steps * 1000)
            print(f"a step (model call + tool call): {statistics.median(took[1:]):.1f} ms, best {min(took):.1f} ms")
            began = time.perf_counter()
            stories = await asyncio.gather(*(_story(fish, count=2) for _ in range(runs)))
            seconds = time.perf_counter() - began
            whole = sum(_whole(story) for story in stories)
            print(f"{runs} runs at once: {whole} whole, none lost or doubled, {seconds:.1f} s")
            if whole != runs:
                sys.exit("some runs were not whole")


async def _story(fish: Pilotfish, **options: Any) -> list[StreamItem]:
    return [event async for event in fish.run("go", loop="bench", **options)]


def _whole(story: list[StreamItem]) -> bool:
    numbers = [event.seq for event in story if not isinstance(event, TextDelta)]
    return numbers == list(range(1, len(numbers) + 1)) and story[-1].type == "run_finished"


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]]
    asyncio.run(main(*given) if len(given) == 2 else main(20, 200))

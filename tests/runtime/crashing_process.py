"""A life with a browser open that ends, if told to, by SIGKILL while a question is pending.

    python crashing_process.py HOME URL kill|live

The second life takes the run over, answers the question and prints the end.
"""

import asyncio
import os
import signal
import sys
from pathlib import Path

from pilotfish import Pilotfish, loop
from pilotfish.core.messages import ToolCall
from pilotfish.core.settings import Settings
from pilotfish.runtime.run import Run


@loop("crash")
async def crash(run: Run) -> None:
    """Go somewhere, ask, and tell where the browser is afterwards."""
    await run.observe()
    url = run.options["tabs"][0]
    await run.act(ToolCall(id="go", tool="navigate", args={"url": f"{url}/inside"}))
    before = await run.observe()
    answer = await run.request_input("Go on?", ["yes", "no"], timeout=60)
    after = await run.observe()
    await run.finish(f"{answer}\n{before.url}\n{before.text}\n---\n{after.url}\n{after.text}")


async def main(home: str, url: str, ending: str) -> None:
    async with Pilotfish(Settings(home=Path(home))) as fish:
        known = await fish.runs()
        run = (known[0] if known else await fish.start("look around", loop="crash", tabs=[url])).id
        async with asyncio.timeout(60):
            async for event in fish.follow(run):
                if event.type == "input_requested" and ending == "kill":
                    os.kill(os.getpid(), signal.SIGKILL)
                if event.type == "input_requested":
                    await fish.command(run, "answer", request=event.request, text="yes")
                if event.type == "run_finished":
                    print(event.outcome, event.text, event.error, sep="\n")


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))

"""A worker process for tests: a loop whose every step has an effect that a site counts, and that takes its time."""

import asyncio
import sys
import urllib.request
from pathlib import Path

from pilotfish.app import loop, tool
from pilotfish.core.events import TextDelta
from pilotfish.core.messages import ToolCall
from pilotfish.core.settings import ModelSettings, Settings
from pilotfish.interfaces.worker import run_worker
from pilotfish.runtime.run import Run
from pilotfish.tools.base import ToolContext

STEPS = 4
PIECES = 100
site = ""


@tool(effect=True)
async def strike(ctx: ToolContext, number: int) -> str:
    """Change the world once."""
    address = f"{site}/{ctx.run}/{number}"
    await asyncio.to_thread(lambda: urllib.request.urlopen(address, data=b"", timeout=10).read())
    await asyncio.sleep(0.3)
    return f"struck {number}"


@loop("labour")
async def labour(run: Run) -> None:
    """Strike some times."""
    for number in range(STEPS):
        await run.act(ToolCall(id=str(number), tool="strike", args={"number": number}))
    await run.finish("done")


@loop("idle")
async def idle(run: Run) -> None:
    """Wait for somebody."""
    await run.finish(f"{await run.request_input('Anybody?')}")


@loop("test-speech")
async def speech(run: Run) -> None:
    """Say a long thing in many pieces, once somebody listens, and wait until it was heard."""
    await run.request_input("Ready?")
    for number in range(PIECES):
        run.context.journal.send_delta(TextDelta(run=run.id, call="1", text=f"{number} \ud83d\x00{'é' * 100}|"))
    await run.request_input("Heard?")
    await run.finish("Said.")


@loop("sleep-long")
async def long(run: Run) -> None:
    """Do one thing that takes longer than anybody waits."""

    async def sleep() -> dict[str, str]:
        await asyncio.sleep(60)
        return {}

    await run.step("sleep", sleep)
    await run.finish("done")


@loop("test-look")
async def look(run: Run) -> None:
    """Open the page, wait for somebody, then say what the page is called."""
    await run.browser.tab(run.options["page"])
    await run.browser.save()
    await run.request_input("Seen?")
    tab = await (await run.browser.session()).tab()
    await run.finish(await tab.title())


if __name__ == "__main__":
    home, database, site = sys.argv[1:]
    settings = Settings(home=Path(home), database=database, models=ModelSettings(main="scripted"))
    asyncio.run(run_worker(settings, runs=3, ready=lambda line: print(line, flush=True)))

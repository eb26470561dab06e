"""A schedule's run whose process ends, if told to, by SIGKILL while it is at work.

    python crashing_fire.py HOME kill|live

The second process takes the run over and prints the history.
"""

import asyncio
import os
import signal
import sys
from pathlib import Path

from pilotfish.app import loop
from pilotfish.runtime.run import Run
from turned_clock import TurnedClock, open_at, wait_for_fires


@loop("fire-once")
async def fire_once(run: Run) -> None:
    """Begin a step, and end the process in it if told to."""

    async def work() -> dict[str, bool]:
        if sys.argv[2] == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        return {}

    await run.step("work", work)
    await run.finish("Fine.")


async def main(home: Path, end: str) -> None:
    clock = TurnedClock("2026-11-18 07:30" if end == "kill" else "2026-11-18 08:00:30")
    async with open_at(home, clock) as fish:
        if end == "kill":
            await fish.schedule("Read", "every day at 8", zone="UTC", name="news", options={"loop": "fire-once"})
            clock.turn("2026-11-18 08:00")
        for fire in await wait_for_fires(fish, "news", 1):
            print(fire.due.isoformat(), fire.state, fire.outcome, fire.text)
        print(len(await fish.runs()), "run")


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2]))

"""How long a question waits before the model is asked, when its tab was turned to before: read ahead, then asked.

python bench/chat.py [QUESTIONS]
"""

import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from pilotfish import Pilotfish
from pilotfish.core.messages import Facts, Message, Reply, Request
from pilotfish.core.settings import Settings
from pilotfish.llm.base import Hear
from pilotfish.llm.scripted import FACTS
from pilotfish.practice.server import Practice

LIMIT = 30.0


class Clock:
    """A model that answers at once and knows when it was asked."""

    name = "clock"
    facts: Facts = FACTS

    def __init__(self) -> None:
        self.asked = 0.0

    async def reply(self, request: Request, hear: Hear | None = None) -> Reply:
        self.asked = time.perf_counter()
        return Reply(text="It costs 48.90.", model=self.name)

    async def warm(self, messages: Sequence[Message]) -> None:
        """There is no cache."""

    async def close(self) -> None:
        """There is nothing to close."""


async def main(questions: int) -> None:
    with tempfile.TemporaryDirectory() as home:
        async with Practice() as site, Pilotfish(Settings(home=Path(home))) as fish:
            clock = Clock()
            fish.minds.pretend(clock.name, clock)
            record = await fish.start("What is this?", loop="chat", tabs=[f"{site.url}/shop"])
            await _end(fish, record.id)
            took: list[float] = []
            for number in range(questions):
                await fish.warm(record.conversation)
                began = time.perf_counter()
                run = await fish.start(f"Question {number}?", loop="chat", conversation=record.conversation)
                await _end(fish, run.id)
                took.append((clock.asked - began) * 1000)
    median = statistics.median(took)
    print(f"question to request, tab turned to before: median {median:.1f} ms, worst {max(took):.1f} ms (≤ {LIMIT:g})")
    if median > LIMIT:
        sys.exit("too slow")


async def _end(fish: Pilotfish, run: str) -> None:
    async for _ in fish.follow(run):
        pass


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 30))

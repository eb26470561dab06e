"""A hundred days of a memory: facts merge, contradict each other, expire and make room. No model, no waiting."""

import asyncio
import tempfile
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pilotfish.core.settings import MemorySettings as Caps
from pilotfish.memory.memory import UserMemory
from pilotfish.store.database import Database

START = datetime(2026, 1, 1, tzinfo=UTC)
DAYS: dict[int, list[Mapping[str, str]]] = {
    0: [
        {"content": "The user is called Ann", "tier": "core"},
        {"content": "The user lives in Lisbon", "tier": "core"},
        {"content": "The user plays tennis"},
        {"content": "The user is planning a trip to Norway", "tier": "context"},
    ],
    10: [{"content": "The user plays tennis on Tuesdays"}, {"content": "The user's password is hunter2"}],
    20: [{"content": "The user works at Acme"}],
    40: [{"content": "The user moved to Porto", "tier": "core"}, {"content": "The user owns a kayak"}],
    60: [{"content": "The user now works at Globex"}, {"content": "The user reads Dutch"}],
    80: [{"content": "The user bakes bread"}, {"content": "The user is asking about the weather"}],
}
ASKED = {15: "sports", 45: "sports", 70: "employer"}


async def life(memory: UserMemory, clock: list[datetime]) -> None:
    print(f"{'day':>4}  {'core':>4} {'important':>9} {'context':>7}  what happened")
    for day in range(101):
        clock[0] = START + timedelta(days=day)
        told = [f"expired: {fact.content}" for fact in await memory.expire("ann")]
        told += (await memory.save("ann", DAYS[day], f"talk-{day}")).lines() if day in DAYS else []
        if day in ASKED:
            best = await memory.retrieve("ann", [ASKED[day]], limit=1)
            told += [f"recalled for “{ASKED[day]}”: {one.fact.content}" for one in best]
        held = Counter(fact.tier for fact in await memory.facts("ann"))
        for line in told:
            print(f"{day:>4}  {held['core']:>4} {held['important']:>9} {held['context']:>7}  {line}")


async def main() -> None:
    clock = [START]
    with tempfile.TemporaryDirectory() as folder:
        async with await Database.open(f"sqlite:///{Path(folder) / 'memory.db'}") as store:
            memory = UserMemory(store, Caps(core=2, important=3, context=2), lambda: clock[0])
            await life(memory, clock)
            print("\nAt the end it holds:")
            for fact in await memory.facts("ann"):
                print(f"- {fact.content} ({fact.tier}, from {', '.join(fact.sources)})")


if __name__ == "__main__":
    asyncio.run(main())

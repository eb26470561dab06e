"""Workers in processes of their own over one PostgreSQL: they share the work, and one that dies is missed by nobody."""

import asyncio
import signal
import sys
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from pilotfish.app import Pilotfish
from pilotfish.core import events
from pilotfish.core.events import Event
from pilotfish.core.settings import ModelSettings, Settings, WorkSettings

from .worker_process import PIECES, STEPS

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]
LABOUR = Path(__file__).with_name("worker_process.py")
RUNS = 8
LONG = 90


@asynccontextmanager
async def site(visits: Counter[str]) -> AsyncGenerator[str]:
    """A server that counts who was asked for."""

    async def visited(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        visits[(await reader.readline()).split()[1].decode()] += 1
        writer.write(b"HTTP/1.0 204 Fine\r\n\r\n")
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(visited, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


@asynccontextmanager
async def worker(home: Path, database: str, at: str) -> AsyncGenerator[tuple[str, asyncio.subprocess.Process]]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, LABOUR, home, database, at, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    assert process.stdout
    try:
        line = (await asyncio.wait_for(process.stdout.readline(), LONG)).decode()
        yield line.split()[1].rstrip(":"), process
    finally:
        if process.returncode is None:
            process.terminate()
            await asyncio.wait_for(process.communicate(), LONG)


async def follow_events(fish: Pilotfish, run: str) -> list[Event]:
    return [event async for event in fish.follow(run) if not isinstance(event, events.TextDelta)]


async def test_three_workers_share_the_runs_and_finish_those_of_one_that_is_killed(
    postgres_url: str, tmp_path: Path
) -> None:
    visits = Counter[str]()
    settings = Settings(home=tmp_path / "front", database=postgres_url, models=ModelSettings(main="scripted"))
    async with AsyncExitStack() as stack:
        at = await stack.enter_async_context(site(visits))
        fish = await stack.enter_async_context(Pilotfish(settings, runs=0))
        ids = [(await fish.start("strike", loop="labour")).id for _ in range(RUNS)]
        waiting = (await fish.start("wait", loop="idle")).id
        assert {record.state for record in await fish.runs()} == {"queued"}
        stories = [asyncio.create_task(follow_events(fish, run)) for run in ids]
        homes = [tmp_path / str(number) for number in range(3)]
        crew = await asyncio.gather(*(stack.enter_async_context(worker(home, postgres_url, at)) for home in homes))
        async with asyncio.timeout(LONG):
            async for event in fish.follow(waiting):
                if event.type == "input_requested":
                    break
            await fish.command(waiting, "stop")
            assert (await follow_events(fish, waiting))[-1].type == "run_finished"
            victim, process = await busiest(fish, dict(crew))
            lost = await fish.store.list_held(victim)
            process.send_signal(signal.SIGKILL)
            killed = events.current_time()
            whole = await asyncio.gather(*stories)
            said = await collect_speech(fish)
    assert lost
    assert [piece.split()[0] for piece in said.split("|")[:-1]] == [str(number) for number in range(PIECES)]
    for story in whole:
        check(story, visits)
    for story in (story for story in whole if story[0].run in lost):
        again = next(event for event in story if isinstance(event, events.Noted) and event.topic == "recovery")
        assert (again.at - killed).total_seconds() < 10


async def collect_speech(fish: Pilotfish) -> str:
    """The text that a run on another worker was heard writing. It goes on only when all of it was."""
    run = (await fish.start("talk", loop="test-speech")).id
    said, asked = "", None
    async for event in fish.follow(run):
        said += event.text if isinstance(event, events.TextDelta) else ""
        asked = event if isinstance(event, events.InputRequested) else asked
        if asked and (asked.question == "Ready?" or said.count("|") == PIECES):
            await fish.command(run, "answer", text="yes", request=asked.request)
            asked = None
    return said


async def busiest(
    fish: Pilotfish, crew: dict[str, asyncio.subprocess.Process]
) -> tuple[str, asyncio.subprocess.Process]:
    """A worker that drives something, once every worker's share has been seen to keep to its limit."""
    while True:
        held = {name: await fish.store.list_held(name) for name in crew}
        assert all(len(runs) <= 3 for runs in held.values())
        for name, runs in held.items():
            stories = [await fish.events(run) for run in runs]
            if any(event.type == "tool_started" for story in stories for event in story):
                return name, crew[name]
        await asyncio.sleep(0.02)


def check(story: list[Event], visits: Counter[str]) -> None:
    """Told once and whole, ended well, and nothing done twice."""
    run = story[0].run
    assert [event.seq for event in story] == list(range(1, len(story) + 1))
    ends = [event for event in story if isinstance(event, events.RunFinished)]
    assert [end.outcome for end in ends] == ["completed"]
    done = [event for event in story if isinstance(event, events.ToolFinished)]
    assert len(done) == STEPS
    for number, event in enumerate(done):
        assert visits[f"/{run}/{number}"] == 1 or (event.unknown and visits[f"/{run}/{number}"] == 0)


async def test_a_person_gets_no_more_runs_at_once_than_the_settings_allow(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, models=ModelSettings(main="scripted"), work=WorkSettings(per_user=1))
    async with Pilotfish(settings, adopt=False, runs=0) as fish:
        mine = [(await fish.start("wait", loop="idle", user="ann")).id for _ in range(2)]
        other = (await fish.start("wait", loop="idle", user="bob")).id
        first = await fish.store.claim("w", "1", fish.settings.work)
        assert {record.id for record in first} == {mine[0], other}
        assert await fish.store.claim("w", "1", fish.settings.work) == []
        await fish.store.append([events.StateChanged(run=mine[0], state="awaiting_input")])
        assert [record.id for record in await fish.store.claim("x", "1", fish.settings.work)] == [mine[1]]
        assert {record.id for record in await fish.store.release("w")} == {mine[0], other}
        assert await fish.store.claim("w", "2", fish.settings.work) == []


async def test_a_worker_that_is_told_to_stop_finishes_its_runs_and_one_that_is_told_twice_ends_at_once(
    postgres_url: str, tmp_path: Path
) -> None:
    visits = Counter[str]()
    settings = Settings(home=tmp_path / "front", database=postgres_url, models=ModelSettings(main="scripted"))
    async with AsyncExitStack() as stack:
        at = await stack.enter_async_context(site(visits))
        fish = await stack.enter_async_context(Pilotfish(settings, runs=0))
        _, process = await stack.enter_async_context(worker(tmp_path / "one", postgres_url, at))
        short = (await fish.start("strike", loop="labour")).id
        waiting = (await fish.start("wait", loop="idle")).id
        long = (await fish.start("sleep", loop="sleep-long")).id
        async with asyncio.timeout(LONG):
            for run, kind in ((short, "tool_started"), (waiting, "input_requested"), (long, "run_started")):
                async for event in fish.follow(run):
                    if event.type == kind:
                        break
            process.send_signal(signal.SIGTERM)
            check(await follow_events(fish, short), visits)
            assert process.returncode is None and await fish.count_workers() == 0
            late = (await fish.start("strike", loop="labour")).id
            process.send_signal(signal.SIGTERM)
            _, log = await process.communicate()
        assert process.returncode == 0
        records = {run: await fish.record(run) for run in (waiting, long, late)}
        assert {record.worker for record in records.values()} == {""}, "left to other workers"
        assert records[late].state == "queued", "it took nothing new"
        said = log.decode()
        assert "takes no more runs; 3 are under way" in said and "ends at once" in said and "stopped" in said
        assert f"left to another worker: it waits for a person run={waiting}" in said

"""Runs that were left: who goes on with them, and who must not."""

import asyncio
from pathlib import Path

import pytest

import pilotfish.composition
from pilotfish.app import Pilotfish, loop
from pilotfish.core import events
from pilotfish.core.settings import ModelSettings, Settings
from pilotfish.runtime import queue
from pilotfish.runtime.run import Run


@loop("left")
async def note_and_ask(run: Run) -> None:
    """Note something, ask, and repeat the answer."""
    await run.note("half", "The first half is done.")
    answer = await run.request_input("And now?")
    await run.finish(f"{answer}, {len(run.messages)} messages")


async def until(fish: Pilotfish, run: str, kind: str) -> events.Event:
    async with asyncio.timeout(20):
        async for event in fish.follow(run):
            if event.type == kind and not isinstance(event, events.TextDelta):
                return event
    raise AssertionError(f"the run ended without {kind}")


def make_app(home: Path) -> Pilotfish:
    return Pilotfish(Settings(home=home, models=ModelSettings(main="scripted")))


async def test_a_run_that_other_code_began_is_parked_and_goes_on_as_a_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with make_app(tmp_path) as fish:
        run = (await fish.start("do both halves", loop="left")).id
        await until(fish, run, "input_requested")
    monkeypatch.setattr(queue, "SILENT_SECONDS", 0.0)
    monkeypatch.setattr(pilotfish.composition, "version", lambda: "another")
    async with make_app(tmp_path) as fish:
        async with asyncio.timeout(20):
            while (await fish.record(run)).state != "paused":
                await asyncio.sleep(0.02)
        said = [event for event in await fish.events(run) if isinstance(event, events.StateChanged)]
        assert f"pilotfish resume {run}" in said[-1].why and said[-1].cause == "version"
        new = await fish.continue_run(run)
        assert new.id != run and new.conversation == (await fish.record(run)).conversation
        asked = await until(fish, new.id, "input_requested")
        assert isinstance(asked, events.InputRequested)
        await fish.command(new.id, "answer", text="go", request=asked.request)
        end = await until(fish, new.id, "run_finished")
        assert isinstance(end, events.RunFinished) and end.text.startswith("go")
        old = await fish.record(run)
        assert old.outcome == "stopped"
        assert b"earlier attempt" in (await fish.store.get("said", new.id) or b"")


async def test_a_run_that_the_same_code_began_goes_on_by_itself(tmp_path: Path) -> None:
    async with make_app(tmp_path) as fish:
        run = (await fish.start("do both halves", loop="left")).id
        asked = await until(fish, run, "input_requested")
        assert isinstance(asked, events.InputRequested)
    async with make_app(tmp_path) as fish:
        await fish.command(run, "answer", text="go", request=asked.request)
        end = await until(fish, run, "run_finished")
        assert isinstance(end, events.RunFinished) and end.outcome == "completed"
    async with make_app(tmp_path) as fish:
        story = await fish.events(run)
    assert sum(isinstance(event, events.Noted) and event.topic == "half" for event in story) == 1
    assert end.seconds == (end.at - story[0].at).total_seconds(), "also what it took before it was left counts"


async def test_a_run_that_nobody_drives_is_stopped_at_once(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, models=ModelSettings(main="scripted"))
    async with Pilotfish(settings, runs=0) as fish:
        run = (await fish.start("wait", loop="left")).id
        await fish.command(run, "stop")
        assert (await fish.record(run)).outcome == "stopped"


def test_each_process_watches_a_few_others_and_together_they_watch_all() -> None:
    names = [f"worker-{number:03}" for number in range(100)]
    watched = {name: queue.next_names(names, name) for name in names}
    assert {len(found) for found in watched.values()} == {queue.WATCHED_WORKERS}
    assert {name for found in watched.values() for name in found} == set(names)
    assert queue.next_names(["a", "m", "z"], "n") == ["z", "a", "m"]
    assert queue.next_names(["a"], "b") == ["a"] and queue.next_names([], "b") == []
    # Whoever is left watches the others in the end, since the dead are removed.
    left, dead = {"worker-050"}, set(names) - {"worker-050"}
    for _ in range(len(names)):
        dead -= set(queue.next_names(dead | left, "worker-050"))
    assert not dead

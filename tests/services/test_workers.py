"""Labels decide which worker takes a run, and a worker that ends hands its runs over between two steps."""

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from pilotfish.app import Pilotfish, loop
from pilotfish.core import events
from pilotfish.core.errors import PersonError
from pilotfish.core.events import StreamItem
from pilotfish.core.settings import ModelSettings, Settings, WorkSettings
from pilotfish.core.users import User
from pilotfish.interfaces.web_server.problems import RequestRefused
from pilotfish.interfaces.web_server.run_options import check_options
from pilotfish.runtime.run import Run
from pilotfish.services.doctor import check_workers
from pilotfish.services.workers import WorkerDrain, check_labels, list_workers

STEPS = 6
done = Counter[str]()


@loop("test-paced")
async def take_steps(run: Run) -> None:
    """Take some steps, each of which has an effect at its end."""
    for number in range(STEPS):

        async def strike(number: int = number) -> dict[str, Any]:
            await asyncio.sleep(0.1)
            done[f"{run.id}/{number}"] += 1
            return {}

        await run.step(f"strike {number}", strike)
    await run.finish("done")


def at(home: Path, **work: Any) -> Settings:
    return Settings(home=home, models=ModelSettings(main="scripted"), work=WorkSettings(**work))


async def follow_to_end(fish: Pilotfish, run: str) -> list[StreamItem]:
    async with asyncio.timeout(20):
        return [event async for event in fish.follow(run)]


async def test_a_run_goes_only_to_a_worker_that_has_all_its_labels(tmp_path: Path) -> None:
    async with Pilotfish(at(tmp_path), runs=0) as fish:
        plain = (await fish.start("a", loop="test-paced")).id
        gpu = (await fish.start("b", loop="test-paced", labels=["gpu"])).id
        both = (await fish.start("c", loop="test-paced", labels=["gpu", "eu"])).id

        async def claimed(version: str, *labels: str) -> set[str]:
            found = {record.id for record in await fish.store.claim("w", version, WorkSettings(), labels)}
            await fish.store.release("w")
            return found

        assert await claimed("1", "eu") == {plain}
        assert await claimed("1", "gpu") == {plain, gpu}
        assert await claimed("1", "eu", "gpu", "disk") == {plain, gpu, both}


async def test_a_run_that_no_worker_fits_says_so_and_is_done_when_one_comes(tmp_path: Path) -> None:
    settings = at(tmp_path)
    async with Pilotfish(settings, runs=0) as fish:
        run = (await fish.start("a", loop="test-paced", labels=["gpu"])).id
        (waits,) = await fish.events(run)
        assert isinstance(waits, events.StateChanged) and waits.state == "queued"
        assert "pilotfish worker --label gpu" in waits.why
    found = await check_workers(settings)
    assert found.status == "warning" and "gpu" in found.found and "--label gpu" in found.fix
    async with Pilotfish(settings, labels=["gpu", "eu"]) as fish:
        assert (await follow_to_end(fish, run))[-1].type == "run_finished"
        (me,) = await list_workers(fish.store)
        assert (me.labels, me.draining) == (("eu", "gpu"), False)
        assert (await check_workers(settings)).status == "ok"


async def test_the_settings_say_which_labels_runs_need_and_only_an_admin_chooses_others(tmp_path: Path) -> None:
    async with Pilotfish(at(tmp_path, needed_labels=("eu",)), runs=0) as fish:
        assert (await fish.start("a", loop="test-paced")).options["labels"] == ["eu"]
        assert (await fish.start("a", loop="test-paced", labels=["gpu"])).options["labels"] == ["gpu"]
        member, admin = User(id="m", name="m"), User(id="a", name="a", role="admin")
        await check_options(fish, admin, {"labels": ["gpu"]})
        await check_options(fish, member, {"labels": ["eu"]})
        with pytest.raises(RequestRefused):
            await check_options(fish, member, {"labels": ["gpu"]})
    for wrong in (["GPU"], ["a b"], ["x"] * 9, [""]):
        with pytest.raises(PersonError):
            check_labels(wrong)


async def test_a_worker_that_drains_hands_its_runs_over_between_two_steps(tmp_path: Path) -> None:
    done.clear()
    async with Pilotfish(at(tmp_path)) as fish:
        run = (await fish.start("a", loop="test-paced")).id
        async with asyncio.timeout(20):
            while not done:
                await asyncio.sleep(0.01)
        await WorkerDrain(fish.store, fish.engine, fish.driver, fish.registry).run(0)
        assert (await fish.record(run)).worker == ""
        assert 0 < len(done) < STEPS, "the step under way came to its end, and no other began"
        assert await fish.count_workers() == 0
        later = (await fish.start("b", loop="test-paced")).id
        await asyncio.sleep(0.2)
        assert (await fish.record(later)).state == "queued"
    async with Pilotfish(at(tmp_path)) as fish:
        assert (await follow_to_end(fish, run))[-1].type == "run_finished"
        assert {done[f"{run}/{number}"] for number in range(STEPS)} == {1}, "nothing was done twice"

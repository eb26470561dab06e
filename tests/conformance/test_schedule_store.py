"""What every store must do with schedules, their times and notices, on SQLite and on a real PostgreSQL."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest

from pilotfish.core.events import RunFinished
from pilotfish.core.records import RunRecord
from pilotfish.core.schedule_progress import ScheduleChange, advance_schedule, find_next, make_notices
from pilotfish.core.schedules import Schedule, ScheduleFire
from pilotfish.store.base import Store
from pilotfish.store.database import Database

MADE = datetime(2026, 11, 18, 6, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.fixture
async def store(database_url: str) -> AsyncIterator[Store]:
    async with await Database.open(database_url) as store:
        yield store


def make_run(schedule: Schedule, fire: ScheduleFire, left: float | None) -> RunRecord:
    return RunRecord(id=fire.run, user=schedule.user, conversation=f"standing-{fire.run}", task="t", loop="chat")


def make_schedule(id: str = "s", user: str = "ann") -> Schedule:
    made = Schedule(id=id, user=user, task="read", when="0 * * * *", zone="UTC", created=MADE)
    return made.model_copy(update={"next": find_next(made, MADE)})


async def advance(store: Store, now: datetime) -> list[ScheduleChange]:
    return await store.advance_schedules(now, partial(advance_schedule, now=now, make_run=make_run))


async def test_schedules_are_kept_listed_by_user_and_deleted_with_their_history(store: Store) -> None:
    mine, other = make_schedule(), make_schedule("o", "bob")
    await store.save_schedule(mine)
    await store.save_schedule(other)
    assert await store.schedule("s") == mine
    assert await store.schedules("ann") == [mine]
    assert await store.schedules() == [mine, other]
    await advance(store, MADE + HOUR)
    assert len(await store.fires("s")) == 1
    assert await store.delete_schedule("s")
    assert await store.fires("s") == []
    assert not await store.delete_schedule("s")


async def test_a_time_happens_once_however_many_workers_look_at_the_clock(store: Store, database_url: str) -> None:
    await store.save_schedule(make_schedule())
    now = MADE + HOUR
    assert (await store.standing_due(now)).fires
    async with await Database.open(database_url) as second:
        found = await asyncio.gather(*(advance(one, now) for one in (store, second, store, second)))
    assert sum(len(change.runs) for changes in found for change in changes) == 1
    assert len(await store.runs(user="ann")) == 1
    assert not (await store.standing_due(now)).fires
    [fire] = await store.open_fires()
    assert (await store.run(fire.run)) is not None


async def test_a_run_that_ended_settles_its_time_and_is_not_settled_twice(store: Store) -> None:
    await store.save_schedule(make_schedule())
    [change] = await advance(store, MADE + HOUR)
    assert not (await store.standing_due(MADE + HOUR)).ends
    data = {"watch": {"change": "45 → 39", "fulfilled": True, "news": True}}
    await store.append([RunFinished(run=change.runs[0].id, key="end", outcome="completed", text="39 euros", data=data)])
    assert (await store.standing_due(MADE + HOUR)).ends
    await advance(store, MADE + HOUR)
    [fire] = await store.fires("s")
    assert (fire.state, fire.outcome, fire.text, fire.change) == ("ended", "completed", "39 euros", "45 → 39")
    assert fire.seen["fulfilled"] is True
    assert not (await store.standing_due(MADE + HOUR)).ends
    assert len(await store.notices("ann")) == 1


async def test_the_conversations_of_schedules_are_not_in_the_list_of_conversations(store: Store) -> None:
    await store.save_schedule(make_schedule())
    await advance(store, MADE + HOUR)
    await store.create(RunRecord(id="r", user="ann", conversation="c", task="t", loop="chat"))
    assert [one.id for one in await store.conversations("ann")] == ["c"]


async def test_a_notice_is_kept_once_and_taken_by_one_worker_at_a_time(store: Store) -> None:
    told = make_notices(make_schedule(), "result", "k", "39 euros", "", MADE)
    assert await store.add_notices(told) == 1
    assert await store.add_notices(told) == 0
    assert (await store.standing_due(MADE)).notices
    taken = await asyncio.gather(*(store.take_notices(MADE) for _ in range(3)))
    assert [len(each) for each in taken if each] == [1]
    assert await store.take_notices(MADE + HOUR) != []
    [one] = await store.notices("ann")
    await store.save_notice(one.model_copy(update={"state": "failed", "error": "refused"}))
    assert [each.error for each in await store.notices("ann", "failed")] == ["refused"]
    assert await store.take_notices(MADE + 9 * HOUR) == []
    assert await store.trim_notices("ann") == 0

"""The journal: committed together, followed from anywhere."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from pilotfish.core.errors import StoreError
from pilotfish.core.events import Delta, Event, Live, Noted, RunFinished
from pilotfish.core.records import RunRecord
from pilotfish.runtime import journal as module
from pilotfish.runtime.journal import Journal
from pilotfish.store.database import Database

pytestmark = pytest.mark.anyio


@pytest.fixture
async def journal(tmp_path: Path) -> AsyncIterator[Journal]:
    async with await Database.open(f"sqlite:///{tmp_path / 'j.db'}") as store:
        await store.create(RunRecord(id="r", user="u", conversation="c", task="t", loop="chat"))
        yield Journal(store)


def note(number: int) -> Event:
    return Noted(run="r", key=str(number), topic="n", text=str(number))


async def follow(journal: Journal, after: int = 0) -> list[Live]:
    return [item async for item in journal.follow("r", after)]


async def test_appends_that_come_together_are_numbered_in_order(journal: Journal) -> None:
    entries = await asyncio.gather(*(journal.append(note(n)) for n in range(100)))
    assert [e[0].event.seq for e in entries] == list(range(1, 101))
    assert all(e[0].fresh for e in entries)


async def test_an_event_told_again_is_answered_with_the_first(journal: Journal) -> None:
    await journal.append(note(1))
    again = (await journal.append(Noted(run="r", key="1", topic="n", text="another text")))[0]
    assert not again.fresh and again.event.seq == 1 and isinstance(again.event, Noted) and again.event.text == "1"


async def test_followers_miss_nothing_and_see_nothing_twice(journal: Journal) -> None:
    await journal.append(*(note(n) for n in range(10)))
    early, late = asyncio.create_task(follow(journal)), asyncio.create_task(follow(journal, 7))
    third = asyncio.create_task(follow(journal, 100))
    for n in range(10, 300):
        await journal.append(note(n))
    await journal.append(RunFinished(run="r", key="end", outcome="completed"))
    assert [e.seq for e in await early if not isinstance(e, Delta)] == list(range(1, 302))
    assert [e.seq for e in await late if not isinstance(e, Delta)] == list(range(8, 302))
    assert [e.seq for e in await third if not isinstance(e, Delta)] == list(range(101, 302))


async def test_what_lies_ready_comes_at_once_and_stops_at_the_end(journal: Journal) -> None:
    await journal.append(*(note(n) for n in range(10)))
    batches = journal.batches("r", 2)
    assert [e.seq for e in await anext(batches) if not isinstance(e, Delta)] == list(range(3, 11))

    end = RunFinished(run="r", key="end", outcome="completed")
    await journal.append(note(10), note(11), end, note(12))

    assert [e.type for e in await anext(batches) if not isinstance(e, Delta)] == ["noted", "noted", "run_finished"]
    with pytest.raises(StopAsyncIteration):
        await anext(batches)
    assert [e.seq for e in await follow(journal) if not isinstance(e, Delta)] == list(range(1, 14))


async def test_a_slow_follower_is_sent_back_to_the_store(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BUFFER", 5)
    seen: list[int] = []
    started, gate = asyncio.Event(), asyncio.Event()

    async def slow() -> None:
        async for item in journal.follow("r"):
            if not isinstance(item, Delta):
                seen.append(item.seq)
            started.set()
            await gate.wait()

    reader = asyncio.create_task(slow())
    await journal.append(note(0))
    await started.wait()
    await journal.append(*(note(n) for n in range(1, 200)))
    await journal.append(RunFinished(run="r", key="end", outcome="completed"))
    gate.set()
    await asyncio.wait_for(reader, 10)
    assert seen == list(range(1, 202))


async def test_pieces_of_text_reach_whoever_listens_and_nobody_else(journal: Journal) -> None:
    reader = asyncio.create_task(follow(journal))
    await journal.append(note(0))
    await asyncio.sleep(0)
    journal.tell(Delta(run="r", call="1", text="piece"))
    journal.tell(Delta(run="other", call="1", text="not for us"))
    await journal.append(RunFinished(run="r", key="end", outcome="completed"))
    pieces = [i.text for i in await reader if isinstance(i, Delta)]
    assert pieces in (["piece"], [])


async def test_writing_by_another_process_wakes_followers(journal: Journal) -> None:
    reader = asyncio.create_task(follow(journal))
    await asyncio.sleep(0.05)
    await journal.store.append([note(1), RunFinished(run="r", key="end", outcome="stopped")])
    journal.poke("r")
    assert [e.seq for e in await asyncio.wait_for(reader, 5) if not isinstance(e, Delta)] == [1, 2]


async def test_a_failing_store_is_told_to_the_writer_and_heals(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(events: object) -> None:
        raise OSError("disk full")

    with monkeypatch.context() as patch:
        patch.setattr(journal.store, "append", broken)
        with pytest.raises(OSError, match="disk full"):
            await journal.append(note(1))
    assert (await journal.append(note(1)))[0].fresh


async def test_a_run_that_is_gone_spoils_nobody_elses_words(journal: Journal) -> None:
    lost, kept = await asyncio.gather(
        journal.append(Noted(run="gone", topic="n", text="x")), journal.append(note(1)), return_exceptions=True
    )
    assert isinstance(lost, StoreError) and not isinstance(kept, BaseException)
    assert kept[0].event.seq == 1


async def test_a_reader_who_comes_back_soon_needs_no_database(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    await journal.append(*(note(n) for n in range(10)))
    monkeypatch.setattr(journal.store, "events", None)
    reader = journal.follow("r", 7)
    assert [(await anext(reader)).seq for _ in range(3)] == [8, 9, 10]  # pyright: ignore[reportAttributeAccessIssue]
    await reader.aclose()

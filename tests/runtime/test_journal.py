"""The journal: committed together, followed from anywhere."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from pilotfish.core.errors import StoreError
from pilotfish.core.events import Event, Noted, RunFinished, StreamItem, TextDelta
from pilotfish.core.records import RunRecord
from pilotfish.runtime import journal as module
from pilotfish.runtime.journal import RunJournal
from pilotfish.store.database import Database

pytestmark = pytest.mark.anyio


@pytest.fixture
async def journal(tmp_path: Path) -> AsyncIterator[RunJournal]:
    async with await Database.open(f"sqlite:///{tmp_path / 'j.db'}") as store:
        await store.create(RunRecord(id="r", user="u", conversation="c", task="t", loop="chat"))
        yield RunJournal(store)


def note(number: int) -> Event:
    return Noted(run="r", key=str(number), topic="n", text=str(number))


async def follow(journal: RunJournal, after: int = 0) -> list[StreamItem]:
    return [item async for item in journal.follow("r", after)]


async def test_appends_that_come_together_are_numbered_in_order(journal: RunJournal) -> None:
    entries = await asyncio.gather(*(journal.append(note(n)) for n in range(100)))
    assert [e[0].event.seq for e in entries] == list(range(1, 101))
    assert all(e[0].is_new for e in entries)


async def test_an_event_told_again_is_answered_with_the_first(journal: RunJournal) -> None:
    await journal.append(note(1))
    again = (await journal.append(Noted(run="r", key="1", topic="n", text="another text")))[0]
    assert not again.is_new and again.event.seq == 1 and isinstance(again.event, Noted) and again.event.text == "1"


async def test_followers_miss_nothing_and_see_nothing_twice(journal: RunJournal) -> None:
    await journal.append(*(note(n) for n in range(10)))
    early, late = asyncio.create_task(follow(journal)), asyncio.create_task(follow(journal, 7))
    third = asyncio.create_task(follow(journal, 100))
    for n in range(10, 300):
        await journal.append(note(n))
    await journal.append(RunFinished(run="r", key="end", outcome="completed"))
    assert [e.seq for e in await early if not isinstance(e, TextDelta)] == list(range(1, 302))
    assert [e.seq for e in await late if not isinstance(e, TextDelta)] == list(range(8, 302))
    assert [e.seq for e in await third if not isinstance(e, TextDelta)] == list(range(101, 302))


async def test_what_lies_ready_comes_at_once_and_stops_at_the_end(journal: RunJournal) -> None:
    await journal.append(*(note(n) for n in range(10)))
    batches = journal.batches("r", 2)
    assert [e.seq for e in await anext(batches) if not isinstance(e, TextDelta)] == list(range(3, 11))

    end = RunFinished(run="r", key="end", outcome="completed")
    await journal.append(note(10), note(11), end, note(12))

    assert [e.type for e in await anext(batches) if not isinstance(e, TextDelta)] == ["noted", "noted", "run_finished"]
    with pytest.raises(StopAsyncIteration):
        await anext(batches)
    assert [e.seq for e in await follow(journal) if not isinstance(e, TextDelta)] == list(range(1, 14))


async def test_a_slow_follower_is_sent_back_to_the_store(journal: RunJournal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BUFFER_SIZE", 5)
    seen: list[int] = []
    started, gate = asyncio.Event(), asyncio.Event()

    async def slow() -> None:
        async for item in journal.follow("r"):
            if not isinstance(item, TextDelta):
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


async def test_pieces_of_text_reach_whoever_listens_and_nobody_else(journal: RunJournal) -> None:
    reader = asyncio.create_task(follow(journal))
    await journal.append(note(0))
    await asyncio.sleep(0)
    journal.send_delta(TextDelta(run="r", call="1", text="piece"))
    journal.send_delta(TextDelta(run="other", call="1", text="not for us"))
    await journal.append(RunFinished(run="r", key="end", outcome="completed"))
    pieces = [i.text for i in await reader if isinstance(i, TextDelta)]
    assert pieces in (["piece"], [])


async def test_writing_by_another_process_wakes_followers(journal: RunJournal) -> None:
    reader = asyncio.create_task(follow(journal))
    await asyncio.sleep(0.05)
    await journal.store.append([note(1), RunFinished(run="r", key="end", outcome="stopped")])
    journal.wake_readers("r")
    assert [e.seq for e in await asyncio.wait_for(reader, 5) if not isinstance(e, TextDelta)] == [1, 2]


async def test_a_failing_store_is_told_to_the_writer_and_heals(
    journal: RunJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(events: object) -> None:
        raise OSError("disk full")

    with monkeypatch.context() as patch:
        patch.setattr(journal.store, "append", broken)
        with pytest.raises(OSError, match="disk full"):
            await journal.append(note(1))
    assert (await journal.append(note(1)))[0].is_new


async def test_a_run_that_is_gone_spoils_nobody_elses_words(journal: RunJournal) -> None:
    lost, kept = await asyncio.gather(
        journal.append(Noted(run="gone", topic="n", text="x")), journal.append(note(1)), return_exceptions=True
    )
    assert isinstance(lost, StoreError) and not isinstance(kept, BaseException)
    assert kept[0].event.seq == 1


async def test_a_reader_who_comes_back_soon_needs_no_database(
    journal: RunJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    await journal.append(*(note(n) for n in range(10)))
    monkeypatch.setattr(journal.store, "events", None)
    reader = journal.follow("r", 7)
    assert [(await anext(reader)).seq for _ in range(3)] == [8, 9, 10]  # pyright: ignore[reportAttributeAccessIssue]
    await reader.aclose()


async def test_live_text_never_comes_before_the_events_that_were_written_before_it(journal: RunJournal) -> None:
    following = asyncio.create_task(follow(journal))
    await asyncio.sleep(0)
    for number in range(5):
        journal.post(note(number))
        journal.send_delta(TextDelta(run="r", call="c", text=f"after {number}"))
        await asyncio.sleep(0)
    await journal.append(RunFinished(run="r", key="end", outcome="completed"))
    told = [item.text for item in await following if isinstance(item, Noted | TextDelta)]
    # A follower that reads from the store may get a piece later, or at the end not at all; never sooner.
    early = [n for n in range(5) if f"after {n}" in told and told.index(f"after {n}") < told.index(str(n))]
    assert early == [] and [words for words in told if words.isdigit()] == list("01234")

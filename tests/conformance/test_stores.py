"""What every store must do, on SQLite and on a real PostgreSQL."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import anyio
import pytest

from pilotfish.core.errors import StoreError
from pilotfish.core.events import (
    Event,
    MessageAdded,
    ModelReplied,
    Noted,
    RunFinished,
    RunStarted,
    StateChanged,
    ToolFinished,
)
from pilotfish.core.messages import Message
from pilotfish.core.records import Command, Conversation, RunRecord, StoreChange
from pilotfish.core.usage import Usage
from pilotfish.store.base import Store
from pilotfish.store.database import Database


@pytest.fixture
async def store(database_url: str) -> AsyncIterator[Store]:
    async with await Database.open(database_url) as store:
        yield store


def record(id: str = "r", **changes: object) -> RunRecord:
    return RunRecord(id=id, user="ann", conversation="c", task="Find the way", loop="chat").model_copy(update=changes)


def note(text: str, run: str = "r", key: str = "") -> Noted:
    return Noted(run=run, key=key, topic="test", text=text)


async def texts(store: Store, run: str = "r") -> list[str]:
    return [event.text for event in await store.events(run) if isinstance(event, Noted)]


async def test_events_are_numbered_from_one_without_gaps_in_each_run(store: Store) -> None:
    await store.create(record("a"))
    await store.create(record("b"))

    await store.append([note("1", "a"), note("1", "b"), note("2", "a")])
    entries = await store.append([note("3", "a"), note("2", "b")])

    assert [entry.event.seq for entry in entries] == [3, 2]
    assert [event.seq for event in await store.events("a")] == [1, 2, 3]
    assert [event.seq for event in await store.events("b")] == [1, 2]


async def test_an_event_comes_back_as_it_was_written(store: Store) -> None:
    await store.create(record())
    sent = MessageAdded(run="r", message=Message(role="user", text='Größe 🐟 "x"\n\0'), sources=({"url": "u"},))

    [entry] = await store.append([sent])

    assert await store.events("r") == [entry.event]
    assert entry.event.model_copy(update={"seq": 0, "key": ""}) == sent


async def test_half_a_surrogate_pair_does_not_break_the_journal(store: Store) -> None:
    await store.create(record())

    await store.append([Noted(run="r", topic="t", text="x", details={"title": "fish \ud83d"})])

    [event] = await store.events("r")
    assert isinstance(event, Noted)
    assert event.details == {"title": "fish ?"}


async def test_a_key_that_was_written_is_answered_with_what_is_stored(store: Store) -> None:
    await store.create(record())
    [first] = await store.append([note("first life", key="step-1")])

    again = await store.append([note("second life", key="step-1"), note("new", key="step-2")])

    assert [entry.is_new for entry in again] == [False, True]
    assert again[0].event == first.event
    assert await texts(store) == ["first life", "new"]
    assert [event.seq for event in await store.events("r")] == [1, 2]


async def test_the_same_key_twice_in_one_batch_is_written_once(store: Store) -> None:
    await store.create(record())

    entries = await store.append([note("one", key="k"), note("two", key="k")])

    assert [entry.is_new for entry in entries] == [True, False]
    assert await texts(store) == ["one"]


async def test_events_without_a_key_are_always_new(store: Store) -> None:
    await store.create(record())

    await store.append([note("same"), note("same")])

    assert await texts(store) == ["same", "same"]


async def test_a_run_finishes_only_once(store: Store) -> None:
    await store.create(record())
    await store.append([RunFinished(run="r", key="x", outcome="stopped", text="first")])

    [second] = await store.append([RunFinished(run="r", key="y", outcome="completed", text="second")])

    assert not second.is_new
    assert isinstance(second.event, RunFinished)
    assert second.event.outcome == "stopped"
    assert (await _run(store)).answer == "first"


async def test_two_ends_at_the_same_moment_leave_one(database_url: str) -> None:
    async with await Database.open(database_url) as one, await Database.open(database_url) as two:
        await one.create(record())
        answers = await asyncio.gather(
            one.append([RunFinished(run="r", outcome="completed")]),
            two.append([RunFinished(run="r", outcome="failed")]),
        )
        assert sorted(entry.is_new for [entry] in answers) == [False, True]
        assert len(await one.events("r")) == 1


async def test_the_record_of_a_run_follows_its_journal(store: Store) -> None:
    await store.create(record())
    spent = Usage(input=10, output=5, cost=0.25)

    await store.append(
        [
            StateChanged(run="r", state="running"),
            ModelReplied(run="r", call="1", tier="main", model="m", purpose="p", usage=spent),
            ToolFinished(run="r", call="2", tool="t", ok=True, usage=spent),
        ]
    )
    running = await _run(store)
    await store.append([RunFinished(run="r", outcome="completed", text="Here.")])
    await store.append([StateChanged(run="r", state="running")])
    ended = await _run(store)

    assert (running.state, running.outcome, running.usage) == ("running", None, spent + spent)
    assert (ended.state, ended.outcome, ended.answer) == ("ended", "completed", "Here.")
    assert ended.updated >= running.updated


async def test_a_repeated_event_is_charged_once(store: Store) -> None:
    await store.create(record())
    reply = ModelReplied(run="r", key="k", call="1", tier="main", model="m", purpose="p", usage=Usage(cost=1))

    await store.append([reply])
    await store.append([reply])

    assert (await _run(store)).usage.cost == 1


async def test_the_start_of_an_unknown_run_enters_it(store: Store) -> None:
    await store.append([RunStarted(run="r", task="t", loop="chat", user="ann", conversation="c", options={"a": [1]})])

    assert (await _run(store)).options == {"a": [1]}
    assert (await store.conversations("ann"))[0].id == "c"


async def test_writing_to_a_run_that_does_not_exist_hurts_nobody_else(store: Store) -> None:
    await store.create(record())

    lost, kept = await asyncio.gather(
        store.append([note("x", "nowhere")]), store.append([note("y")]), return_exceptions=True
    )

    assert isinstance(lost, StoreError)
    assert not isinstance(kept, BaseException)
    assert await texts(store) == ["y"]


async def test_many_writers_at_once_lose_and_double_nothing(database_url: str) -> None:
    async with await Database.open(database_url) as one, await Database.open(database_url) as two:
        await one.create(record())
        both = [store.append([note(f"{n}", key=f"{n % 40}")]) for n in range(80) for store in (one, two)]
        entries = [entry for [entry] in await asyncio.gather(*both)]

        stored = await one.events("r")
    assert sum(entry.is_new for entry in entries) == 40
    assert [event.seq for event in stored] == list(range(1, 41))
    assert len({event.key for event in stored}) == 40


async def test_a_cancelled_caller_does_not_take_others_along(store: Store) -> None:
    await store.create(record())

    doomed = asyncio.create_task(store.append([note("a")]))
    safe = asyncio.create_task(store.append([note("b")]))
    await asyncio.sleep(0)
    doomed.cancel()

    assert (await safe)[0].is_new
    assert "b" in await texts(store)


async def test_events_can_be_read_from_any_point_and_in_pieces(store: Store) -> None:
    await store.create(record())
    await store.append([note(str(n)) for n in range(10)])

    assert [event.seq for event in await store.events("r", after=7)] == [8, 9, 10]
    assert [event.seq for event in await store.events("r", after=2, limit=3)] == [3, 4, 5]
    assert await store.events("nowhere") == []


async def test_history_gathers_events_of_a_kind_over_a_persons_runs(store: Store) -> None:
    await store.create(record("a"))
    await store.create(record("b"))
    await store.create(record("c", user="bob"))
    old = datetime(2020, 1, 1, tzinfo=UTC)
    await store.append([note("1", "a").model_copy(update={"at": old}), note("2", "b"), note("3", "c")])
    await store.append([StateChanged(run="a", state="running")])

    everything = await store.history("ann", ["noted"])
    recent = await store.history("ann", ["noted"], since=old + timedelta(days=1))

    assert [event.run for event in everything] == ["a", "b"]
    assert [event.run for event in recent] == ["b"]


async def test_creating_a_run_twice_keeps_the_first(store: Store) -> None:
    await store.create(record(task="first"))

    assert (await store.create(record(task="second"))).task == "first"


async def test_a_run_record_comes_back_as_it_went_in(store: Store) -> None:
    went = record(options={"tabs": ["x"], "n": 1.5}, parent="p", version="1", worker="w")

    assert await store.create(went) == went
    assert await store.run("r") == went
    assert await store.run("nowhere") is None


async def test_runs_are_listed_newest_first_and_filtered(store: Store) -> None:
    day = datetime(2026, 1, 1, tzinfo=UTC)
    for n, (user, task) in enumerate([("ann", "Buy 100% wool"), ("ann", "Read the News"), ("bob", "Sleep")]):
        await store.create(record(f"r{n}", user=user, task=task, created=day + timedelta(days=n), conversation=user))
    await store.append([StateChanged(run="r1", state="paused")])

    async def found(**query: object) -> list[str]:
        return [run.id for run in await store.runs(**query)]  # pyright: ignore[reportArgumentType]

    assert await found() == ["r2", "r1", "r0"]
    assert await found(user="ann", limit=1) == ["r1"]
    assert await found(before=day + timedelta(days=1)) == ["r0"]
    assert await found(state="paused") == ["r1"]
    assert await found(conversation="bob") == ["r2"]
    assert await found(text="news READ") == ["r1"]
    assert await found(text="100%") == ["r0"]
    assert await found(text="_") == []
    await store.create(record("r3", loop="_remember", created=day))
    assert await found(background=False) == ["r2", "r1", "r0"]


async def test_a_run_remembers_who_drives_it(store: Store) -> None:
    await store.create(record())

    await store.assign("r", "worker-7")

    assert (await _run(store)).worker == "worker-7"


async def test_deleting_a_run_deletes_its_journal_and_commands(store: Store) -> None:
    await store.create(record())
    await store.append([note("x")])
    await store.send(Command(run="r", verb="stop"))

    assert await store.delete("r")
    assert not await store.delete("r")
    assert await store.run("r") is None
    assert await store.events("r") == []
    assert await store.commands("r") == []


async def test_a_conversation_is_the_messages_of_its_runs_in_order(store: Store) -> None:
    for run in ("b", "a"):
        await store.create(record(run))
        said: list[Event] = [
            MessageAdded(run=run, message=Message(role="user", text=f"{run}?")),
            note("between", run),
            MessageAdded(run=run, message=Message(role="assistant", text=f"{run}!")),
        ]
        await store.append(said)

    assert [message.text for message in await store.messages("c")] == ["b?", "b!", "a?", "a!"]
    assert await store.messages("nowhere") == []


async def test_conversations_are_kept_renamed_and_forgotten(store: Store) -> None:
    thread = Conversation(id="c", user="ann", title="Old")
    await store.save(thread)
    await store.create(record())
    await store.save(thread.model_copy(update={"title": "New"}))

    assert await store.conversation("c") == thread.model_copy(update={"title": "New"})
    assert [one.title for one in await store.conversations("ann")] == ["New"]
    assert await store.conversations("bob") == []
    assert await store.run("r") is not None
    assert await store.delete_conversation("c")
    assert not await store.delete_conversation("c")
    assert await store.run("r") is None


async def test_commands_get_growing_ids_and_are_read_from_a_point(store: Store) -> None:
    await store.create(record())
    first = await store.send(Command(run="r", verb="pause", by="ann"))
    second = await store.send(Command(run="r", verb="answer", request="q", text="yes"))

    assert 0 < first.id < second.id
    assert await store.commands("r") == [first, second]
    assert await store.commands("r", after=first.id) == [second]


async def test_a_command_to_a_run_that_does_not_exist_is_refused(store: Store) -> None:
    with pytest.raises(StoreError, match="There is no run nowhere"):
        await store.send(Command(run="nowhere", verb="stop"))


async def test_a_listener_hears_of_changes_made_elsewhere(database_url: str) -> None:
    async with await Database.open(database_url) as here, await Database.open(database_url) as there:
        await there.create(record("a"))
        await there.create(record("b"))
        changes = here.listen()
        with anyio.fail_after(20):
            assert await anext(changes) == StoreChange("all")
            await there.append([note("x", "a")])
            assert await anext(changes) == StoreChange("events", "a")
            await there.send(Command(run="b", verb="stop"))
            assert await anext(changes) == StoreChange("commands", "b")
            await there.create(record("c"))
            assert (await anext(changes)).what == "runs"
        await changes.aclose()


async def test_opening_again_finds_everything(database_url: str) -> None:
    async with await Database.open(database_url) as store:
        await store.create(record())
        await store.append([note("x")])
    async with await Database.open(database_url) as store:
        assert await texts(store) == ["x"]


async def test_several_may_open_a_new_database_at_once(database_url: str) -> None:
    stores = await asyncio.gather(*(Database.open(database_url) for _ in range(3)))
    for store in stores:
        await store.close()


async def _run(store: Store) -> RunRecord:
    found = await store.run("r")
    assert found is not None
    return found


async def test_all_that_its_driver_must_know_of_a_run_comes_by_one_look(store: Store) -> None:
    await store.create(record("before"))
    await store.append([MessageAdded(run="before", message=Message(role="user", text="Hello"))])
    said = [Message(role="assistant", text="Whereto?"), Message(role="user", text="Find the way")]
    run = await store.create(record("r"), said=said)
    [entry] = await store.append([note("one")])
    told = await store.send(Command(run="r", verb="pause"))

    stored = await store.load_run("r")

    assert stored is not None
    assert stored.record.model_copy(update={"updated": run.updated}) == run
    assert (list(stored.events), list(stored.commands), list(stored.messages)) == ([entry.event], [told], said)
    assert [message.text for message in stored.earlier] == ["Hello"]
    assert await store.load_run("nobody") is None


async def test_a_run_that_came_with_nothing_else_is_told_its_task_and_may_do_without_the_past(store: Store) -> None:
    await store.create(record("before"))
    await store.append([MessageAdded(run="before", message=Message(role="user", text="Hello"))])
    await store.create(record("r", options={"history": False}))

    stored = await store.load_run("r")

    assert stored is not None and not stored.earlier
    assert list(stored.messages) == [Message(role="user", text="Find the way", origin="person")]

"""What every store must do with settings, blobs, facts and past messages, on SQLite and on a real PostgreSQL."""

from collections.abc import AsyncIterator

import pytest

from pilotfish.core.errors import SettingsError
from pilotfish.core.events import MessageAdded
from pilotfish.core.facts import Fact
from pilotfish.core.messages import Message, Role
from pilotfish.core.records import RunRecord
from pilotfish.store.base import Store
from pilotfish.store.database import Database


@pytest.fixture
async def store(database_url: str) -> AsyncIterator[Store]:
    async with await Database.open(database_url) as store:
        yield store


async def test_settings_keep_their_history_and_who_changed_them(store: Store) -> None:
    await store.set_setting("agent.steps", 30, "ann")
    await store.set_setting("agent.steps", 40, "bob")
    await store.set_setting("models.api_key", "hunter2", "bob")
    await store.set_setting("agent.loop", "pilot", "ann")
    await store.set_setting("agent.loop", None, "ann")

    assert await store.settings() == {"agent.steps": 40, "models.api_key": "hunter2"}
    assert [(one.value, one.by) for one in await store.setting_history("agent.steps")] == [(40, "bob"), (30, "ann")]
    everything = await store.setting_history()
    assert [one.version for one in everything] == sorted((one.version for one in everything), reverse=True)
    assert "hunter2" not in repr(everything)


async def test_a_setting_that_could_not_be_read_back_is_refused(store: Store) -> None:
    for path, value in (("agent.step", 3), ("agent.steps", "many"), ("database", "postgresql://x")):
        with pytest.raises(SettingsError):
            await store.set_setting(path, value, "ann")
    assert await store.settings() == {}


async def test_blobs_are_kept_replaced_listed_and_dropped(store: Store) -> None:
    await store.put("results", "r1/a", b"\0one")
    await store.put("results", "r1/a", b"\0two")
    await store.put("results", "r2/a", b"x", ttl=60)
    await store.put("cache", "r1/a", b"other")

    assert await store.get("results", "r1/a") == b"\0two"
    assert await store.entries("results") == {"r1/a": b"\0two", "r2/a": b"x"}
    assert await store.entries("results", "r1/") == {"r1/a": b"\0two"}
    assert await store.drop("results", "r1/a")
    assert not await store.drop("results", "r1/a")
    assert await store.get("cache", "r1/a") == b"other"


async def test_of_several_keys_the_first_that_has_a_value_counts(store: Store) -> None:
    await store.put("k", "a", b"A")
    await store.put("k", "b", b"B")

    assert await store.get("k", "none", "b", "a") == b"B"
    assert await store.get("k", "none") is None


async def test_an_expired_blob_is_gone(store: Store) -> None:
    await store.put("results", "old", b"x", ttl=-1)
    await store.put("results", "new", b"x", ttl=60)

    assert await store.get("results", "old") is None
    assert list(await store.entries("results")) == ["new"]
    assert await store.expire() == 1
    assert await store.expire() == 0


async def test_facts_are_read_from_any_revision(store: Store) -> None:
    one, two = (Fact(id=id, user="ann", content=f"Fact {id}", keywords=("k",)) for id in ("one", "two"))
    await store.keep([one, two])
    everything, reached = await store.facts("ann")
    await store.keep([one.model_copy(update={"use_count": 3})])
    news, last = await store.facts("ann", reached)

    assert everything == [one, two]
    assert [(fact.id, fact.use_count) for fact in news] == [("one", 3)]
    assert await store.facts("ann", last) == ([], last)
    assert await store.facts("bob") == ([], 0)


async def test_a_fact_that_ended_stays_ended(store: Store) -> None:
    fact = Fact(id="one", user="ann", content="A fact")
    ended = fact.model_copy(update={"ended": fact.created, "ending": "deleted", "content": ""})
    await store.keep([fact])
    await store.keep([ended])
    await store.keep([fact])

    assert (await store.facts("ann"))[0] == [ended]


async def test_what_was_said_is_read_over_all_runs_of_a_person(store: Store) -> None:
    await store.create(RunRecord(id="a", user="ann", conversation="c", task="t", loop="chat"))
    await store.create(RunRecord(id="b", user="bob", conversation="d", task="t", loop="chat"))
    for run in ("a", "b"):
        roles: list[Role] = ["user", "assistant", "tool"]
        await store.append([MessageAdded(run=run, message=Message(role=role, text=f"{run} {role}")) for role in roles])

    said = await store.past_messages("ann")

    assert [(one.text, one.role, one.conversation) for one in said] == [
        ("a user", "user", "c"),
        ("a assistant", "assistant", "c"),
    ]
    assert await store.past_messages("ann", {said[0].id}) == said[1:]
    assert await store.existing_messages([said[0].id, 10**9]) == {said[0].id}

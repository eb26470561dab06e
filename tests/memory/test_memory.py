from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest

from pilotfish.core.errors import PersonError
from pilotfish.core.facts import PastMessage
from pilotfish.core.settings import MemorySettings as Caps
from pilotfish.memory.memory import UserMemory
from pilotfish.store.database import Database


class Clock:
    """A time that only the test moves."""

    def __init__(self) -> None:
        self.at = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.at

    def pass_days(self, days: float) -> None:
        self.at += timedelta(days=days)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def store(database_url: str) -> AsyncIterator[Database]:
    async with await Database.open(database_url) as store:
        yield store


@pytest.fixture
def memory(store: Database, clock: Clock) -> UserMemory:
    return UserMemory(store, Caps(core=2, important=3, context=2), clock)


def fact(content: str, tier: str = "important", confidence: float = 0.8) -> dict[str, object]:
    return {"content": content, "tier": tier, "confidence": confidence}


async def contents(memory: UserMemory, user: str = "ann") -> set[str]:
    return {one.content for one in await memory.facts(user)}


async def test_a_saved_fact_is_recalled_by_meaning_and_counts_as_used(memory: UserMemory, clock: Clock) -> None:
    await memory.save("ann", [fact("The user is allergic to peanuts"), fact("The user drives a red Tesla")], "talk-1")

    [first, *_] = await memory.retrieve("ann", ["food", "allergies"])

    assert first.fact.content == "The user is allergic to peanuts"
    assert first.fact.sources == ("talk-1",)
    assert (first.fact.use_count, first.fact.last_used) == (1, clock())
    assert (await memory.retrieve("ann", ["vehicle"]))[0].fact.content == "The user drives a red Tesla"
    assert await memory.retrieve("ann", ["quantum physics"]) == []


async def test_each_person_has_their_own_memory(memory: UserMemory) -> None:
    await memory.save("ann", [fact("The user lives in Lisbon")])

    assert await memory.retrieve("bob", ["Lisbon"]) == []
    assert await contents(memory, "bob") == set()


async def test_facts_can_be_asked_for_by_category(memory: UserMemory) -> None:
    await memory.save(
        "ann", [{**fact("The user prefers tea to coffee"), "category": "preference"}, fact("User lives in Bonn")]
    )

    assert [one.fact.category for one in await memory.retrieve("ann", (), ["preference"])] == ["preference"]
    assert await memory.retrieve("ann", ["tea"], ["project"]) == []


async def test_a_duplicate_is_merged_and_lives_anew(memory: UserMemory, clock: Clock) -> None:
    await memory.save("ann", [fact("User plays tennis", confidence=0.5)], "talk-1")
    clock.pass_days(80)

    report = await memory.save("ann", [fact("The user plays tennis", confidence=0.9)], "talk-2")

    [merged] = report.merged
    assert not report.saved
    assert (merged.confidence, merged.sources) == (0.9, ("talk-1", "talk-2"))
    assert merged.expires == clock() + timedelta(days=90)
    assert len(await memory.facts("ann")) == 1


async def test_a_fuller_fact_takes_the_place_of_a_shorter_one_and_says_so(memory: UserMemory) -> None:
    await memory.save("ann", [fact("User plays tennis")])

    report = await memory.save("ann", [fact("The user plays tennis on Tuesdays")])

    assert report.lines() == ["saved: The user plays tennis on Tuesdays", "made more exact: User plays tennis"]
    assert (await memory.history("ann"))[0].ending == "refined"


async def test_a_replacement_can_be_undone_and_both_hold(memory: UserMemory, clock: Clock) -> None:
    await memory.save("ann", [fact("I work at Siemens")])
    clock.pass_days(50)
    [gone] = (await memory.save("ann", [fact("I work at Bosch")])).replaced

    back = await memory.undo("ann", gone.id)

    assert await contents(memory) == {"I work at Siemens", "I work at Bosch"}
    assert back.expires == clock() + timedelta(days=90)
    with pytest.raises(PersonError, match="no past fact"):
        await memory.undo("ann", gone.id)
    await memory.delete("ann", back.id)
    assert await contents(memory) == {"I work at Bosch"}
    assert "Siemens" not in await memory.export("ann")


@pytest.mark.parametrize(
    "content",
    [
        "I am allergic to peanuts",
        "我对花生过敏",
        "Je m'appelle Ana",
        "Mein Geburtstag ist am 3. Mai",
        "Nací en Lugo",
        "My name is June",
        "我叫何晓冬",
        "Ich bin Diabetikerin",
    ],
)
async def test_what_never_changes_is_core_and_never_expires_however_it_is_added(
    memory: UserMemory, clock: Clock, content: str
) -> None:
    [saved] = (await memory.save("ann", [{"content": content}])).saved
    clock.pass_days(4000)
    assert saved.tier == "core" and await contents(memory) == {content}


async def test_a_newer_fact_replaces_what_it_contradicts_and_the_older_stays_in_history(memory: UserMemory) -> None:
    await memory.save("ann", [fact("The user lives in Lisbon")])

    report = await memory.save("ann", [fact("The user moved to Porto")])

    assert [one.content for one in report.replaced] == ["The user lives in Lisbon"]
    assert await contents(memory) == {"The user moved to Porto"}
    [old] = await memory.history("ann")
    assert (old.ending, old.successor) == ("replaced", report.saved[0].id)


async def test_a_full_tier_lets_its_least_valuable_fact_go_and_says_so(memory: UserMemory) -> None:
    await memory.save("ann", [fact("The user owns a kayak"), fact("User reads Dutch"), fact("User plays chess")])
    await memory.retrieve("ann", ["kayak"])
    await memory.retrieve("ann", ["chess"])

    report = await memory.save("ann", [fact("The user bakes bread")])

    assert [one.content for one in report.evicted] == ["User reads Dutch"]
    assert await contents(memory) == {"The user owns a kayak", "User plays chess", "The user bakes bread"}


async def test_a_fact_that_is_worth_less_than_all_in_a_full_tier_is_refused(memory: UserMemory) -> None:
    await memory.save("ann", [fact("User is called Ann", "core", 1.0), fact("User was born in 1990", "core", 1.0)])

    report = await memory.save("ann", [fact("The user may like jazz", "core", 0.4)])

    assert "all 2 places" in report.refused[0].reason
    assert len(await memory.facts("ann")) == 2


async def test_lowered_caps_are_kept_at_the_next_save(store: Database, memory: UserMemory, clock: Clock) -> None:
    await memory.save("ann", [fact("The user owns a kayak"), fact("User reads Dutch"), fact("User plays chess")])

    report = await UserMemory(store, Caps(important=1), clock).save("ann", [])

    assert len(report.evicted) == 2


async def test_malformed_facts_are_refused_with_what_to_do(memory: UserMemory) -> None:
    report = await memory.save(
        "ann",
        [{"content": "User owns a kayak", "tier": "huge"}, {}, {"content": 3}, fact("The user's password is hunter2")],
    )

    assert [one.reason.split(":")[0] for one in report.refused[:3]] == ["tier", "content", "content"]
    assert "'core', 'important' or 'context'" in report.refused[0].reason
    assert "hunter2" not in str(report), "what is refused as a secret is not told again"
    assert not await memory.facts("ann")


async def test_the_life_of_a_memory_over_a_hundred_days(memory: UserMemory, clock: Clock) -> None:
    everything = [
        fact("The user is called Ann", "core"),
        fact("The user works at Acme"),
        fact("The user is planning a trip to Norway", "context"),
    ]
    await memory.save("ann", everything)

    clock.pass_days(29)
    assert len(await memory.facts("ann")) == 3
    clock.pass_days(2)
    assert await contents(memory) == {"The user is called Ann", "The user works at Acme"}
    await memory.save("ann", [fact("The user now works at Globex")])
    clock.pass_days(69)

    assert await contents(memory) == {"The user is called Ann", "The user now works at Globex"}
    clock.pass_days(22)
    assert [one.content for one in await memory.expire("ann")] == ["The user now works at Globex"]
    assert await contents(memory) == {"The user is called Ann"}
    assert [one.ending for one in await memory.history("ann")] == ["expired", "replaced", "expired"]


async def test_a_person_can_correct_a_fact(memory: UserMemory) -> None:
    [old] = (await memory.save("ann", [fact("The user's cat is called Tom")])).saved

    new = await memory.correct("ann", old.id, "The user's cat is called Tim")

    assert (await contents(memory), new.confidence) == ({"The user's cat is called Tim"}, 1.0)
    assert (await memory.history("ann"))[0].successor == new.id
    with pytest.raises(PersonError, match="secret"):
        await memory.correct("ann", new.id, "The user's password is hunter2")


async def test_a_deleted_fact_leaves_no_words_behind_not_even_in_history(memory: UserMemory) -> None:
    [old] = (await memory.save("ann", [fact("The user's cat is called Tom")])).saved
    new = await memory.correct("ann", old.id, "The user's cat is called Tim")

    await memory.delete("ann", new.id)

    assert await contents(memory) == set()
    assert {one.content for one in await memory.history("ann")} == {""}
    assert "cat" not in await memory.export("ann")
    with pytest.raises(PersonError, match="There is no fact"):
        await memory.delete("ann", new.id)


async def test_nobody_can_touch_the_facts_of_another(memory: UserMemory) -> None:
    [mine] = (await memory.save("ann", [fact("The user lives in Bonn")])).saved

    with pytest.raises(PersonError):
        await memory.delete("bob", mine.id)


async def test_what_was_exported_can_be_taken_in_by_another_and_twice_is_once(memory: UserMemory) -> None:
    await memory.save("ann", [fact("The user lives in Lisbon"), fact("User plays chess")])
    await memory.save("ann", [fact("The user lives in Porto")])
    exported = await memory.export("ann")

    assert await memory.restore("bob", exported) == 3
    await memory.restore("bob", exported)

    assert await contents(memory, "bob") == await contents(memory)
    assert len(await memory.history("bob")) == 1
    for bad in ("no json", "[3]", '{"a": 1}', '[{"id": "x"}]'):
        with pytest.raises(PersonError, match="not an exported memory"):
            await memory.restore("bob", bad)


async def test_another_process_sees_changes_and_cannot_undo_an_end(
    store: Database, memory: UserMemory, clock: Clock
) -> None:
    other = UserMemory(store, Caps(), clock)
    [saved] = (await memory.save("ann", [fact("The user owns a kayak")])).saved
    assert await contents(other) == {"The user owns a kayak"}

    await memory.delete("ann", saved.id)
    await store.keep([saved.model_copy(update={"use_count": 9})])

    assert await contents(other) == set()


async def test_what_was_said_is_found_across_conversations_with_neighbours_and_date(
    memory: UserMemory, clock: Clock
) -> None:
    lines = ["Shall we talk about pets?", "We adopted a greyhound last Saturday.", "Oh, how lovely!"]
    await memory.index("ann", "talk-1", [PastMessage(text=line, at=clock()) for line in lines])
    clock.pass_days(30)
    await memory.index("ann", "talk-2", [PastMessage(text="The rent will go up in May.", at=clock())])

    [found, *_] = await memory.search("ann", "what did I say about a dog?", limit=3)

    assert found.message.text == lines[1]
    assert [said.text for said in (*found.before, *found.after)] == [lines[0], lines[2]]
    assert found.message.at == datetime(2026, 1, 1, tzinfo=UTC)
    assert (await memory.search("ann", "housing costs", limit=1))[0].message.conversation == "talk-2"
    assert await memory.search("bob", "dog") == []


async def test_a_deleted_conversation_is_not_found_any_more(store: Database, memory: UserMemory) -> None:
    await memory.index("ann", "talk-1", [PastMessage(text="We adopted a greyhound.")])
    await memory.index("ann", "talk-2", [PastMessage(text="The rent goes up.")])
    await memory.search("ann", "dog")

    await store.delete_conversation("talk-1")

    assert await memory.search("ann", "dog") == []
    assert [one.message.conversation for one in await memory.search("ann", "rent")] == ["talk-2"]


@pytest.mark.parametrize(
    "query",
    ["quantum chromodynamics", "database index", "chess openings", "Wechselkurs Yen", "天气预报", "visa for Mongolia"],
)
async def test_nothing_is_found_where_nothing_was_said_about_it(memory: UserMemory, query: str) -> None:
    lines = ["We adopted a greyhound last Saturday.", "The rent goes up in May.", "My sister bakes bread on Sundays."]
    await memory.index("ann", "talk-1", [PastMessage(text=line) for line in lines])
    assert await memory.search("ann", query) == []


async def test_a_name_of_a_deleted_fact_is_not_told_by_an_answer_in_other_words(
    memory: UserMemory, clock: Clock
) -> None:
    told = PastMessage(text="You told me about your hedgehog Bodo.", role="assistant", at=clock())
    other = PastMessage(text="Bodo Ramelow spoke.", role="assistant", at=clock())
    await memory.index("ann", "talk-1", [told, other])
    [pet] = (await memory.save("ann", [fact("I keep a hedgehog called Bodo")])).saved

    await memory.delete("ann", pet.id)

    assert [one.message.text for one in await memory.search("ann", "hedgehog Bodo")] == [other.text]


async def test_a_corrected_fact_lives_as_long_as_a_new_one(memory: UserMemory, clock: Clock) -> None:
    [old] = (await memory.save("ann", [fact("The user plays chess", "context")])).saved
    clock.pass_days(20)
    new = await memory.correct("ann", old.id, "The user plays tennis")
    assert new.expires == clock() + timedelta(days=30)
    core = await memory.correct("ann", new.id, "The user is allergic to nuts")
    assert (core.tier, core.expires) == ("core", None)


async def test_a_deleted_fact_is_not_told_by_old_messages(store: Database, memory: UserMemory, clock: Clock) -> None:
    lines = ["By the way, I have a peanut allergy.", "Noted: you are allergic to peanuts.", "I grow peanuts, too."]
    roles = ("user", "assistant", "user")
    said = [PastMessage(text=line, role=role, at=clock()) for line, role in zip(lines, roles, strict=True)]
    await memory.index("ann", "talk-1", said)
    await memory.index("ann", "talk-2", [PastMessage(text="我住在北京，也喜欢北京烤鸭。", at=clock())])
    allergy, home = (await memory.save("ann", [fact("The user is allergic to peanuts"), fact("我住在北京")])).saved
    assert len(await memory.search("ann", "peanut allergy 北京")) == 4

    assert await memory.delete("ann", allergy.id) == ["talk-1"]
    assert await memory.delete("ann", home.id) == ["talk-2"]

    for reader in (memory, UserMemory(store, Caps(), clock)):
        found = await reader.search("ann", "peanut allergy 北京")
        assert [one.message.text for one in found] == ["I grow peanuts, too."]
        assert not found[0].before

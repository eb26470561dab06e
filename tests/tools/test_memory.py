"""The memory tools: what they save, recall and say."""

from typing import Any

import pytest

from pilotfish.core.settings import MemorySettings as Wanted
from scripted_app import Open, events_of
from tools.using import run_tools

pytestmark = pytest.mark.anyio


def saves(*contents: str, **more: Any) -> tuple[str, dict[str, Any]]:
    return "memory_save", {"facts": [{"content": content, **more} for content in contents]}


async def test_what_is_saved_is_recalled_and_shown_in_the_run(opened: Open) -> None:
    fish = await opened(memory=Wanted())
    recall = ("memory_retrieve", {"search_terms": ["food"]})
    saved, recalled = await run_tools(
        fish, saves("The user is allergic to peanuts"), recall, task="I am the user and allergic to peanuts"
    )
    assert saved.ok and saved.text == "saved: The user is allergic to peanuts"
    assert recalled.text.startswith("recalled 1 fact: The user is allergic to peanuts")
    assert recalled.data["facts"][0]["use_count"] == 1 and "(profile, 20" in recalled.output
    [fact] = await fish.memory.facts("local")
    assert fact.sources == ((await fish.runs())[0].conversation,)


async def test_a_fact_may_be_a_sentence_alone(opened: Open) -> None:
    fish = await opened(memory=Wanted())
    [saved] = await run_tools(
        fish, ("memory_save", {"facts": ["The user keeps bees"]}), task="I am the user and the user keeps bees"
    )
    assert saved.text == "saved: The user keeps bees"


async def test_a_full_tier_says_in_the_run_what_made_room(opened: Open) -> None:
    fish = await opened(memory=Wanted(important=1))
    kayak, bread = saves("The user owns a kayak"), saves("The user bakes bread", confidence=1.0)
    _, second = await run_tools(fish, kayak, bread, task="The user owns a kayak and bakes bread")
    assert "made room, as the least valuable: The user owns a kayak" in second.text
    assert second.data["evicted"][0]["content"] == "The user owns a kayak"


async def test_a_contradiction_and_a_repetition_are_told(opened: Open) -> None:
    fish = await opened()
    steps = (saves("The user lives in Lisbon"), saves("User lives in Lisbon"), saves("The user moved to Porto"))
    _, again, moved = await run_tools(fish, *steps, task="The user lives in Lisbon, no: the user moved to Porto")
    assert again.text.startswith("already known") and "replaced: The user lives in Lisbon" in moved.text


@pytest.mark.parametrize(
    ("args", "why"),
    [
        ({"facts": []}, "at least 1 item"),
        ({"facts": [{"content": "The user owns a kayak", "tier": "huge"}]}, "'core', 'important' or 'context'"),
        ({"facts": "kayak"}, "facts"),
        ({"facts": [{"content": "The user's password is hunter2"}]}, "secrets are never remembered"),
        ({"facts": [{"content": "asdf"}]}, "say who or what"),
    ],
)
async def test_a_fact_that_cannot_be_kept_is_an_error_that_says_why(
    opened: Open, args: dict[str, Any], why: str
) -> None:
    [result] = await run_tools(await opened(), ("memory_save", args), task="The user's password is hunter2. asdf")
    assert not result.ok and why in result.error


async def test_an_unknown_category_is_told(opened: Open) -> None:
    [result] = await run_tools(await opened(), ("memory_retrieve", {"categories": ["secrets"]}))
    assert not result.ok and "'profile', 'preference', 'technical' or 'project'" in result.error


async def test_what_was_said_in_another_conversation_is_recalled_with_its_date(opened: Open) -> None:
    fish = await opened()
    await events_of(fish, "We adopted a greyhound called Bolt last week", loop="use-tools", calls=[])
    recall = ("memory_retrieve", {"search_terms": ["dog"]})
    [recalled] = await run_tools(fish, recall)
    assert "the user said: We adopted a greyhound called Bolt" in recalled.output
    assert recalled.text == "recalled 0 facts, and 2 earlier messages"


async def test_nothing_remembered_is_said_plainly(opened: Open) -> None:
    [recalled] = await run_tools(await opened(), ("memory_retrieve", {}))
    assert recalled.ok and recalled.output == "Nothing is remembered about this."

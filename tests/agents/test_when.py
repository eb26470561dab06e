"""What a model takes words for that do not surely say when something happens."""

import json

import pytest

from pilotfish.core.errors import PersonError, UnclearTimeError
from pilotfish.core.messages import ModelFacts
from pilotfish.llm.scripted import ScriptedModel
from scripted_app import Open


def write_reply(when: str, zone: str = "") -> str:
    return json.dumps({"when": when, "zone": zone})


async def test_a_model_says_in_plain_words_when_it_happens_and_the_next_times_are_shown(opened: Open) -> None:
    fish = await opened([write_reply("mon-sat at 9:00")])
    found = await fish.read_when("every day but Sundays at nine", zone="Europe/Berlin")
    assert (found.when, found.zone) == ("mon-sat at 9:00", "Europe/Berlin")
    assert len(found.next) == 5 and all(at.weekday() < 6 for at in found.next)
    made = await fish.schedule("Read the news", found.when, zone=found.zone)
    assert made.next == found.next[0]


async def test_the_run_that_asked_the_model_is_not_kept(opened: Open) -> None:
    fish = await opened([write_reply("daily at 8")])
    await fish.read_when("each and every day at 8", zone="UTC")
    assert await fish.runs() == [] and await fish.schedules.list() == []


async def test_a_named_zone_counts_and_one_that_does_not_exist_is_refused(opened: Open) -> None:
    fish = await opened([write_reply("daily at 8:00", "Asia/Tokyo"), write_reply("daily at 8:00", "Mars/Base")])
    assert (await fish.read_when("every day at 8 Tokyo time", zone="UTC")).zone == "Asia/Tokyo"
    with pytest.raises(PersonError, match="no time zone"):
        await fish.read_when("every day at 8 on Mars", zone="UTC")


@pytest.mark.parametrize("reply", [write_reply(""), "I do not know."])
async def test_where_no_known_form_says_it_the_words_are_refused_with_examples(opened: Open, reply: str) -> None:
    fish = await opened([reply, reply, reply])
    with pytest.raises(UnclearTimeError) as refused:
        await fish.read_when("at sunrise", zone="UTC")
    assert "every weekday at 8" in refused.value.fix


async def test_what_the_model_says_must_be_a_time_that_is_surely_read(opened: Open) -> None:
    fish = await opened([write_reply("every full moon"), write_reply("monthly on the 1st at 9")])
    assert (await fish.read_when("once a moon", zone="UTC")).when == "monthly on the 1st at 9"


async def test_a_small_model_is_not_asked_since_it_guesses(opened: Open) -> None:
    fish = await opened()
    small = ScriptedModel([], facts=ModelFacts(small=True))
    fish.models.set_default("scripted", small)
    with pytest.raises(UnclearTimeError):
        await fish.read_when("every day but Sundays at nine", zone="UTC")
    assert small.requests == []

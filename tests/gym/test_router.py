"""Router decisions: what is written is what the loop `auto` sends."""

import json

from gym.router import ROUTER, draw_request, draw_saying, write_decision
from gym.words import LANGUAGES, Draw
from pilotfish.core.messages import ModelReply
from pilotfish.llm.model_facts import EMBEDDED_MODEL
from pilotfish.llm.scripted import ScriptedModel
from scripted_app import Open, events_of


async def test_a_router_decision_has_the_messages_that_auto_sends(opened: Open) -> None:
    rows = [json.loads(write_decision(seed)) for seed in range(0, 80, 4)]
    row = next(row for row in rows if row["reply"] == '{"way":"talk"}')
    fish = await opened()
    model = ScriptedModel([row["reply"], ModelReply(text="Hello.")], facts=EMBEDDED_MODEL)
    fish.models.set_default("scripted", model)
    await events_of(fish, row["messages"][-1]["content"], loop="auto")
    sent = [{"role": each.role, "content": each.text} for each in model.requests[0].messages]
    assert sent == row["messages"]


def test_ways_and_languages_are_mixed() -> None:
    rows = [json.loads(write_decision(seed)) for seed in range(1, 120)]
    assert {row["reply"] for row in rows} == {f'{{"way":"{way}"}}' for way in ("browse", "chat", "research", "talk")}
    assert len({row["language"] for row in rows}) == 5


def test_what_changes_something_on_a_page_is_never_sent_to_the_loop_that_only_reads() -> None:
    rows = [json.loads(write_decision(seed)) for seed in range(1, 200)]
    asked = {row["messages"][-1]["content"] for row in rows if row["reply"] == '{"way":"browse"}'}
    assert asked
    assert not asked & {row["messages"][-1]["content"] for row in rows if row["reply"] != '{"way":"browse"}'}
    assert sum(text.rstrip().endswith(("?", "?")) for text in asked) > len(asked) / 25


def test_a_wish_for_a_picture_names_what_is_wanted_in_the_language_of_the_person() -> None:
    for language in LANGUAGES:
        draw = Draw(1, ROUTER, language)
        said = draw_saying(draw, "research.draw")
        assert any(picture in said for picture in draw.all("picture"))


def test_questions_and_statements_also_begin_with_a_greeting() -> None:
    hello = {text.rstrip() for language in LANGUAGES for text in Draw(1, ROUTER, language).all("hello")}
    rows = [draw_request(seed) for seed in range(1, 160)]
    greeted = {way for said, way, _ in rows if any(said.startswith(each) and said != each for each in hello)}
    assert {"research", "talk", "chat"} <= greeted

"""Router decisions: what is written is what the loop `auto` sends."""

import json

from gym.router import write_decision
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

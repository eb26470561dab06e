"""Loops that call tools of pages: what models are shown, what the policy says, and one call beside several clicks."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from agents.scene import acts, as_json, cart_count, click, end, page_of
from pilotfish.core import events
from pilotfish.core.messages import Message, ModelReply, ToolCall
from pilotfish.core.policy import PolicyRule
from pilotfish.core.settings import BrowserSettings, PolicySettings
from pilotfish.loop_support.turn import TurnAction
from pilotfish.practice.server import Practice
from scripted_app import Open, events_of, script

pytestmark = [pytest.mark.anyio, pytest.mark.slow, pytest.mark.whole_browser]
TASK = "Put a Tide kettle into the cart"
ADD = {"tool": "page.add_to_cart", "slug": "tide-kettle"}
DONE = {"answer": "The kettle is in the cart.", "evidence": ["tide-kettle is in the cart"]}
USE = PolicySettings(rules=(PolicyRule(then="allow", effect="use"),))
GIVE_UP = as_json(give_up={"reason": "x", "help": ""})


def tool_ends(story: Sequence[events.StreamItem]) -> list[events.ToolFinished]:
    return [e for e in story if isinstance(e, events.ToolFinished)]


def question_texts(story: Sequence[events.StreamItem]) -> list[str]:
    return [e.question for e in story if isinstance(e, events.InputRequested)]


def whole(messages: Sequence[Message]) -> str:
    return "\n".join(message.text for message in messages)


async def test_a_chore_is_one_call_of_a_tool_or_several_clicks(opened: Open, site: Practice) -> None:
    fish = await opened(policy=USE)
    by_tool = script(fish, [acts(ADD, done=DONE)])
    one = await events_of(fish, TASK, loop="horizon", tabs=[site.address("/widgets/tools", "p1")])
    assert end(one).text == DONE["answer"] and cart_count(site, "p1") == 1
    assert [e.tool for e in tool_ends(one)] == ["page_tool"]
    script(fish, [acts("Shop"), acts("Tide kettle"), acts("Add to cart", done={**DONE, "evidence": ["Cart (1)"]})])
    several = await events_of(fish, TASK, loop="horizon", tabs=[site.address("/widgets/tools", "p2")])
    assert end(several).outcome == "completed" and cart_count(site, "p2") == 1
    assert [e.tool for e in tool_ends(several)] == ["click", "click", "click"]
    assert len(by_tool.requests) == 1


async def test_tools_stand_within_the_marks_and_are_offered_only_where_there_are_some(
    opened: Open, site: Practice
) -> None:
    fish = await opened()
    model = script(fish, [acts("Shop"), GIVE_UP])
    await events_of(fish, TASK, loop="horizon", tabs=[site.address("/widgets/tools", "p3")])
    first = whole(model.requests[0].messages)
    inside = first.partition("<data-")[2].partition("</data-")[0]
    assert "- page.add_to_cart(slug: string" in inside and first.count("page.add_to_cart") == 1
    assert "- page_tool(name" in model.requests[0].messages[0].text
    plain = script(fish, [GIVE_UP])
    await events_of(fish, TASK, loop="horizon", tabs=[site.address("/shop", "p4")])
    assert "page_tool" not in whole(plain.requests[0].messages)


async def test_pilot_and_strict_call_tools_of_pages_too(opened: Open, site: Practice) -> None:
    fish = await opened(policy=USE)
    choice = {"reasoning": "", "needs_action": True, "action": "call page.add_to_cart", "call": ADD}
    script(
        fish, [as_json(**choice), as_json(reasoning="", needs_action=False, message="Done.", evidence="in the cart")]
    )
    story = await events_of(fish, TASK, loop="pilot", tabs=[site.address("/widgets/tools", "p5")])
    assert end(story).outcome == "completed" and cart_count(site, "p5") == 1
    call = ToolCall(id="1", tool="page_tool", args={"name": "add_to_cart", "arguments": {"slug": "tide-kettle"}})
    plan = json.dumps({"plan": "add it", "tools_to_consider": [], "finish": False})
    seen = json.dumps({"observation": "it is in", "should_continue": False, "final_answer": "It is in."})
    model = script(fish, [plan, ModelReply(calls=(call,)), seen])
    story = await events_of(fish, TASK, loop="strict", tabs=[site.address("/widgets/tools", "p6")])
    assert end(story).text == "It is in." and cart_count(site, "p6") == 1
    assert "1 × tide-kettle is in the cart." in whole(model.requests[-1].messages)


async def test_a_tool_asks_unless_it_only_reads_on_a_site_of_the_task(opened: Open, site: Practice) -> None:
    fish = await opened()
    reads: dict[str, Any] = {"tool": "page.list_goods"}
    model = script(fish, [acts(reads), acts(ADD), GIVE_UP])
    how = {"loop": "horizon", "tabs": [site.address("/widgets/tools", "p7")], "input_timeout": 0.05}
    story = await events_of(fish, TASK, **how)
    assert [e.ok for e in tool_ends(story)] == [True, False]
    assert "Tide kettle" in tool_ends(story)[0].output and "Tide kettle" in page_of(model.requests[1])
    place = site.url.removeprefix("http://")
    assert question_texts(story) == [
        f"May I call the page's tool “add_to_cart” with slug “tide-kettle” on {place}? This would use a tool that may "
        "change something: it is a tool of the page."
    ]
    assert cart_count(site, "p7") == 0


async def test_once_allowed_a_tool_may_send_what_it_needs_and_nobody_is_asked_twice(
    opened: Open, site: Practice
) -> None:
    fish = await opened()
    script(fish, [acts(ADD, done=DONE)])
    record = await fish.start(TASK, loop="horizon", tabs=[site.address("/widgets/tools", "p8")], attended=True)
    questions = 0
    async for event in fish.follow(record.id):
        if isinstance(event, events.InputRequested):
            questions += 1
            await fish.command(record.id, "answer", request=event.request, text="Allow once", by="ada")
    assert (questions, cart_count(site, "p8")) == (1, 1)


async def test_reading_alone_admits_only_tools_that_read(opened: Open, site: Practice) -> None:
    fish = await opened()
    script(fish, [acts({"tool": "page.high_water"}), acts(ADD), GIVE_UP])
    how = {"loop": "horizon", "tabs": [site.address("/widgets/tools", "p9")], "policy": "read_only"}
    story = await events_of(fish, TASK, **how)
    assert [(e.ok, bool(e.data.get("refused"))) for e in tool_ends(story)] == [(True, False), (False, True)]
    assert question_texts(story) == [] and cart_count(site, "p9") == 0


async def test_a_setting_turns_them_off(opened: Open, site: Practice) -> None:
    fish = await opened(browser=BrowserSettings(timeout=10, page_tools=False))
    model = script(fish, [acts(ADD), GIVE_UP])
    story = await events_of(fish, TASK, loop="horizon", tabs=[site.address("/widgets/tools", "p10")])
    assert "page.add_to_cart" not in page_of(model.requests[0]) and cart_count(site, "p10") == 0
    assert "page_tool was not offered here" in tool_ends(story)[0].error


async def test_the_first_look_after_the_page_changed_shows_its_new_tools(opened: Open, site: Practice) -> None:
    fish = await opened()
    model = script(fish, [lambda r: as_json(actions=[click(r, "Shop")]), GIVE_UP])
    story = await events_of(fish, TASK, loop="horizon", tabs=[site.address("/widgets/tools", "p11")])
    assert "The page no longer offers: page.add_to_cart" in tool_ends(story)[0].output
    assert "page.add_to_cart" not in page_of(model.requests[1]).rpartition("The page at turn")[2]


def test_a_call_by_name_is_read_with_its_arguments_beside_it_or_under_arguments() -> None:
    beside = TurnAction.model_validate({"tool": "page.add", "id": "k1", "expect": "Cart"})
    under = TurnAction.model_validate({"tool": "page.add", "arguments": {"id": "k1"}, "expect": "Cart"})
    assert beside.tool == under.tool == "page_tool" and beside.expect == "Cart"
    assert beside.args == under.args == {"name": "add", "arguments": {"id": "k1"}}

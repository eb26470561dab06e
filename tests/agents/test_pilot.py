"""How a small model pilots: it picks from a list, and what it picked is carried out while it holds."""

import json
import re
from typing import Any

import pytest

from agents.scene import carted, end, modest, page_of
from fish import Open, told
from pilotfish.core import events
from pilotfish.core.messages import Request
from pilotfish.practice.server import Practice

pytestmark = [pytest.mark.anyio, pytest.mark.slow]


def plan(*acts: tuple[str, str] | str) -> str:
    """A small model's answer."""
    moves = [{"act": act} if isinstance(act, str) else {"act": act[0], "text": act[1]} for act in acts]
    return json.dumps({"why": "so", "acts": moves})


def line(request: Request, start: str) -> str:
    """The line of the list that begins so."""
    assert request.shape is not None
    listed = [act for act in acts(request.shape) if act.startswith(start)]
    assert listed, f"{start} is not offered on\n{page_of(request)}"
    return listed[0]


def acts(schema: Any) -> list[str]:
    return [act for item in schema["properties"]["acts"]["items"]["anyOf"] for act in item["properties"]["act"]["enum"]]


async def test_one_answer_is_carried_out_move_by_move(opened: Open, site: Practice) -> None:
    fish = await opened()
    world = site.address("/shop", "s1")
    model = modest(
        fish,
        [
            lambda r: plan(
                (line(r, "type into Search the shop"), "kettle"), line(r, "click Search ["), "click nothing [9999]"
            ),
            lambda r: plan(line(r, "click Tide kettle")),
            lambda r: plan(line(r, "click Add to cart")),
        ],
    )
    story = await told(
        fish, "Search the shop for kettle and add the Tide kettle to the cart", loop="pilot", tabs=[world]
    )
    done = [e.tool for e in story if isinstance(e, events.ToolFinished) and e.ok]
    assert done[:2] == ["type", "click"] and carted(site, "s1") == 1
    assert end(story).outcome == "completed"
    assert len(model.asked) == 3, "a move that the page does not have is thought over; one that is done is not"


async def test_only_what_the_page_allows_can_be_picked(opened: Open, site: Practice) -> None:
    fish = await opened()
    model = modest(fish, [plan(("done", "Nothing to do.")), plan(("done", "Nothing to do."))])
    await told(fish, "Do nothing", loop="pilot", tabs=[site.address("/shop", "s2")])
    listed = acts(model.asked[0].shape)
    shown = set(re.findall(r"\[\d+\]", page_of(model.asked[0])))
    assert shown and all(set(re.findall(r"\[\d+\]", act)) <= shown for act in listed)
    assert "select Name in Sort by" in " ".join(listed) and "type into Tide kettle" not in " ".join(listed)
    assert "you said: Nothing to do." in page_of(model.asked[1]), "a claim before anything was done is held once"


async def test_the_prefix_stays_the_same_from_step_to_step(opened: Open, site: Practice) -> None:
    fish = await opened()
    model = modest(
        fish, [lambda r: plan(line(r, "click Tide kettle")), plan(("done", "I see it.")), plan(("done", "I see it."))]
    )
    await told(fish, "Look at the Tide kettle, then at the moon and the stars", loop="pilot", tabs=[f"{site.url}/shop"])
    first, second = (page_of(request) for request in model.asked[:2])
    assert model.asked[0].messages[0] == model.asked[1].messages[0]
    assert second.startswith(first.partition("nothing")[0]) and "1. click Tide kettle" in second
    assert "Left: look, moon, stars" in second


async def test_a_question_offers_what_it_names_on_the_page(opened: Open, site: Practice) -> None:
    fish = await opened()
    modest(fish, [plan(("ask", "Tide kettle or Oat bowl?")), plan(("done", "Good.")), plan(("done", "Good."))])
    story = await told(fish, "Buy it", loop="pilot", tabs=[f"{site.url}/shop"], input_timeout=0.1)
    asked = next(e for e in story if isinstance(e, events.InputRequested))
    assert asked.choices == ("Tide kettle", "Oat bowl")


async def test_the_address_in_a_task_is_opened_where_nothing_is_open(opened: Open, site: Practice) -> None:
    fish = await opened()
    modest(fish, [lambda r: plan(line(r, "click Tide kettle")), lambda r: plan(line(r, "click Add to cart"))])
    task = f"Open {site.address('/shop', 's9')} and add the Tide kettle to the cart"
    story = await told(fish, task, loop="pilot")
    first = next(e for e in story if isinstance(e, events.ToolStarted))
    assert first.tool == "navigate" and carted(site, "s9") == 1
    assert end(story).outcome == "completed"


async def test_where_nothing_is_open_and_no_address_given_the_person_is_asked_for_it(
    opened: Open, site: Practice
) -> None:
    fish = await opened()
    modest(fish, [lambda r: plan(line(r, "click Tide kettle")), lambda r: plan(line(r, "click Add to cart"))])
    record = await fish.start("Add the Tide kettle to the cart", loop="pilot")
    async for event in fish.follow(record.id):
        if isinstance(event, events.InputRequested):
            assert "address" in event.question
            await fish.command(record.id, "answer", request=event.request, text=site.address("/shop", "s10"))
    assert carted(site, "s10") == 1


async def test_an_end_that_leaves_a_value_of_the_goal_unused_is_thought_over_once(opened: Open, site: Practice) -> None:
    fish = await opened()
    world = site.address("/shop", "s5")
    model = modest(
        fish,
        [
            lambda r: plan((line(r, "type into Search the shop"), "boats"), ("done", "I searched.")),
            lambda r: plan(line(r, "click Search [")),
            lambda r: plan(("done", "There is nobody to tell.")),
        ],
    )
    story = await told(fish, 'Look for "boats", then say "ahoy"', loop="pilot", tabs=[world])
    assert end(story).text == "There is nobody to tell."
    assert ["done" in acts(asked.shape) for asked in model.asked] == [True, False, True]

"""The `pilot` loop on real tasks in a real browser, with a model that says what it is told to."""

from typing import Any

import pytest

from agents.scene import as_json, cart_count, click, end, id_of, page_of
from pilotfish.core import events
from pilotfish.core.messages import ModelRequest
from pilotfish.core.settings import ModelSettings
from pilotfish.llm.scripted import FACTS, ScriptedModel
from pilotfish.practice.server import Practice
from scripted_app import Open, events_of, script

__all__ = ["cart_count", "end", "id_of"]
pytestmark = [pytest.mark.anyio, pytest.mark.slow]


DONE = as_json(reasoning="done", needs_action=False, message="The kettle is in the cart.", evidence="Cart (1)")


def decides(call: dict[str, Any] | None = None, action: str = "go on", **fields: Any) -> str:
    return as_json(reasoning=action, needs_action=True, action=action, **({"call": call} if call else {}), **fields)


def clicks(name: str, **fields: Any) -> Any:
    return lambda r: decides({"tool": "click", "id": id_of(page_of(r), name)}, f"click {name}", **fields)


def whole(request: ModelRequest) -> str:
    return "\n".join(message.text for message in request.messages)


async def test_one_model_for_both_roles_decides_and_calls_in_one_reply(opened: Open, site: Practice) -> None:
    fish = await opened()
    model = script(fish, [clicks("Tide kettle", message="I open it."), clicks("Add to cart"), DONE])
    story = await events_of(fish, "Add the kettle to the cart", loop="pilot", tabs=[site.address("/shop", "p1")])
    assert (end(story).outcome, end(story).text) == ("completed", "The kettle is in the cart.")
    assert cart_count(site, "p1") == 1 and len(model.requests) == 3, "what the page shows needs no second look"
    assert [e.text for e in story if isinstance(e, events.Progressed)] == ["I open it."]
    assert 'click link "Tide kettle" → ' in whole(model.requests[1])


async def test_two_models_decide_in_words_and_make_a_call_of_them(opened: Open, site: Practice) -> None:
    fish = await opened(models=ModelSettings(main="scripted", executor="scripted:hands"))
    script(fish, [decides(action="put kettle into the search field"), as_json(reasoning="x", needs_action=False)])
    field = lambda r: id_of(page_of(r), "Search the shop")  # noqa: E731
    hands = ScriptedModel([lambda r: as_json(tool="type", id=field(r), text="kettle")], name="hands")
    fish.models.set_default("scripted:hands", hands)
    story = await events_of(fish, "Search for kettle", loop="pilot", tabs=[f"{site.url}/shop"], max_steps=1)
    [finished] = [e for e in story if isinstance(e, events.ToolFinished)]
    assert finished.ok and finished.tool == "type" and "kettle" in finished.output
    assert "put kettle into the search field" in page_of(hands.requests[0])


async def test_the_model_that_carries_out_sees_what_the_last_action_brought(opened: Open, site: Practice) -> None:
    fish = await opened(models=ModelSettings(main="scripted", executor="scripted:hands"))
    script(fish, [decides(action="click the button"), decides(action="click Tide kettle")])
    hands = ScriptedModel([as_json(tool="click", id=9999), lambda r: as_json(**click(r, "Tide kettle"))], name="hands")
    fish.models.set_default("scripted:hands", hands)
    await events_of(fish, "Open the kettle", loop="pilot", tabs=[f"{site.url}/shop"], max_steps=2)
    first, second = map(whole, hands.requests)
    assert "What was done last" not in first and "click [9999] → FAILED: " in second


async def test_the_decider_sees_what_its_tools_returned_and_which_tabs_are_open(opened: Open, site: Practice) -> None:
    fish = await opened()
    opens = decides({"tool": "manage_tabs", "action": "open", "url": f"{site.url}/nowhere"})
    reads = decides({"tool": "manage_tabs", "action": "list"})
    model = script(
        fish, [opens, reads, as_json(reasoning="x", needs_action=False), as_json(reasoning="x", needs_action=False)]
    )
    await events_of(fish, "Look around", loop="pilot", tabs=[f"{site.url}/shop"])
    assert "status 404" in whole(model.requests[1])
    assert f"Open tabs: 1 {site.url}/shop; 2 {site.url}/nowhere." in page_of(model.requests[1])
    assert "2: " in whole(model.requests[2]) and "(active)" in whole(model.requests[2])


async def test_an_end_that_the_page_does_not_show_is_looked_at_once_more(opened: Open, site: Practice) -> None:
    fish = await opened()
    model = script(fish, [clicks("Tide kettle"), DONE, as_json(reasoning="x", needs_action=False, message="Opened.")])
    story = await events_of(fish, "Open the kettle", loop="pilot", tabs=[f"{site.url}/shop"])
    assert end(story).text == "Opened." and "check on the page that this is true" in whole(model.requests[2])


async def test_pictures_follow_the_model_that_decides(opened: Open, site: Practice) -> None:
    fish = await opened(models=ModelSettings(main="scripted", decision="scripted:eyes"))
    seeing = FACTS.model_copy(update={"vision": True})
    eyes = ScriptedModel([as_json(reasoning="x", needs_action=False, message="Seen.")] * 2, name="eyes", facts=seeing)
    fish.models.set_default("scripted:eyes", eyes)
    await events_of(fish, "Look", loop="pilot", tabs=[f"{site.url}/shop"])
    assert eyes.requests[0].messages[-1].images


async def test_an_end_that_rests_on_words_of_the_task_is_looked_at_once_more(opened: Open, site: Practice) -> None:
    fish = await opened()
    claim = as_json(reasoning="", needs_action=False, message="The kettle is in the cart.", evidence="Cart")
    model = script(fish, [claim, clicks("Tide kettle"), clicks("Add to cart"), DONE])
    await events_of(fish, "Put the kettle into the cart", loop="pilot", tabs=[site.address("/shop", "p11")])
    assert "check on the page that this is true" in whole(model.requests[1]) and cart_count(site, "p11") == 1


async def test_a_picture_is_taken_for_the_model_that_decides_and_none_for_one_that_carries_out(
    opened: Open, site: Practice
) -> None:
    fish = await opened(models=ModelSettings(main="scripted", executor="scripted:hands"))
    blind = FACTS.model_copy(update={"vision": False})
    deciding = ScriptedModel([decides(action="click Tide kettle"), DONE, DONE], facts=blind)
    fish.models.set_default("scripted", deciding)
    seeing = FACTS.model_copy(update={"vision": True})
    hands = ScriptedModel([lambda r: as_json(**click(r, "Tide kettle"))], name="hands", facts=seeing)
    fish.models.set_default("scripted:hands", hands)
    story = await events_of(fish, "Open the kettle", loop="pilot", tabs=[f"{site.url}/shop"])
    assert [e.tool for e in story if isinstance(e, events.ToolStarted)] == ["click"], "no picture that nobody looks at"
    assert not any(m.images for model in (deciding, hands) for r in model.requests for m in r.messages)


async def test_a_run_that_goes_on_is_told_what_was_done_before(opened: Open, site: Practice) -> None:
    fish = await opened()
    model = script(fish, [clicks("Tide kettle"), clicks("Add to cart"), DONE])
    tabs = [site.address("/shop", "p9")]
    first = await fish.start("Add the kettle to the cart", loop="pilot", tabs=tabs, max_steps=1)
    account = end([e async for e in fish.follow(first.id)]).text
    again = await fish.continue_run(first.id)
    assert end([e async for e in fish.follow(again.id)]).outcome == "failed", "one step each"
    earlier = model.requests[1].messages[1].text
    assert account.startswith("What was done until then:\n- Clicked") and account in earlier
    assert "An earlier attempt at the task" in earlier and "mark removed" not in earlier
    assert cart_count(site, "p9") == 1, "it went on from the page of the kettle"


async def test_asks_the_person_and_uses_the_answer(opened: Open, site: Practice) -> None:
    fish = await opened()
    told = as_json(reasoning="told", needs_action=False, message="You said Search.")
    asks = as_json(reasoning="which?", needs_action=False, ask_user="Which button: Search or Cart?")
    model = script(fish, [asks, told, told])
    record = await fish.start("Click the button", loop="pilot", tabs=[f"{site.url}/shop"])
    async for event in fish.follow(record.id):
        if isinstance(event, events.InputRequested):
            await fish.command(record.id, "answer", request=event.request, text="Search")
    assert (await fish.record(record.id)).answer == "You said Search."
    assert "the person says: Search" in whole(model.requests[1])


async def test_a_loop_that_repeats_itself_is_told_then_stopped(opened: Open, site: Practice) -> None:
    fish = await opened()
    model = script(fish, [decides({"tool": "click", "id": 9999})] * 40)
    done = end(await events_of(fish, "Do it", loop="pilot", tabs=[f"{site.url}/shop"]))
    assert done.outcome == "failed" and "6 times" in done.error
    assert any("Do something else" in page_of(r) for r in model.requests)

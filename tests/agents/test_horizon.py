"""Plans of a few steps: carried out without a model where they come true, made anew where the world has changed."""

from typing import Any

import pytest

from agents.scene import carted, end, id_of, modest, page_of, said
from fish import Open, script, told
from pilotfish.core import events
from pilotfish.core.messages import Call, Reply, Request
from pilotfish.core.settings import Agent
from pilotfish.practice.server import Practice

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
YES = said(complete=True, evidence="Cart (1)", answer="The kettle is in the cart.")


def click(name: str) -> Any:
    return lambda r: Reply(calls=(Call(id="c", tool="click", args={"id": id_of(page_of(r), name)}),))


def plans(story: list[events.Live]) -> list[str]:
    return [
        e.text for e in story if isinstance(e, events.Progressed) and (e.stage, e.status) == ("planning", "started")
    ]


async def test_plans_executes_checks_and_finishes_with_evidence(opened: Open, site: Practice) -> None:
    fish = await opened()
    steps = [{"action": "Open the Tide kettle", "reasoning": "to buy it"}, {"action": "Add it to the cart"}]
    model = script(
        fish,
        [
            said(kind="complex"),
            said(steps=steps),
            click("Tide kettle"),
            said(steps=steps[1:]),
            click("Add to cart"),
            YES,
        ],
    )
    story = await told(fish, "Put a kettle into the cart", loop="horizon", tabs=[site.address("/shop", "h1")])
    assert end(story).text == "The kettle is in the cart."
    assert carted(site, "h1") == 1
    lists = [e.items for e in story if isinstance(e, events.Planned)]
    assert lists[0] == (("Open the Tide kettle", "doing"), ("Add it to the cart", "open"))
    assert lists[-1] == (("Open the Tide kettle", "done"), ("Add it to the cart", "done"))
    assert len(plans(story)) == 2 and "the page is now" in plans(story)[1], (
        "a page that nobody foresaw needs a new plan"
    )
    assert "Already done:" in page_of(model.asked[3]) and "click" in page_of(model.asked[3])


async def test_steps_whose_conditions_hold_need_no_model(opened: Open, site: Practice) -> None:
    fish = await opened()

    def plan(request: Request) -> str:
        page = page_of(request)
        kettle = f'click [{id_of(page, "Tide kettle")}] link "Tide kettle"'
        steps = [
            {"action": kettle, "before": "Tide kettle", "after": "Add to cart"},
            {"action": 'click "Add to cart"', "before": "Add to cart", "after": ""},
        ]
        return said(steps=steps)

    model = script(fish, [said(kind="complex"), plan, YES])
    story = await told(fish, "Put a kettle into the cart", loop="horizon", tabs=[site.address("/shop", "h2")])
    assert end(story).outcome == "completed" and carted(site, "h2") == 1
    assert [e.purpose for e in story if isinstance(e, events.ModelReplied)] == ["classify", "planner", "check"]
    assert len(model.asked) == 3 and len(plans(story)) == 1, "the second page was foreseen"


async def test_what_the_plan_did_not_foresee_goes_back_to_the_model(opened: Open, site: Practice) -> None:
    fish = await opened()
    steps = [
        {"action": "scroll down", "before": "goods", "after": "no such words"},
        {"action": 'click "Storm lantern"', "before": "Storm lantern"},
    ]
    look = said(complete=True, evidence="Storm lantern", answer="Opened.")
    script(fish, [said(kind="complex"), said(steps=steps), click("Storm lantern"), look])
    story = await told(fish, "Open the lantern", loop="horizon", tabs=[f"{site.url}/shop"])
    assert [e.purpose for e in story if isinstance(e, events.ModelReplied)][2:] == ["execute", "check"]


async def test_a_failure_and_an_unknown_tool_lead_to_a_new_plan(opened: Open, site: Practice) -> None:
    fish = await opened()
    one = said(steps=[{"action": "Open the kettle"}, {"action": "never reached"}])
    wrong = Reply(calls=(Call(id="1", tool="click", args={"id": 9999}),))
    unknown = Reply(calls=(Call(id="1", tool="teleport"),))
    look = said(complete=True, evidence="Tide kettle", answer="Opened.")
    script(fish, [said(kind="complex"), one, wrong, one, unknown, said(steps=[{"action": "x"}]), "It is open.", look])
    story = await told(fish, "Open the kettle", loop="horizon", tabs=[f"{site.url}/shop"])
    assert end(story).text == "Opened."
    assert "click failed" in plans(story)[1] and "no tool named 'teleport'" in plans(story)[2]
    lists = [e.items for e in story if isinstance(e, events.Planned)]
    assert lists[-1][:2] == (("Open the kettle", "failed"), ("Open the kettle", "failed"))


async def test_done_is_accepted_only_with_evidence_that_was_seen(opened: Open, site: Practice) -> None:
    fish = await opened(agent=Agent(steps=4))
    done = Reply(calls=(Call(id="1", tool="done", args={"summary": "Bought."}),))
    claim = said(complete=True, evidence="Order number 4711 was confirmed by captain Nemo", answer="Bought!")
    plan = said(steps=[{"action": "buy"}])
    script(fish, [said(kind="simple"), done, claim, done, said(complete=True), plan, done, claim] * 2)
    story = await told(fish, "Buy a boat", loop="horizon", tabs=[f"{site.url}/shop"])
    assert end(story).outcome == "failed" and not any("Bought!" in e.text for e in story if isinstance(e, events.Noted))
    assert sum(isinstance(e, events.ToolFinished) and e.tool == "done" for e in story) == 3


async def test_what_the_site_cannot_tell_is_looked_up_in_a_sub_run(opened: Open, site: Practice) -> None:
    fish = await opened()
    plan = said(steps=[{"action": "research: which kettle is best?"}, {"action": "Open the kettle"}])
    look = said(complete=True, evidence="Tide kettle", answer="Opened.")
    model = script(fish, [said(kind="complex"), plan, "The tide kettle is best.", click("Tide kettle"), look])
    record = await fish.start("Open the best kettle", loop="horizon", tabs=[f"{site.url}/shop"])
    assert end([e async for e in fish.follow(record.id)]).text == "Opened."
    [child] = [each for each in await fish.runs(conversation=record.conversation) if each.parent == record.id]
    assert (child.loop, child.task, child.outcome) == ("react", "which kettle is best?", "completed")
    assert "The tide kettle is best" in page_of(model.asked[3])


async def test_a_follow_up_keeps_its_context(opened: Open, site: Practice) -> None:
    fish = await opened()
    look = said(complete=True, evidence="Tide kettle", answer="Opened.")
    replies = [said(kind="simple"), click("Tide kettle"), look, said(kind="follow_up"), said(steps=[{"action": "x"}])]
    model = script(fish, [*replies, "Nothing is left.", look])
    story = await told(fish, "Open the tide kettle", loop="horizon", tabs=[f"{site.url}/shop"])
    conversation = next(e for e in story if isinstance(e, events.RunStarted)).conversation
    await told(fish, "And the same again", loop="horizon", conversation=conversation)
    assert all(any("Open the tide kettle" in m.text for m in model.asked[n].messages) for n in (3, 4, 5))


async def test_a_model_without_tool_calls_does_one_constrained_action_at_a_time(opened: Open, site: Practice) -> None:
    fish = await opened()

    def act(name: str) -> Any:
        return lambda r: said(thought="next", call={"tool": "click", "inputs": {"id": id_of(page_of(r), name)}})

    open = said(complete=False, missing="the cart")
    model = modest(fish, [said(kind="simple"), act("Tide kettle"), open, act("Add to cart"), YES])
    story = await told(fish, "Put a kettle into the cart", loop="horizon", tabs=[site.address("/shop", "h3")])
    assert end(story).text == "The kettle is in the cart." and carted(site, "h3") == 1
    ways = (model.asked[1].shape or {})["properties"]["call"]["anyOf"]
    assert len(ways) <= 11 and not any(request.tools for request in model.asked)
    assert all(len(way["properties"]["inputs"]["properties"]) <= 2 for way in ways)

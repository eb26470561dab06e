"""Choosing a loop, saying so, and keeping what was said when the loop changes."""

import pytest

from agents.scene import end, id_of, modest, page_of, said, turn
from fish import Open, script, told
from pilotfish.core import events
from pilotfish.core.messages import Call, Reply
from pilotfish.practice.server import Practice

pytestmark = [pytest.mark.anyio, pytest.mark.slow]


def chosen(story: list[events.Live]) -> events.Noted:
    return next(e for e in story if isinstance(e, events.Noted) and e.topic == "loop")


async def test_says_what_it_chose_and_why(opened: Open, site: Practice) -> None:
    fish = await opened()
    script(fish, ["€48.90"])
    story = await told(fish, "What does the kettle cost?", loop="auto", tabs=[f"{site.url}/shop"])
    assert chosen(story).details["loop"] == "chat" and "pages are open" in chosen(story).text


async def test_asks_the_light_model_where_rules_do_not_decide(opened: Open) -> None:
    fish = await opened()
    model = script(fish, [said(way="research"), "Fine."])
    assert chosen(await told(fish, "hm, interesting", loop="auto")).details["loop"] == "react"
    assert "No page is open." in model.asked[0].messages[0].text
    script(fish, [said(way="chat"), "Fine."])
    assert chosen(await told(fish, "so so", loop="auto")).details["loop"] == "react", "there is no page to chat about"


async def test_a_small_model_gets_the_loop_that_fits_it(opened: Open, site: Practice) -> None:
    fish = await opened()
    modest(fish, [])
    story = await told(fish, "Click the kettle", loop="auto", tabs=[f"{site.url}/shop"])
    assert chosen(story).details["loop"] == "pilot"


async def test_one_conversation_moves_between_loops_and_keeps_its_history(opened: Open, site: Practice) -> None:
    fish = await opened()
    model = script(
        fish,
        [
            "It costs €48.90.",
            said(kind="simple"),
            lambda r: Reply(calls=(Call(id="c", tool="click", args={"id": id_of(page_of(r), "Tide kettle")}),)),
            said(complete=True, evidence="Tide kettle", answer="Opened the kettle."),
            "You opened the kettle, which costs €48.90.",
        ],
    )
    conversation = await turn(fish, "What does the kettle cost?", "chat", "", [f"{site.url}/shop"])
    await turn(fish, "Open it", "horizon", conversation)
    assert [m.text for m in model.asked[1].messages[1:]] == [
        "What does the kettle cost?",
        "It costs €48.90.",
        "Open it",
    ]
    await turn(fish, "What did I do?", "react", conversation)
    heard = [m.text for m in model.asked[-1].messages if m.role != "system"]
    assert heard == [
        "What does the kettle cost?",
        "It costs €48.90.",
        "Open it",
        "Opened the kettle.",
        "What did I do?",
    ]
    story = [e for run in await fish.runs(conversation=conversation) for e in await fish.events(run.id)]
    assert sum(isinstance(e, events.RunFinished) for e in story) == 3 and end([story[-1]]).outcome == "completed"

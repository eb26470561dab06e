"""Choosing a loop, saying so, and keeping what was said when the loop changes."""

from collections.abc import Sequence

import pytest

from agents.scene import as_json, end, id_of, modest, page_of, turn
from pilotfish.core import events
from pilotfish.core.messages import ModelReply, ToolCall
from pilotfish.practice.server import Practice
from scripted_app import Open, events_of, script

pytestmark = [pytest.mark.anyio, pytest.mark.slow]


def chosen(story: list[events.StreamItem]) -> events.Noted:
    return next(e for e in story if isinstance(e, events.Noted) and e.topic == "loop")


async def test_says_what_it_chose_and_why(opened: Open, site: Practice) -> None:
    fish = await opened()
    script(fish, ["€48.90"])
    story = await events_of(fish, "What does the kettle cost?", loop="auto", tabs=[f"{site.url}/shop"])
    assert chosen(story).details["loop"] == "chat" and "pages are open" in chosen(story).text


async def test_asks_the_light_model_once_where_the_signals_do_not_decide(opened: Open) -> None:
    fish = await opened()
    model = script(fish, [as_json(way="research"), "Fine."])
    assert chosen(await events_of(fish, "hm, interesting", loop="auto")).details["loop"] == "react"
    assert "No page is open." in model.requests[0].messages[0].text
    assert [purpose for purpose in purposes(await fish.events((await fish.runs())[0].id)) if purpose == "choose"]


def purposes(story: Sequence[events.StreamItem]) -> list[str]:
    return [e.purpose for e in story if isinstance(e, events.ModelAsked)]


async def test_a_question_about_open_pages_takes_no_call_to_choose(opened: Open, site: Practice) -> None:
    fish = await opened()
    script(fish, ["€48.90"])
    story = await events_of(fish, "Was kostet der Kessel?", loop="auto", tabs=[f"{site.url}/shop"])
    assert purposes(story) == ["answer"] and end(story).text == "€48.90"


async def test_a_request_put_as_a_question_becomes_a_chore_and_its_signal_is_not_shown(
    opened: Open, site: Practice
) -> None:
    fish = await opened()
    script(fish, ["HAND OVER: browse", as_json(done={"answer": "It is in the cart.", "evidence": ["Tide kettle"]})])
    task = "Could you add the kettle to my cart?"
    story = await events_of(fish, task, loop="auto", tabs=[f"{site.url}/shop"])
    assert [e.details["loop"] for e in story if isinstance(e, events.Noted) and e.topic == "loop"] == [
        "chat",
        "horizon",
    ]
    assert purposes(story)[:2] == ["answer", "turn"]
    assert not [e for e in story if isinstance(e, events.TextDelta) and "HAND" in e.text]


async def test_a_chore_is_never_a_chat_whatever_its_words_say(opened: Open, site: Practice) -> None:
    fish = await opened()
    script(fish, [as_json(give_up={"reason": "no such thing", "help": "look"})] * 3)
    story = await events_of(fish, "What about the kettle?", loop="auto", chore=True, tabs=[f"{site.url}/shop"])
    assert chosen(story).details["loop"] == "horizon" and "choose" not in purposes(story)


@pytest.mark.parametrize("words", ["I am vegetarian, please remember that", "Hello, I am Anna and allergic to peanuts"])
async def test_what_a_person_says_about_themselves_opens_no_page_and_is_not_searched(opened: Open, words: str) -> None:
    fish = await opened()
    fact = {"content": "The user is vegetarian", "tier": "core", "category": "profile"}
    save = ModelReply(calls=(ToolCall(id="m", tool="memory_save", args={"facts": [fact]}),))
    model = script(fish, [as_json(way="talk"), save, "I will remember that."])
    story = await events_of(fish, words, loop="auto")
    assert chosen(story).details["loop"] == "talk" and end(story).text == "I will remember that."
    assert purposes(story) == ["choose", "talk", "talk"]
    assert not {spec.name for spec in model.requests[1].tools} & {"web_search", "web_fetch", "navigate"}
    assert not [
        e for e in story if isinstance(e, events.PageSeen) or getattr(e, "tool", "") in ("web_search", "navigate")
    ]


async def test_where_the_model_names_no_loop_nothing_is_opened_or_searched(opened: Open) -> None:
    fish = await opened()
    script(fish, ["hm", "hm", "Who was that?"])
    story = await events_of(fish, "Who invented the telephone?", loop="auto")
    assert (end(story).text, chosen(story).details["loop"]) == ("Who was that?", "talk")
    assert not [e for e in story if isinstance(e, events.PageSeen | events.ToolStarted)]


async def test_without_a_page_nothing_can_be_chosen_that_needs_one(opened: Open) -> None:
    fish = await opened()
    model = script(fish, [as_json(way="chat"), as_json(way="talk"), "Hello."])
    story = await events_of(fish, "so so", loop="auto")
    assert chosen(story).details["loop"] == "talk" and len(model.requests) == 3


async def test_a_small_model_gets_the_loop_that_fits_it(opened: Open, site: Practice) -> None:
    fish = await opened()
    modest(fish, [as_json(way="browse")])
    story = await events_of(fish, "Click the kettle", loop="auto", tabs=[f"{site.url}/shop"])
    assert chosen(story).details["loop"] == "pilot"


async def test_one_conversation_moves_between_loops_and_keeps_its_history(opened: Open, site: Practice) -> None:
    fish = await opened()
    model = script(
        fish,
        [
            "It costs €48.90.",
            lambda r: as_json(
                actions=[{"tool": "click", "id": id_of(page_of(r), "Tide kettle")}],
                done={"answer": "Opened the kettle.", "evidence": ["Add to cart"]},
            ),
            "You opened the kettle, which costs €48.90.",
        ],
    )
    conversation = await turn(fish, "What does the kettle cost?", "chat", "", [f"{site.url}/shop"])
    await turn(fish, "Open it", "horizon", conversation)
    earlier, task = (m.text for m in model.requests[1].messages[1:3])
    assert (
        "What does the kettle cost?" in earlier and "It costs €48.90." in earlier and task.startswith("Task: Open it\n")
    )
    await turn(fish, "What did I do?", "react", conversation)
    heard = [m.text for m in model.requests[-1].messages if m.role != "system"]
    assert heard == [
        "What does the kettle cost?",
        "It costs €48.90.",
        "Open it",
        "Opened the kettle.",
        "What did I do?",
    ]
    story = [e for run in await fish.runs(conversation=conversation) for e in await fish.events(run.id)]
    assert sum(isinstance(e, events.RunFinished) for e in story) == 3 and end([story[-1]]).outcome == "completed"

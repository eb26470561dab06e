"""What ends the actions of a turn: each surprise goes to the model with what was not carried out."""

from typing import Any

import pytest

from agents.scene import acts, as_json, end, history
from interfaces.server.running_server import serve_page
from pilotfish.core import events
from scripted_app import Open, events_of, script

pytestmark = [pytest.mark.anyio, pytest.mark.slow, pytest.mark.usefixtures("impatient")]
STOP = as_json(give_up={"reason": "x", "help": ""})
PAGE = b"""<title>Notes</title><main><button onclick="done.textContent += 'a '">Delete</button>
<button onclick="done.textContent += 'b '">Delete</button>
<button onclick="done.textContent += confirm('Really?') ? 'yes' : 'no'">Empty</button>
<a href="/elsewhere">More</a><p id=done></p></main>"""
SCROLL = {"tool": "scroll"}
KEY = {"tool": "press_key", "key": "Enter"}
EMPTY = {"tool": "click", "id": {"role": "button", "name": "Empty"}}
SURPRISES: dict[str, tuple[list[Any], str]] = {
    "several fit": (
        [{"tool": "click", "id": {"role": "button", "name": "Delete"}}, SCROLL],
        '2 elements fit button "Delete": ',
    ),
    "a dialog": ([EMPTY, SCROLL], "A dialog came up."),
    "a key on another page": (["More", KEY], "The next action may not be meant for it."),
}


@pytest.mark.parametrize("case", SURPRISES)
async def test_a_surprise_ends_the_actions_and_is_told(opened: Open, case: str) -> None:
    fish, (wanted, why) = await opened(), SURPRISES[case]
    model = script(fish, [acts(*wanted), STOP])
    async with serve_page(PAGE) as url:
        story = await events_of(fish, "Tidy up", loop="horizon", tabs=[url])
    assert end(story).error == "x" and why in history(model.requests[1])
    _, _, left = history(model.requests[1]).partition("Not carried out: ")
    assert (KEY if KEY in wanted else SCROLL)["tool"] in left.split(".")[0]
    tried = [event.tool for event in story if isinstance(event, events.ToolStarted)]
    assert tried == ([] if case == "several fit" else ["click"])


async def test_a_dialog_that_was_foreseen_is_answered_and_the_actions_go_on(opened: Open) -> None:
    fish = await opened()
    done = {"answer": "It is empty.", "evidence": ["yes"]}
    model = script(fish, [acts({**EMPTY, "answer": "ok"}, SCROLL, done=done), STOP])
    async with serve_page(PAGE) as url:
        story = await events_of(fish, "Empty it", loop="horizon", tabs=[url])
    assert end(story).text == "It is empty." and len(model.requests) == 1


async def test_what_the_policy_refuses_ends_the_actions(opened: Open) -> None:
    fish = await opened()
    model = script(fish, [acts("Delete", SCROLL), STOP])
    page = b"<form method=post><button>Delete account</button></form>"
    async with serve_page(page) as url:
        await events_of(fish, "Look around", loop="horizon", tabs=[url], policy="read_only")
    assert "click failed. Not carried out: scroll()" in history(model.requests[1])
    assert "FAILED: Not done: " in history(model.requests[1])

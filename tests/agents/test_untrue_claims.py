"""Claims that something is done though it is not: each leads to one more look and one more call, then to an account."""

from typing import Any

import pytest

from agents.scene import acts, as_json, cart_count, end, history
from interfaces.server.running_server import serve_page
from pilotfish.core import events
from pilotfish.practice.server import Practice
from scripted_app import Open, events_of, script

pytestmark = [pytest.mark.anyio, pytest.mark.slow, pytest.mark.usefixtures("impatient")]
TASK = "Put the Tide kettle into the cart"
READ = acts({"tool": "get_text"})
WRONG = acts({"tool": "click", "id": 9999})
LISTS = b"""<h2>Open</h2><ul><li>Bread knife <button>Note</button><li id=one>Oat bowl
<button onclick="two.append(one)">Move</button></ul><h2>Done</h2><ul id=two><li>Kettle <button>Note</button></ul>"""
FAILED = "What was done until then:"


def claim(*evidence: str, gone: str = "") -> str:
    return as_json(done={"answer": "The kettle is in the cart.", "evidence": evidence, "gone": [gone] if gone else []})


CLAIMS: dict[str, tuple[list[Any], str]] = {
    "words of the navigation": ([claim("Shop", "Docs")], "were there before anything was done"),
    "words of the task": ([claim("Tide kettle")], "were there before anything was done"),
    "words that a tool read": ([READ, claim("1.2 litre enamel kettle")], "were there before anything was done"),
    "what was never there": ([claim(gone="Moon boots")], "was never seen"),
    "the navigation of another page": (
        [acts("Tide kettle"), claim("Docs", "Files")],
        "stand in the navigation, as before",
    ),
    "after a failed action": ([WRONG, claim("€48.90")], "were there before the last action failed"),
}


@pytest.mark.parametrize("case", CLAIMS)
async def test_a_claim_that_shows_nothing_is_looked_at_once_more_and_never_taken_as_done(
    opened: Open, site: Practice, case: str
) -> None:
    fish, (replies, why) = await opened(), CLAIMS[case]
    model = script(fish, [*replies, replies[-1], replies[-1]])
    story = await events_of(fish, TASK, loop="horizon", tabs=[site.address("/shop", "c1")])
    assert len(model.requests) == len(replies) + 1, "one more call, and no loop"
    assert "Not accepted as done: " in history(model.requests[-1]) and why in history(model.requests[-1])
    finished = end(story)
    assert finished.outcome == "failed" or f"This could not be confirmed on the page: {why}"[:40] in finished.text
    assert cart_count(site, "c1") == 0


async def test_a_page_that_was_opened_does_not_show_what_failed_on_it(opened: Open, site: Practice) -> None:
    fish = await opened()
    plan = acts("Tide kettle", milestones=["Put the kettle into the cart"])
    model = script(fish, [plan, WRONG, *[claim("Capacity")] * 3])
    story = await events_of(fish, TASK, loop="horizon", tabs=[site.address("/shop", "c2")])
    assert len(model.requests) == 4 and "before the last action failed" in end(story).text
    assert f"{FAILED}\n- Clicked" in end(story).text and "Still open:\n- Put the kettle" in end(story).text
    assert [e.items[0][1] for e in story if isinstance(e, events.Planned)] == ["doing"], "nothing is ticked off"


async def test_what_was_only_moved_is_shown_by_its_words_though_they_were_there_before(opened: Open) -> None:
    fish = await opened()
    told = {"answer": "The oat bowl is among the done.", "evidence": ["Oat bowl"]}
    model = script(fish, [acts("Move"), as_json(done=told)])
    async with serve_page(LISTS) as url:
        assert (
            end(await events_of(fish, "Move the oat bowl to Done", loop="horizon", tabs=[url])).text == told["answer"]
        )
    assert len(model.requests) == 2


async def test_an_answer_that_the_page_shows_needs_no_action_and_no_second_call(opened: Open, site: Practice) -> None:
    fish = await opened()
    told = {"answer": "The Tide kettle costs €48.90.", "evidence": ["€48.90"]}
    for task in ("Find out what the kettle costs", "What does the kettle cost?"):
        model = script(fish, [as_json(done=told)])
        assert end(await events_of(fish, task, loop="horizon", tabs=[f"{site.url}/shop"])).text == told["answer"]
        assert len(model.requests) == 1


async def test_replies_out_of_form_after_an_action_end_with_what_was_done_and_what_is_open(
    opened: Open, site: Practice
) -> None:
    fish = await opened()
    add = {"tool": "click", "id": {"role": "button", "name": "Add to cart"}}
    plan = acts("Tide kettle", add, milestones=["Put the kettle into the cart", "Put the bowl into the cart"])
    script(fish, [plan, *["I shall now take the bowl."] * 4])
    story = await events_of(fish, "Buy a kettle and a bowl", loop="horizon", tabs=[site.address("/shop", "c3")])
    text = end(story).text
    assert text.startswith("I shall now take the bowl.\n\nThis could not be confirmed on the page: ")
    assert 'Clicked button "Add to cart"' in text and "- Put the bowl into the cart" in text

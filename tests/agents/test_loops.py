"""The `pilot` loop on real tasks in a real browser, with a model that says what it is told to."""

import pytest

from agents.scene import carted, end, id_of, page_of, said
from fish import Open, script, told
from pilotfish.core import events
from pilotfish.practice.server import Practice

__all__ = ["carted", "end", "id_of"]
pytestmark = [pytest.mark.anyio, pytest.mark.slow]


class TestPilot:
    async def test_decides_acts_and_looks_again(self, opened: Open, site: Practice) -> None:
        fish = await opened()
        script(
            fish,
            [
                lambda r: said(
                    reasoning="open the kettle",
                    needs_action=True,
                    action=f'click [{id_of(page_of(r), "Tide kettle")}] link "Tide kettle"',
                ),
                lambda r: said(reasoning="add it", needs_action=True, action='click "Add to cart"'),
                said(reasoning="done", needs_action=False, message="The kettle is in the cart."),
                said(reasoning="the page shows it", needs_action=False, message="The kettle is in the cart."),
            ],
        )
        done = end(await told(fish, "Add the kettle to the cart", loop="pilot", tabs=[site.address("/shop", "p1")]))
        assert (done.outcome, done.text) == ("completed", "The kettle is in the cart.")
        assert carted(site, "p1") == 1

    async def test_unclear_words_go_to_the_executor(self, opened: Open, site: Practice) -> None:
        fish = await opened()
        script(
            fish,
            [
                said(reasoning="search", needs_action=True, action="put kettle into the search field"),
                lambda r: said(
                    tool="type", inputs={"id": id_of(r.messages[-1].text, "Search the shop"), "text": "kettle"}
                ),
                said(reasoning="done", needs_action=False, message="Typed."),
                said(reasoning="done", needs_action=False, message="Typed."),
            ],
        )
        story = await told(fish, "Search for kettle", loop="pilot", tabs=[f"{site.url}/shop"])
        assert end(story).outcome == "completed"
        finished = next(e for e in story if isinstance(e, events.ToolFinished))
        assert finished.ok and finished.tool == "type" and "kettle" in finished.output

    async def test_asks_the_person_and_uses_the_answer(self, opened: Open, site: Practice) -> None:
        fish = await opened()
        model = script(
            fish,
            [
                said(reasoning="which?", needs_action=False, ask_user="Which button: Search or Cart?"),
                lambda r: said(reasoning="told", needs_action=False, message="You said Search."),
                said(reasoning="told", needs_action=False, message="You said Search."),
            ],
        )
        record = await fish.start("Click the button", loop="pilot", tabs=[f"{site.url}/shop"])
        async for event in fish.follow(record.id):
            if isinstance(event, events.InputRequested):
                await fish.command(record.id, "answer", request=event.request, text="Search")
        assert (await fish.record(record.id)).answer == "You said Search."
        assert "the person says: Search" in page_of(model.asked[1])

    async def test_a_loop_that_repeats_itself_is_told_then_stopped(self, opened: Open, site: Practice) -> None:
        fish = await opened()
        model = script(fish, [said(reasoning="again", needs_action=True, action="click [9999]")] * 40)
        again = said(tool="click", inputs={"id": 9999})
        model._replies = tuple(r for r in (model._replies[0], again) for _ in (0,)) * 20
        done = end(await told(fish, "Do it", loop="pilot", tabs=[f"{site.url}/shop"]))
        assert done.outcome == "failed" and "6 times" in done.error
        assert any("Do something else" in page_of(r) for r in model.asked)

"""A run done again: without a model where nothing changed, with one question where something did."""

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from agents.test_loops import cart_count, end, id_of
from browser.stage import serve_site
from pilotfish import loop
from pilotfish.browser.sessions.chromium import find_executable
from pilotfish.core import events
from pilotfish.core.messages import ModelRequest, ToolCall
from pilotfish.core.playwright_script import write_script as program
from pilotfish.core.recipe import build_recipe
from pilotfish.practice.server import Practice
from pilotfish.runtime.run import Run
from scripted_app import Open, events_of, script

pytestmark = [pytest.mark.anyio, pytest.mark.slow]


@loop("errand")
async def errand(run: Run) -> None:
    """Put the kettle into the cart."""
    page = await run.observe()
    await run.act(ToolCall(id="1", tool="click", args={"id": id_of(page.text, "Tide kettle")}))
    page = await run.observe()
    await run.act(ToolCall(id="2", tool="click", args={"id": id_of(page.text, "Add to cart")}))
    await run.finish("The kettle is in the cart.")


@pytest.fixture
async def site() -> AsyncIterator[Practice]:
    async with Practice() as site:
        yield site


async def test_what_was_done_once_is_done_again_without_a_model(opened: Open, site: Practice) -> None:
    fish = await opened()
    model = script(fish, [])
    tabs = [site.address("/shop", "again")]
    first = await events_of(fish, "Put the kettle into the cart", loop="errand", tabs=tabs)
    assert cart_count(site, "again") == 1
    second = await events_of(fish, "The same", loop="replay", of=first[0].run, tabs=tabs)
    assert (end(second).outcome, end(second).text) == ("completed", "Done again: 2 steps.")
    assert cart_count(site, "again") == 2
    talk = (await fish.record(first[0].run)).conversation
    third = await events_of(fish, "The same", loop="replay", of=first[0].run, tabs=tabs, conversation=talk)
    assert end(third).outcome == "completed", "its tab stands where the first run left it"
    assert cart_count(site, "again") == 3
    kept = await events_of(fish, "The same", loop="replay", of=first[0].run, tabs=tabs, policy="read_only")
    assert end(kept).outcome == "failed" and "the policy says no" in end(kept).error
    assert not model.requests, "what was refused is not looked for elsewhere"


async def test_an_element_that_was_renamed_is_found_by_one_question(opened: Open) -> None:
    fish = await opened()

    def found(request: ModelRequest) -> str:
        return json.dumps({"why": "the same purpose", "id": id_of(request.messages[-1].text, "Into the basket")})

    model = script(fish, [found])
    page = "<a href=#kettle>Tide kettle</a> <button onclick=\"fetch('/put')\">{}</button>"
    with serve_site() as stage:
        tabs = [stage.html(page.format("Add to cart"))]
        first = await events_of(fish, "Put the kettle into the cart", loop="errand", tabs=tabs)
        stage.html(page.format("Into the basket"))
        second = await events_of(fish, "The same", loop="replay", of=first[0].run, tabs=tabs)
        assert stage.hits.count("GET /put") == 2
    assert end(second).text == "Done again: 2 steps; 1 of them had to be found anew."
    assert len(model.requests) == 1 and 'Element: button "Add to cart"' in model.requests[0].messages[-1].text
    assert any(e.topic == "replacement" for e in second if isinstance(e, events.Noted))


async def test_a_run_that_did_nothing_or_is_not_there_says_so(opened: Open) -> None:
    fish = await opened(["Good day."])
    first = await events_of(fish, "Good day", loop="react")
    for of, words in ((first[0].run, "nothing to do again"), ("nowhere", "There is no run 'nowhere'")):
        done = end(await events_of(fish, "Again", loop="replay", of=of))
        assert done.outcome == "failed" and words in done.error


async def test_the_exported_script_does_it_without_us(opened: Open, site: Practice, tmp_path: Path) -> None:
    fish = await opened()
    first = await events_of(fish, "Put the kettle into the cart", loop="errand", tabs=[site.address("/shop", "script")])
    text = program(build_recipe(e for e in first if isinstance(e, events.EventBase)))  # pyright: ignore[reportArgumentType]
    browser = f"launch(headless=True, executable_path={find_executable()!r}, args=['--no-sandbox'])"
    file = tmp_path / "errand.py"
    file.write_text(text.replace("launch(headless=False)", browser))
    await asyncio.to_thread(subprocess.run, [sys.executable, str(file)], check=True, timeout=60)
    assert cart_count(site, "script") == 2

"""What a run reads without its browser is held to the same sites as the browser is."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from pilotfish import loop
from pilotfish.core import events
from pilotfish.core.messages import ToolCall
from pilotfish.core.settings import FetchSettings, PolicySettings, SearchSettings
from pilotfish.runtime.run import Run
from scripted_app import Open, events_of
from web.loopback import Site, site

pytestmark = pytest.mark.anyio
PAGE = "<title>Tide</title><p>Low water is at six in the harbour.</p>"
FREE = FetchSettings(allow_private=True, robots=False)


@loop("fetch-these")
async def fetch_these(run: Run) -> None:
    """Read the addresses in the options, one after the other."""
    for number, url in enumerate(run.options["urls"]):
        await run.act(ToolCall(id=str(number), tool="web_fetch", args={"urls": [url], "query": "low water"}))
    await run.finish("done")


@loop("search-this")
async def search_this(run: Run) -> None:
    """Search for the task."""
    [result] = await run.act(ToolCall(id="s", tool="web_search", args={"query": run.task}))
    await run.finish(result.output)


@pytest.fixture
async def net() -> AsyncIterator[Site]:
    async with site() as made:
        made.page("/tide", PAGE)
        yield made


async def fetch_all(open: Open, urls: list[str], policy: PolicySettings | None = None, **how: Any) -> list[bool]:
    fish = await open(fetch=FREE, policy=policy or PolicySettings())
    story = await events_of(fish, loop="fetch-these", urls=urls, **how)
    return [event.ok for event in story if isinstance(event, events.ToolFinished)]


async def test_a_blocked_site_is_not_fetched(opened: Open, net: Site) -> None:
    assert await fetch_all(opened, [f"{net.url}/tide"], PolicySettings(blocked=("127.0.0.1",))) == [False]
    assert net.asked == []


async def test_what_is_not_among_the_allowed_sites_is_not_fetched(opened: Open, net: Site) -> None:
    assert await fetch_all(opened, [f"{net.url}/tide"], PolicySettings(allowed=("shop.example",))) == [False]
    assert net.asked == []


async def test_a_run_that_is_held_to_sites_fetches_from_no_other(opened: Open, net: Site) -> None:
    own = f"http://localhost:{net.port}/tide"
    assert await fetch_all(opened, [own, f"{net.url}/tide"], sites=["localhost"]) == [True, False]
    assert net.count("/tide") == 1


async def test_a_redirect_leads_to_no_site_that_is_closed(opened: Open, net: Site) -> None:
    net.redirect("/away", f"{net.url}/tide")
    assert await fetch_all(opened, [f"http://localhost:{net.port}/away"], sites=["localhost"]) == [False]
    assert (net.count("/away"), net.count("/tide")) == (1, 0)


async def test_a_page_kept_from_before_is_held_to_the_sites_too(opened: Open, net: Site) -> None:
    net.redirect("/away", f"{net.url}/tide")
    away = f"http://localhost:{net.port}/away"
    fish = await opened(fetch=FREE)
    held: list[tuple[dict[str, Any], bool]] = [
        ({}, True),
        ({"sites": ["localhost"]}, False),
        ({"sites": ["other.example"]}, False),
    ]
    for how, ok in held:
        story = await events_of(fish, loop="fetch-these", urls=[away], **how)
        assert [event.ok for event in story if isinstance(event, events.ToolFinished)] == [ok]


async def test_what_one_person_read_is_found_by_nobody_else(opened: Open, net: Site) -> None:
    fish = await opened(fetch=FREE, search=SearchSettings(providers=("local",)))
    await events_of(fish, loop="fetch-these", urls=[f"{net.url}/tide"], user="ann")
    for user, found in (("ann", True), ("ben", False)):
        story = await events_of(fish, "low water harbour", loop="search-this", user=user)
        end = story[-1]
        assert isinstance(end, events.RunFinished)
        assert ("/tide" in end.text) is found

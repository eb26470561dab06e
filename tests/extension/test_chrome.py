"""In the person's own Chrome: pairing, asking about the page in front, and driving a tab that was handed over."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any

import httpx2
import pytest
from playwright.async_api import Page, expect
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.typing import Origin

from interfaces.server.running_server import RunningServer
from pilotfish.app import loop
from pilotfish.core.messages import ToolCall
from pilotfish.practice.server import Practice
from pilotfish.runtime.run import Run
from pilotfish.services.extensions import make_pairing_code
from ui.test_access import violations

from .person import PersonChrome

pytestmark = pytest.mark.slow


@loop("test-chrome-types")
async def types(run: Run) -> None:
    """Look at the tab that was handed over, and type into its first field."""
    page = await run.observe()
    [result] = await run.act(ToolCall(id="t", tool="find", args={"text": "Search"}))
    await run.finish(f"{page.title}: {result.output[:200]}")


@loop("test-chrome-waits")
async def waits(run: Run) -> None:
    """Look again and again, until told to stop."""
    while run.open:
        await run.observe()
        await asyncio.sleep(0.2)


@dataclass(frozen=True)
class HandedTab:
    """A tab of the person that a conversation may drive."""

    page: Page
    conversation: str


@pytest.fixture
async def tab(server: RunningServer, chrome: PersonChrome, panel: Page, site: Practice) -> AsyncGenerator[HandedTab]:
    """A tab with the shop, handed over in the panel."""
    page = await chrome.open(f"{site.url}/shop")
    async with server.client() as client:
        conversation = (await client.post("/api/conversations", json={"title": "Chrome"})).json()["id"]
        number = await chrome.tab_id(page)
        await panel.evaluate("tab => chrome.runtime.sendMessage({type: 'hand-over', tab})", number)
        given = await client.post(f"/api/conversations/{conversation}/chrome", json={"tab": number})
        assert given.status_code == 204, given.text
    yield HandedTab(page, conversation)
    await server.settled()
    await page.close()


async def start_waiting(server: RunningServer, tab: HandedTab, **options: Any) -> str:
    """Start a run that looks at the tab again and again; returns it after its first look."""
    run = await server.started("test-chrome-waits", conversation=tab.conversation, **options)
    await server.until(run, "page_seen")
    return run


async def test_a_code_works_once_and_a_wrong_one_says_what_to_do(server: RunningServer, chrome: PersonChrome) -> None:
    panel = await chrome.pair(server.url, "WRNG-CODE")
    await expect(panel.get_by_role("alert")).to_contain_text("not known")
    await panel.close()
    code = (await make_pairing_code(server.fish.store, "local")).code
    headers = {"origin": chrome.origin}
    async with httpx2.AsyncClient(base_url=server.url, headers=headers) as client:
        assert (await client.post("/api/extension/pair", json={"code": code})).status_code == 201
        assert (await client.post("/api/extension/pair", json={"code": code})).status_code == 400


async def test_other_extensions_and_pages_cannot_use_the_token(server: RunningServer, chrome: PersonChrome) -> None:
    code = (await make_pairing_code(server.fish.store, "local")).code
    async with httpx2.AsyncClient(base_url=server.url) as client:
        paired = await client.post("/api/extension/pair", json={"code": code}, headers={"origin": chrome.origin})
        token = paired.json()["token"]
        for origin in (f"chrome-extension://{'b' * 32}", "https://evil.example"):
            headers = {"origin": origin, "authorization": f"Bearer {token}"}
            assert (await client.get("/api/me", headers=headers)).status_code == 403
        own = {"origin": chrome.origin, "authorization": f"Bearer {token}"}
        assert (await client.get("/api/me", headers=own)).status_code == 200
        local = {"origin": chrome.origin, "authorization": f"Bearer {server.token}"}
        assert (await client.get("/api/me", headers=local)).status_code == 403


async def test_a_question_is_answered_from_the_page_in_front(
    server: RunningServer, chrome: PersonChrome, panel: Page, site: Practice
) -> None:
    page = await chrome.open(f"{site.url}/shop")
    await page.bring_to_front()
    await expect(panel.locator(".front")).to_contain_text("All goods")
    await panel.get_by_label("Your message").fill("What is sold here?")
    await panel.get_by_role("button", name="Send").click()
    await expect(panel.locator(".thread")).to_contain_text("What is sold here?")
    [run] = await server.fish.runs(text="What is sold here?")
    frames = run.options["pages"][0]["frames"]
    assert frames[0]["url"] == page.url
    assert "kettle" in frames[0]["main"].lower()
    assert chrome.context.background_pages == []
    await page.close()


async def test_a_tab_that_was_handed_over_is_driven_and_stays_open(
    server: RunningServer, chrome: PersonChrome, tab: HandedTab
) -> None:
    run = await server.started("test-chrome-types", conversation=tab.conversation)
    end = await server.until(run, "run_finished")
    assert end.outcome == "completed", end
    assert "All goods" in end.text
    assert not tab.page.is_closed()
    groups = await chrome.worker.evaluate("async () => (await chrome.tabGroups.query({})).map(group => group.title)")
    assert groups == ["Pilotfish"]
    async with server.client() as client:
        assert (await client.delete(f"/api/conversations/{tab.conversation}/chrome")).status_code == 204
    assert not tab.page.is_closed()


async def test_a_second_tab_that_is_handed_over_is_the_one_that_is_worked_in(
    server: RunningServer, chrome: PersonChrome, panel: Page, tab: HandedTab, site: Practice
) -> None:
    first = await server.until(await server.started("test-chrome-types", conversation=tab.conversation), "run_finished")
    assert "All goods" in first.text
    page = await chrome.open(f"{site.url}/news")
    number = await chrome.tab_id(page)
    async with server.client() as client:
        await panel.evaluate("tab => chrome.runtime.sendMessage({type: 'hand-over', tab})", number)
        given = await client.post(f"/api/conversations/{tab.conversation}/chrome", json={"tab": number})
        assert given.status_code == 204, given.text
    second = await server.until(
        await server.started("test-chrome-types", conversation=tab.conversation), "run_finished"
    )
    assert second.text.startswith(await page.title())
    await page.close()


async def test_a_tab_that_was_not_handed_over_does_not_exist(
    server: RunningServer, chrome: PersonChrome, panel: Page, site: Practice
) -> None:
    page = await chrome.open(f"{site.url}/news")
    async with server.client() as client:
        talk = (await client.post("/api/conversations", json={"title": "News"})).json()["id"]
        given = await client.post(f"/api/conversations/{talk}/chrome", json={"tab": await chrome.tab_id(page)})
        assert given.status_code == 204
    run = await server.started("test-chrome-types", conversation=talk)
    end = await server.until(run, "run_finished")
    assert "news" not in end.text.lower()
    await page.close()


async def test_a_touch_of_the_person_pauses_the_run(server: RunningServer, tab: HandedTab) -> None:
    run = await start_waiting(server, tab)
    await tab.page.mouse.click(300, 300)
    async with asyncio.timeout(20):
        async for event in server.fish.follow(run):
            if event.type == "state_changed" and event.state == "paused":
                break


async def test_a_tab_that_is_closed_in_the_middle_is_gone_for_the_run(server: RunningServer, tab: HandedTab) -> None:
    await start_waiting(server, tab)
    pool = server.fish.extensions.find_pool(tab.conversation)
    assert pool
    assert pool.driven
    await tab.page.close()
    async with asyncio.timeout(20):
        while pool.driven:
            await asyncio.sleep(0.1)


async def test_requests_of_a_driven_tab_are_held_to_the_run_s_sites(
    server: RunningServer, tab: HandedTab, site: Practice
) -> None:
    script = (
        f"fetch('{site.url.replace('127.0.0.1', 'localhost')}/news', {{mode: 'no-cors'}}).then(() => true, () => false)"
    )
    assert await tab.page.evaluate(script)
    await start_waiting(server, tab, sites=["127.0.0.1"])
    assert not await tab.page.evaluate(script)
    await server.settled()
    async with server.client() as client:
        await client.delete(f"/api/conversations/{tab.conversation}/chrome")
    assert await tab.page.evaluate(script)


async def test_the_relay_lets_nobody_in_without_its_address(server: RunningServer, tab: HandedTab) -> None:
    await start_waiting(server, tab)
    pool = server.fish.extensions.find_pool(tab.conversation)
    assert pool
    guessed = f"{pool.address.rpartition('/')[0]}/guess"
    for wrong, origin in ((guessed, None), (pool.address, Origin("https://evil.example"))):
        with pytest.raises((InvalidHandshake, ConnectionClosed)):
            async with connect(wrong, origin=origin) as line:
                await line.send('{"id": 1, "method": "Target.getTargets"}')
                await line.recv()


async def test_axe_finds_no_violation_in_the_panel(
    server: RunningServer, chrome: PersonChrome, panel: Page, site: Practice
) -> None:
    unpaired = await person_panel(chrome)
    assert await violations(unpaired) == []
    await unpaired.close()
    page = await chrome.open(f"{site.url}/shop")
    await page.bring_to_front()
    await expect(panel.locator(".front")).to_contain_text("All goods")
    assert await violations(panel) == []
    await page.close()


async def person_panel(chrome: PersonChrome) -> Page:
    """A panel that shows how to pair, whatever is stored."""
    page = await chrome.context.new_page()
    await page.add_init_script("chrome.storage.local.get = async () => ({})")
    await page.goto(f"{chrome.origin}/panel.html")
    await expect(page.get_by_label("Code")).to_be_visible()
    return page

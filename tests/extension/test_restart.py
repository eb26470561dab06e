"""The server or Chrome goes away and comes back, and a token is revoked."""

import asyncio
import os
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from playwright.async_api import Page, expect

from interfaces.server.running_server import PATIENCE, RunningServer, serve_app_at
from pilotfish.practice.server import Practice
from pilotfish.services.extensions import make_pairing_code
from ui.test_access import violations

from .beside import PanelStates
from .chores import begin
from .person import PersonChrome, person_chrome

pytestmark = pytest.mark.slow
SERVER = Path(__file__).with_name("server_process.py")


@pytest.fixture(autouse=True)
async def unpaired(chrome: PersonChrome) -> None:
    """Each test begins with an extension that is not paired."""
    await chrome.worker.evaluate("chrome.storage.local.remove('pairing')")


async def test_the_panel_says_that_the_server_is_gone_and_comes_back_by_itself(
    tmp_path: Path, chrome: PersonChrome
) -> None:
    album = PanelStates()
    async with serve_app_at(tmp_path) as first:
        empty = await chrome.panel()
        await expect(empty.get_by_label("Code")).to_be_visible()
        await album.add(empty)
        await empty.close()
        code = await make_pairing_code(first.fish.store, "local")
        panel = await chrome.pair(first.url, code.code)
        await expect(panel.get_by_label("Your message")).to_be_visible()
        await album.add(panel)
    await expect(panel.get_by_text("does not answer")).to_be_visible()
    await album.add(panel)
    assert await violations(panel) == []
    later = await chrome.panel()
    await expect(later.get_by_text("does not answer")).to_be_visible()
    assert await violations(later) == []
    await later.close()
    album.keep()
    async with serve_app_at(tmp_path, port=int(first.url.rsplit(":", 1)[1])) as again:
        await expect(panel.get_by_text("does not answer")).to_be_hidden()
        async with asyncio.timeout(30):
            while not again.fish.extensions.connected("local"):
                await asyncio.sleep(0.1)
    await panel.evaluate("chrome.storage.local.remove('pairing')")
    await panel.close()


@asynccontextmanager
async def killable_server(home: Path, port: int) -> AsyncGenerator[httpx2.AsyncClient]:
    """A server in a process of its own, killed at the end; a client of it."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(SERVER), str(home), str(port), stdout=asyncio.subprocess.PIPE, env={**os.environ}
    )
    assert process.stdout
    try:
        address = urlsplit((await asyncio.wait_for(process.stdout.readline(), 3 * PATIENCE)).decode().strip())
        token = parse_qs(address.query)["token"][0]
        base = f"{address.scheme}://{address.netloc}"
        headers = {"authorization": f"Bearer {token}"}
        async with httpx2.AsyncClient(base_url=base, headers=headers, timeout=PATIENCE) as client:
            yield client
    finally:
        process.kill()
        await process.wait()


async def wait_for_page(client: httpx2.AsyncClient, run: str, after: int = 0) -> int:
    """Wait until the run saw a page after an event; returns the number of the last event."""
    async with asyncio.timeout(3 * PATIENCE):
        while True:
            events = (await client.get(f"/api/runs/{run}/journal", params={"after": after})).json()
            if any(event["type"] == "page_seen" for event in events):
                return int(events[-1]["seq"])
            await asyncio.sleep(0.1)


async def test_a_server_that_is_killed_in_the_middle_comes_back_and_the_run_goes_on(
    tmp_path: Path, chrome: PersonChrome
) -> None:
    async with Practice() as site:
        async with killable_server(tmp_path, 0) as client:
            base = str(client.base_url).rstrip("/")
            code = (await client.post("/api/extension/code")).json()["code"]
            panel = await chrome.pair(base, code)
            await expect(panel.get_by_label("Your message")).to_be_visible()
            async with asyncio.timeout(PATIENCE):
                while not (await client.get("/api/extension")).json()["connected"]:
                    await asyncio.sleep(0.1)
            page = await chrome.open(f"{site.url}/news")
            talk = (await client.post("/api/conversations", json={"title": "Killed"})).json()["id"]
            tab = await chrome.tab_id(page)
            await panel.evaluate("tab => chrome.runtime.sendMessage({type: 'hand-over', tab})", tab)
            assert (await client.post(f"/api/conversations/{talk}/chrome", json={"tab": tab})).status_code == 204
            begun = {"task": "Watch", "loop": "test-killed", "conversation": talk}
            run = (await client.post("/api/runs", json=begun)).json()["id"]
            last = await wait_for_page(client, run)
        async with asyncio.timeout(PATIENCE):
            await page.reload()
        async with killable_server(tmp_path, urlsplit(base).port or 0) as client:
            await wait_for_page(client, run, last)
            await page.evaluate("document.title = 'It is enough now'")
            async with asyncio.timeout(3 * PATIENCE):
                while not (ended := (await client.get(f"/api/runs/{run}")).json())["outcome"]:
                    await asyncio.sleep(0.1)
            assert ended["outcome"] == "completed"
        await panel.close()
        await page.close()


async def test_a_revoked_token_ends_the_connection_and_the_panel_asks_for_a_new_code(
    tmp_path: Path, chrome: PersonChrome
) -> None:
    async with serve_app_at(tmp_path) as server:
        panel = await connected_panel(server, chrome)
        async with server.client() as client:
            [paired] = (await client.get("/api/extension")).json()["paired"]
            assert (await client.delete(f"/api/tokens/{paired['id']}")).status_code == 204
        await expect(panel.get_by_text("its token was revoked")).to_be_visible()
        assert not server.fish.extensions.connected("local")
        await panel.close()


async def connected_panel(server: RunningServer, chrome: PersonChrome) -> Page:
    panel = await chrome.pair(server.url, (await make_pairing_code(server.fish.store, "local")).code)
    await wait_connected(server)
    return panel


async def wait_connected(server: RunningServer) -> None:
    async with asyncio.timeout(PATIENCE):
        while not server.fish.extensions.connected("local"):
            await asyncio.sleep(0.05)


async def test_after_a_restart_of_chrome_the_run_says_that_its_tab_is_gone_and_nothing_else_is_driven(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("chrome")
    async with Practice() as site, serve_app_at(tmp_path) as server:
        async with person_chrome(folder) as chrome:
            await connected_panel(server, chrome)
            page = await chrome.open(f"{site.url}/news")
            _, run = await begin(server, chrome, page, "test-chrome-looks", "Watch over a restart")
        async with person_chrome(folder) as chrome:
            await wait_connected(server)
            end = await server.until(run, "run_finished")
            assert (end.outcome, end.fix) == ("failed", "Hand a tab over again, then continue."), end
            assert not await chrome.worker.evaluate("chrome.tabGroups.query({}).then(all => all.length)")

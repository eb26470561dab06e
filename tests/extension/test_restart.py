"""The server goes away and comes back."""

import asyncio
import os
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from playwright.async_api import expect

from interfaces.server.running_server import PATIENCE, opened
from pilotfish.practice.server import Practice
from pilotfish.services.extensions import make_pairing_code

from .person import PersonChrome

pytestmark = pytest.mark.slow
SERVER = Path(__file__).with_name("server_process.py")


async def test_the_panel_says_that_the_server_is_gone_and_comes_back_by_itself(
    tmp_path: Path, chrome: PersonChrome
) -> None:
    async with opened(tmp_path) as first:
        code = await make_pairing_code(first.fish.store, "local")
        panel = await chrome.pair(first.url, code.code)
        await expect(panel.get_by_label("Your message")).to_be_visible()
    await expect(panel.get_by_text("does not answer")).to_be_visible()
    async with opened(tmp_path, port=int(first.url.rsplit(":", 1)[1])) as again:
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


async def looked(client: httpx2.AsyncClient, run: str, after: int = 0) -> int:
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
            last = await looked(client, run)
        async with asyncio.timeout(PATIENCE):
            await page.reload()
        async with killable_server(tmp_path, urlsplit(base).port or 0) as client:
            await looked(client, run, last)
            await page.evaluate("document.title = 'It is enough now'")
            async with asyncio.timeout(3 * PATIENCE):
                while not (ended := (await client.get(f"/api/runs/{run}")).json())["outcome"]:
                    await asyncio.sleep(0.1)
            assert ended["outcome"] == "completed"
        await panel.close()
        await page.close()

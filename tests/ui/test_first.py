"""The first minute without a model: it is fetched with progress, also while one looks elsewhere."""

import asyncio
import hashlib
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from pilotfish.llm.catalog import CATALOG, SHARED_FOLDER_VARIABLE, CatalogEntry

from .conftest import window
from .stage import open_stage

pytestmark = pytest.mark.slow

HALF = bytes(500_000)


@asynccontextmanager
async def slow(gate: asyncio.Event) -> AsyncGenerator[str]:
    """A source that gives half of the file, and the rest when it is told to."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        writer.write(f"HTTP/1.1 200 OK\r\ncontent-length: {2 * len(HALF)}\r\nconnection: close\r\n\r\n".encode())
        if not head.startswith(b"HEAD"):
            writer.write(HALF)
            await writer.drain()
            await gate.wait()
            writer.write(HALF)
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/tiny"
    gate.set()
    server.close()
    await server.wait_closed()


async def test_a_model_is_fetched_with_progress_that_goes_on_behind_other_pages(
    tmp_path: Path, chromium: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(SHARED_FOLDER_VARIABLE, raising=False)
    gate = asyncio.Event()
    async with slow(gate) as url, open_stage(tmp_path, "") as stage, window(stage, chromium) as page:
        digest = hashlib.sha256(2 * HALF).hexdigest()
        kept = {"file": "tiny.gguf", "size": 2 * len(HALF), "sha256": digest, "url": url}
        tiny = CatalogEntry.model_validate({"name": "tiny", "title": "Tiny: a trial", "license": "x", **kept})
        monkeypatch.setitem(CATALOG, "tiny", tiny)
        await stage.open(page, "/welcome")
        await expect(page.get_by_role("button", name="What can I do on this site?")).to_be_disabled()
        await page.get_by_text("Other models").click()
        await page.locator(".pull", has_text="Tiny").get_by_role("button").click()
        meter = page.locator(".pull", has_text="Tiny").get_by_role("meter")
        await expect(meter).to_have_attribute("aria-valuenow", "50")
        await page.get_by_role("link", name="Runs").click()
        await page.go_back()
        await page.get_by_text("Other models").click()
        await expect(meter).to_have_attribute("aria-valuetext", "500 KB of 1.0 MB")
        gate.set()
        await expect(page.get_by_text("Ready: embedded:tiny")).to_be_visible()
        await expect(page.get_by_role("button", name="What can I do on this site?")).to_be_enabled()

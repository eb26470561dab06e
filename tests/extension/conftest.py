"""One server, one practice site and one Chromium with the paired extension for the tests of a module."""

import asyncio
from collections.abc import AsyncGenerator

import pytest
from playwright.async_api import Page, expect

from interfaces.server.running_server import RunningServer, serve_app_at
from pilotfish.practice.server import Practice
from pilotfish.services.extensions import make_pairing_code

from .person import PersonChrome, person_chrome

expect.set_options(timeout=30_000)


@pytest.fixture(scope="module")
async def server(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[RunningServer]:
    async with serve_app_at(tmp_path_factory.mktemp("home")) as running:
        yield running


@pytest.fixture(scope="module")
async def chrome(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[PersonChrome]:
    async with person_chrome(tmp_path_factory.mktemp("chrome")) as running:
        yield running


@pytest.fixture(scope="module")
async def site() -> AsyncGenerator[Practice]:
    async with Practice() as running:
        yield running


@pytest.fixture(scope="module")
async def panel(server: RunningServer, chrome: PersonChrome) -> Page:
    """The panel, paired with the server and connected."""
    code = await make_pairing_code(server.fish.store, "local")
    panel = await chrome.pair(server.url, code.code)
    await expect(panel.get_by_label("Your message")).to_be_visible()
    async with asyncio.timeout(20):
        while not server.fish.extensions.connected("local"):
            await asyncio.sleep(0.05)
    return panel


@pytest.fixture(scope="module")
def whole_browser() -> bool:
    """The light one has no extensions."""
    return True

"""One Chromium, one server and one practice site for the tests of a module; a window for each test."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import Browser, ConsoleMessage, Page, ViewportSize, async_playwright, expect

from pilotfish.browser.sessions.chromium import can_sandbox, find_executable
from pilotfish.interfaces.web_server.static_files import STATIC_FOLDER

from .stage import Stage, open_stage

WIDE = ViewportSize(width=1440, height=900)
PATIENCE = 30_000
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="module")
async def stage(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Stage]:
    assert (STATIC_FOLDER / "index.html").is_file(), "build the UI first: npm run build in ui/"
    async with open_stage(tmp_path_factory.mktemp("home")) as running:
        yield running


@pytest.fixture(scope="module")
async def chromium(started_browser: None) -> AsyncGenerator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=find_executable(), chromium_sandbox=can_sandbox())
        yield browser
        await browser.close()


@pytest.fixture
async def page(stage: Stage, chromium: Browser) -> AsyncGenerator[Page]:
    async with window(stage, chromium) as opened:
        yield opened


@asynccontextmanager
async def window(stage: Stage, chromium: Browser) -> AsyncGenerator[Page]:
    """A blank window of somebody who has come in; anything its console complains about fails the test."""
    complaints: list[str] = []

    def heard(message: ConsoleMessage) -> None:
        # A refused request is told in the console too; tests of refusals look at the page instead.
        if message.type == "error" and "Failed to load resource" not in message.text:
            complaints.append(message.text)

    context = await chromium.new_context(viewport=WIDE, locale="en-GB", color_scheme="light")
    context.set_default_timeout(PATIENCE)
    await context.request.get(stage.way_in)
    page = await context.new_page()
    page.on("console", heard)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    await context.close()
    assert complaints == []

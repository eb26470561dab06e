"""The browser's tests of perception, numbers and actions once more, in a tab of the person's own Chrome."""

import asyncio
import inspect
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from playwright.async_api import Page

from browser import (
    test_app_rows,
    test_app_states,
    test_cover,
    test_drawing,
    test_front,
    test_ids,
    test_isolated_world,
    test_keys,
    test_observer,
    test_page_text,
    test_pointer,
    test_redrawing,
    test_row_names,
    test_scroll_boxes,
    test_states,
    test_strange,
    test_text_selection,
    test_typing,
    test_waiting,
    test_widgets,
)
from browser.stage import Site, serve_site
from interfaces.server.running_server import RunningServer
from pilotfish.browser.sessions.extension_browser import ExtensionPool
from pilotfish.browser.sessions.extension_link import ExtensionLink
from pilotfish.browser.sessions.session import BrowserSession, SessionRules
from pilotfish.core.settings import BrowserSettings

from .person import PersonChrome

pytestmark = pytest.mark.slow
PERCEPTION = (
    test_app_rows,
    test_app_states,
    test_cover,
    test_front,
    test_isolated_world,
    test_observer,
    test_page_text,
    test_row_names,
    test_states,
    test_strange,
    test_waiting,
)
NUMBERS = (test_ids, test_redrawing)
ACTIONS = (
    test_drawing,
    test_keys,
    test_pointer,
    test_scroll_boxes,
    test_text_selection,
    test_typing,
    test_widgets,
)
APART = {
    "test_a_download_is_told": "downloads are kept by the settings of the person's Chrome",
    "test_a_page_that_hangs_is_told_within_the_limit": "its limit of half a second leaves a relay no time to answer",
    "test_a_pdf_in_the_tab_is_read": "the tab is another one for the driver then: see test_life",
}
"""Tests of what is not alike in the person's Chrome, and why."""


def find_tests(module: ModuleType) -> dict[str, Any]:
    """The tests of a module that need a session, under names that tell the module too."""
    found = {name: test for name, test in vars(module).items() if name.startswith("test_") and inspect.isfunction(test)}
    wanted = {name: test for name, test in found.items() if "session" in inspect.signature(test).parameters}
    short = module.__name__.rpartition(".")[2]
    return {f"{short}__{name.removeprefix('test_')}": test for name, test in wanted.items() if name not in APART}


for each in (*PERCEPTION, *NUMBERS, *ACTIONS):
    globals().update(find_tests(each))


@pytest.fixture(scope="module")
async def relayed(server: RunningServer, panel: Page) -> AsyncGenerator[ExtensionPool]:
    """One connection to the person's Chrome for all tests."""

    async def find_link() -> ExtensionLink:
        return server.fish.extensions.connected("local")[-1].link

    pool = ExtensionPool(BrowserSettings(timeout=15), "suite", find_link)
    yield pool
    await pool.end("suite")


@pytest.fixture
def site() -> Iterator[Site]:
    with serve_site() as site:
        yield site


@pytest.fixture
async def session(
    relayed: ExtensionPool, chrome: PersonChrome, panel: Page, site: Site, tmp_path: Path
) -> AsyncGenerator[BrowserSession]:
    """A session in a tab that was just handed over; what it leaves open is closed by the person."""
    before = set(chrome.context.pages)
    page = await chrome.context.new_page()
    await page.bring_to_front()
    await page.set_viewport_size({"width": relayed.settings.width, "height": relayed.settings.height})
    # The person's own driver would answer dialogs at once.
    page.on("dialog", lambda _: None)
    front = "chrome.tabs.query({active: true, lastFocusedWindow: true}).then(tabs => tabs[0].id)"
    number = int(await chrome.worker.evaluate(front))
    await panel.evaluate("tab => chrome.runtime.sendMessage({type: 'hand-over', tab})", number)
    await relayed.living_browser()
    await relayed.hand_over(number)
    await relayed.find_page(number)
    session = BrowserSession(relayed.living_browser, relayed.settings, tmp_path, SessionRules())
    await session.tab()
    yield session
    await session.end()
    for left in set(chrome.context.pages) - before:
        await left.close()
    async with asyncio.timeout(20):
        while relayed.driven:
            await asyncio.sleep(0.02)

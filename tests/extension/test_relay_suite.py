"""The browser's tests of perception, numbers and actions once more, in a tab of the person's own Chrome."""

import functools
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
from pilotfish.browser.sessions.session import BrowserSession
from pilotfish.core.settings import BrowserSettings

from .person import PersonChrome
from .relay_session import RelaySession

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
ALIKE = (test_ids, test_redrawing, test_states, test_typing)
"""Modules with variants of a test that differ only in what the page does: here the first stands for the others."""


def find_tests(module: ModuleType) -> dict[str, Any]:
    """The tests of a module that need a session, under names that tell the module too."""
    found = {name: test for name, test in vars(module).items() if name.startswith("test_") and inspect.isfunction(test)}
    wanted = {name: test for name, test in found.items() if "session" in inspect.signature(test).parameters}
    short = module.__name__.rpartition(".")[2]
    kept = {name: test for name, test in wanted.items() if name not in APART}
    return {
        f"{short}__{name.removeprefix('test_')}": take_first_variant(test) if module in ALIKE else test
        for name, test in kept.items()
    }


def take_first_variant(test: Any) -> Any:
    """The same test with the first of its variants only."""

    @functools.wraps(test)
    async def first(**given: Any) -> None:
        await test(**given)

    def shorten(mark: pytest.Mark) -> pytest.Mark:
        if mark.name != "parametrize":
            return mark
        names, values = mark.args
        ids = {key: value[:1] for key, value in mark.kwargs.items()}
        return pytest.mark.parametrize(names, list(values)[:1], **ids).mark

    vars(first)["pytestmark"] = [shorten(mark) for mark in getattr(test, "pytestmark", [])]
    return first


for each in (*PERCEPTION, *NUMBERS, *ACTIONS):
    globals().update(find_tests(each))


@pytest.fixture(scope="module")
async def relayed(server: RunningServer, chrome: PersonChrome, panel: Page) -> AsyncGenerator[RelaySession]:
    async def find_link() -> ExtensionLink:
        return server.fish.extensions.connected("local")[-1].link

    shared = RelaySession(ExtensionPool(BrowserSettings(timeout=15), "suite", find_link), chrome, panel)
    yield shared
    await shared.end()
    await shared.pool.end("suite")


@pytest.fixture(scope="module")
def one_site() -> Iterator[Site]:
    with serve_site() as site:
        yield site


@pytest.fixture
def site(one_site: Site) -> Site:
    """The small site, with no pages and no requests of another test."""
    for known in (one_site.pages, one_site.hits, one_site.bodies):
        known.clear()
    return one_site


@pytest.fixture
async def session(request: pytest.FixtureRequest, relayed: RelaySession, tmp_path: Path) -> BrowserSession:
    """The session of the test's own module; with the mark `own_session` a new one."""
    alone = request.node.get_closest_marker("own_session")
    return await relayed.take("" if alone else request.function.__module__, tmp_path)

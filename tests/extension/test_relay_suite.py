"""Tests of the browser's perception, numbers and actions once more, in a tab of the person's own Chrome."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from playwright.async_api import Page

from browser import test_ids, test_observer, test_pointer, test_typing
from browser.stage import Site, serving
from interfaces.server.running_server import RunningServer
from pilotfish.browser.sessions.extension_browser import ExtensionPool
from pilotfish.browser.sessions.extension_link import ExtensionLink
from pilotfish.browser.sessions.session import BrowserSession, SessionRules
from pilotfish.core.settings import BrowserSettings

from .person import PersonChrome

pytestmark = pytest.mark.slow
BrowserTest = Callable[[BrowserSession, Site], Awaitable[None]]
PERCEPTION: tuple[BrowserTest, ...] = (
    test_observer.test_every_control_is_seen_with_role_name_and_state,
    test_observer.test_what_only_listens_gets_an_id_too,
    test_observer.test_closed_shadow_roots_are_seen_and_touched,
    test_observer.test_what_a_person_cannot_see_is_left_out,
    test_observer.test_a_password_never_leaves_the_page,
    test_observer.test_looking_changes_nothing_on_the_page,
    test_observer.test_find_looks_over_the_whole_page_and_gives_context,
)
NUMBERS: tuple[BrowserTest, ...] = (
    test_observer.test_ids_stay_and_new_things_are_marked,
    test_observer.test_an_element_that_is_gone_is_refused_with_the_nearest_match,
    test_observer.test_a_new_document_in_the_same_tab_answers_for_none_of_the_old_ids,
    test_ids.test_a_row_that_stands_for_somebody_else_now_is_not_clicked,
    test_ids.test_a_recycled_row_of_a_virtual_list_is_refused_or_right,
    test_ids.test_a_number_from_the_page_before_is_refused_and_numbers_do_not_come_back,
    test_ids.test_hidden_and_disabled_buttons_are_refused,
    test_ids.test_a_page_in_constant_motion_is_never_clicked_wrongly,
    test_ids.test_two_tabs_never_share_a_number,
)
ACTIONS: tuple[BrowserTest, ...] = (
    test_pointer.test_a_click_is_told_with_what_it_changed,
    test_pointer.test_double_and_right_clicks_are_what_the_page_hears,
    test_pointer.test_a_link_leads_to_another_page_which_is_shown_whole,
    test_pointer.test_a_popup_is_told_and_shown,
    test_pointer.test_a_dialog_is_told_and_can_be_answered,
    test_pointer.test_a_menu_that_appears_on_hover_can_be_used,
    test_pointer.test_text_replaces_or_follows_what_is_there_and_is_read_back,
    test_pointer.test_enter_sends_the_form,
    test_pointer.test_rich_text_is_typed,
    test_pointer.test_options_are_chosen_by_text_value_or_place,
    test_pointer.test_the_page_and_its_boxes_scroll_and_say_where_the_end_is,
    test_typing.test_a_field_that_takes_nothing_is_a_failure,
)


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
    with serving() as site:
        yield site


@pytest.fixture
async def session(
    relayed: ExtensionPool, chrome: PersonChrome, panel: Page, site: Site, tmp_path: Path
) -> AsyncGenerator[BrowserSession]:
    """A session in a tab that was just handed over; what it leaves open is closed by the person."""
    before = set(chrome.context.pages)
    page = await chrome.open(site.html("start", "/start"))
    await page.set_viewport_size({"width": relayed.settings.width, "height": relayed.settings.height})
    # The person's own driver would answer dialogs at once.
    page.on("dialog", lambda _: None)
    number = await chrome.tab_id(page)
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


@pytest.mark.parametrize("test", PERCEPTION, ids=lambda test: test.__name__.removeprefix("test_"))
async def test_pages_are_seen_alike(test: BrowserTest, session: BrowserSession, site: Site) -> None:
    await test(session, site)


@pytest.mark.parametrize("test", NUMBERS, ids=lambda test: test.__name__.removeprefix("test_"))
async def test_numbers_hold_alike(test: BrowserTest, session: BrowserSession, site: Site) -> None:
    await test(session, site)


@pytest.mark.parametrize("test", ACTIONS, ids=lambda test: test.__name__.removeprefix("test_"))
async def test_actions_are_carried_out_alike(test: BrowserTest, session: BrowserSession, site: Site) -> None:
    await test(session, site)

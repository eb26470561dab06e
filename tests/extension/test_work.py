"""Chores in the person's own Chrome, begun in the panel: approved, touched, closed, in two windows, after a sleep."""

import asyncio

import pytest
from playwright.async_api import Page, expect

from interfaces.server.running_server import RunningServer
from pilotfish.practice.server import Practice

from .beside import KEPT, keep_both, picture_page
from .chores import begin, send, work_panel
from .person import PersonChrome

pytestmark = pytest.mark.slow


async def test_a_chore_in_a_tab_where_the_person_is_signed_in_is_approved_in_the_panel(
    server: RunningServer, chrome: PersonChrome, panel: Page, site: Practice
) -> None:
    page = await chrome.open(f"{site.url}/account/login")
    await page.fill("[name=user]", "mira")
    await page.fill("[name=password]", "lantern-42")
    async with page.expect_navigation(url="**/account"):
        await page.press("[name=password]", "Enter")
    work = await work_panel(chrome, page, "test-chrome-phone")
    pages = await picture_page(chrome, page, work) if KEPT else []
    run = await send(server, work, "Change my phone number to 0123 456")
    banner = work.get_by_role("alertdialog")
    await expect(banner).to_contain_text("0123 456")
    assert not [one for one in site.log() if one.kind == "account.changed"]
    if KEPT:
        await keep_both(pages, work, KEPT, "panel")
    await banner.get_by_role("button", name="Allow once").click()
    end = await server.until(run, "run_finished")
    assert end.outcome == "completed", end
    [changed] = [one for one in site.log() if one.kind == "account.changed"]
    assert changed.details["phone"] == "0123 456"
    assert not page.is_closed()
    await work.close()
    await page.close()


async def test_a_touch_pauses_and_the_panel_says_so_and_lets_it_go_on(
    server: RunningServer, chrome: PersonChrome, panel: Page, site: Practice
) -> None:
    page = await chrome.open(f"{site.url}/news")
    work, run = await begin(server, chrome, page, "test-chrome-looks", "Watch the news")
    await page.mouse.click(300, 300)
    await expect(work.get_by_text("the agent is paused")).to_be_visible()
    states = [event for event in await server.fish.events(run) if event.type == "state_changed"]
    assert states[-1].why == "the person touched a tab that the agent uses"
    await work.get_by_role("button", name="Let it go on").click()
    await expect(work.get_by_text("You are in control")).to_be_hidden()
    await work.get_by_role("button", name="Stop").click()
    end = await server.until(run, "run_finished")
    assert end.outcome == "stopped", (end.kind, end.error)
    await work.close()
    await page.close()


async def test_a_touch_is_told_at_once_also_while_a_model_is_slow(
    server: RunningServer, chrome: PersonChrome, panel: Page, site: Practice
) -> None:
    page = await chrome.open(f"{site.url}/news")
    work, run = await begin(server, chrome, page, "test-chrome-thinks", "Think about the news")
    await page.mouse.click(300, 300)
    await expect(work.get_by_text("does nothing more until you let it go on")).to_be_visible()
    await work.get_by_role("button", name="Let it go on").click()
    await expect(work.get_by_text("You are in control")).to_be_hidden()
    await work.get_by_role("button", name="Take over").click()
    await expect(work.get_by_text("does nothing more until you let it go on")).to_be_visible()
    await work.get_by_role("button", name="Stop").click()
    await server.until(run, "run_finished")
    await work.close()
    await page.close()


async def test_closing_the_tab_ends_the_run_and_says_what_to_do(
    server: RunningServer, chrome: PersonChrome, panel: Page, site: Practice
) -> None:
    page = await chrome.open(f"{site.url}/forum")
    work, run = await begin(server, chrome, page, "test-chrome-looks", "Watch the forum")
    before = len(chrome.context.pages)
    await page.close()
    end = await server.until(run, "run_finished")
    assert (end.outcome, "closed or taken back" in end.error) == ("failed", True), end
    assert len(chrome.context.pages) == before - 1
    await work.close()


async def test_cancel_in_the_bar_of_chrome_ends_the_run_and_the_tab_is_the_person_s_alone(
    server: RunningServer, chrome: PersonChrome, panel: Page, site: Practice
) -> None:
    page = await chrome.open(f"{site.url}/forum")
    number = await chrome.tab_id(page)
    work, run = await begin(server, chrome, page, "test-chrome-looks", "Watch until I cancel")
    # There is no bar to click without a window: Chrome lets the tab go, then tells the extension so.
    cancel = """async tabId => {
      await chrome.debugger.detach({tabId});
      chrome.debugger.onDetach.dispatch({tabId}, 'canceled_by_user');
    }"""
    await chrome.worker.evaluate(cancel, number)
    end = await server.until(run, "run_finished")
    assert (end.outcome, end.fix) == ("failed", "Hand a tab over again, then continue."), end
    await expect(work.get_by_text("taken back").last).to_be_visible()
    assert (page.is_closed(), page.url) == (False, f"{site.url}/forum")
    again = await chrome.worker.evaluate("chrome.storage.session.get('tabs').then(kept => kept.tabs.given)")
    assert number not in again
    await work.close()
    await page.close()


async def test_a_panel_belongs_to_the_window_it_is_in(
    server: RunningServer, chrome: PersonChrome, panel: Page, site: Practice
) -> None:
    first = await chrome.open(f"{site.url}/shop")
    await first.bring_to_front()
    await expect(panel.locator(".front")).to_contain_text("All goods")
    script = "url => chrome.windows.create({url, focused: true})"
    async with chrome.context.expect_page() as opened:
        await chrome.worker.evaluate(script, f"{site.url}/news")
    second = await opened.value
    await second.wait_for_load_state()
    await expect(panel.locator(".front")).to_contain_text("All goods")
    async with chrome.context.expect_page() as opened:
        await chrome.worker.evaluate(script, f"{chrome.origin}/panel.html")
    other = await opened.value
    window = "() => chrome.windows.getCurrent().then(window => window.id)"
    assert await other.evaluate(window) != await panel.evaluate(window)
    move = "([tab, windowId]) => chrome.tabs.move(tab, {windowId, index: 0})"
    await chrome.worker.evaluate(move, [await chrome.tab_id(second), await other.evaluate(window)])
    await second.bring_to_front()
    await expect(other.locator(".front")).to_contain_text(await second.title())
    await expect(panel.locator(".front")).to_contain_text("All goods")
    for page in (other, second, first):
        await page.close()


async def test_a_stopped_service_worker_wakes_and_the_run_goes_on(
    server: RunningServer, chrome: PersonChrome, panel: Page, site: Practice
) -> None:
    page = await chrome.open(f"{site.url}/wizard")
    work, run = await begin(server, chrome, page, "test-chrome-looks", "Watch the wizard")
    [before] = server.fish.extensions.connected("local")
    line = await chrome.context.new_cdp_session(work)
    await line.send("ServiceWorker.enable")
    await line.send("ServiceWorker.stopAllWorkers")
    async with asyncio.timeout(30):
        while before in server.fish.extensions.connected("local"):
            await asyncio.sleep(0.05)
    await work.evaluate("chrome.runtime.sendMessage({type: 'wake'})")
    seen = len(await server.fish.events(run))
    async with asyncio.timeout(60):
        while not any(event.type == "page_seen" for event in (await server.fish.events(run))[seen:]):
            await asyncio.sleep(0.1)
    assert await work.evaluate("chrome.alarms.getAll().then(all => all.map(one => one.name))") == ["connect"]
    await server.settled()
    await work.close()
    await page.close()

"""Incognito windows: without Chrome's own switch nothing of them is seen; with it the panel works there, apart."""

from collections.abc import AsyncGenerator

import pytest
from playwright.async_api import Error, Page, expect

from interfaces.server.running_server import RunningServer
from pilotfish.practice.server import Practice

from .chores import wait_for
from .person import PersonChrome, find_worker, person_chrome

pytestmark = pytest.mark.slow
ALLOW = """async id => {
  await chrome.developerPrivate.updateProfileConfiguration({inDeveloperMode: true});
  await chrome.developerPrivate.updateExtensionConfiguration({extensionId: id, incognitoAccess: true});
}"""
OPEN = "url => chrome.windows.create({url, incognito: true, focused: false}).then(made => made?.id ?? 0)"
TABS = "how => chrome.tabs.query(how).then(tabs => tabs.map(tab => [tab.url, tab.incognito]))"
STAND_IN = """id => {
  const query = chrome.tabs.query.bind(chrome.tabs);
  chrome.windows.getCurrent = async () => ({id, incognito: true});
  chrome.tabs.query = how => query(how.currentWindow ? {active: true, windowId: id} : how);
}"""


@pytest.fixture(scope="module")
async def chrome(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[PersonChrome]:
    """A browser; “Allow in Incognito” is switched on after the first test."""
    async with person_chrome(tmp_path_factory.mktemp("chrome")) as running:
        yield running


async def allow_incognito(chrome: PersonChrome) -> None:
    """Switch “Allow in Incognito” on; Chrome loads the extension anew."""
    page = await chrome.open("chrome://extensions")
    await page.evaluate(ALLOW, chrome.origin.split("/")[-1])

    async def is_allowed() -> bool:
        chrome.worker = await find_worker(chrome.context)
        try:
            return bool(await chrome.worker.evaluate("chrome.extension.isAllowedIncognitoAccess()"))
        except Error:  # It was the worker of before.
            return False

    await wait_for(is_allowed)
    await page.close()


async def panel_in(chrome: PersonChrome, window: int) -> Page:
    """The panel as it is in a window. A driver cannot open it in an incognito one, so it is told where it stands."""
    panel = await chrome.context.new_page()
    await panel.add_init_script(f"({STAND_IN})({window})")
    await panel.goto(f"{chrome.origin}/panel.html")
    await expect(panel.get_by_label("Your message")).to_be_visible()
    return panel


async def test_without_the_switch_no_incognito_tab_is_seen(chrome: PersonChrome, panel: Page, site: Practice) -> None:
    front = await chrome.open(f"{site.url}/shop")
    await chrome.worker.evaluate(OPEN, f"{site.url}/news")
    assert not await chrome.worker.evaluate("chrome.extension.isAllowedIncognitoAccess()")
    assert not any(url.endswith("/news") or incognito for url, incognito in await chrome.worker.evaluate(TABS, {}))
    await front.close()


async def test_with_the_switch_the_panel_works_there_and_both_kinds_of_windows_stay_apart(
    server: RunningServer, chrome: PersonChrome, panel: Page, site: Practice
) -> None:
    await allow_incognito(chrome)
    shop = await chrome.open(f"{site.url}/shop")
    window = int(await chrome.worker.evaluate(OPEN, f"{site.url}/forum"))

    async def are_loaded() -> bool:
        loaded = await chrome.worker.evaluate(TABS, {"status": "complete"})
        return all([f"{site.url}/{page}", True] in loaded for page in ("forum", "news"))

    await wait_for(are_loaded)
    usual, apart = await chrome.panel(), await panel_in(chrome, window)
    await shop.bring_to_front()
    await usual.get_by_role("button", name="Other tabs").click()
    await expect(usual.get_by_text("No other tab can be read.")).to_be_visible()
    await expect(apart.get_by_text("An incognito window")).to_be_visible()
    await expect(apart.locator(".front")).to_contain_text("Forum")
    await apart.get_by_role("button", name="Other tabs").click()
    await expect(apart.get_by_label("News")).to_be_visible()
    await expect(apart.get_by_label(await shop.title())).to_be_hidden()
    await apart.keyboard.press("Escape")

    await apart.get_by_label("Your message").fill("What is discussed here?")
    await apart.get_by_role("button", name="Send", exact=True).click()
    await expect(apart.locator(".thread")).to_contain_text("What is discussed here?")
    [run] = await server.fish.runs(text="What is discussed here?")
    assert [page["frames"][0]["url"] for page in run.options["pages"]] == [f"{site.url}/forum"]
    for page in (usual, apart, shop):
        await page.close()


async def test_a_chore_handed_over_in_an_incognito_window_stays_in_it(
    server: RunningServer, chrome: PersonChrome, site: Practice
) -> None:
    window = int(await chrome.worker.evaluate(OPEN, f"{site.url}/news"))
    panel = await panel_in(chrome, window)
    await panel.evaluate("localStorage.setItem('pilotfish.mode', JSON.stringify('test-chrome-looks'))")
    await panel.reload()
    await panel.get_by_role("button", name="New conversation").click()
    await panel.get_by_role("button", name="Work in this tab").click()
    await panel.get_by_label("Your message").fill("Watch the news apart")
    await panel.get_by_role("button", name="Send", exact=True).click()
    await expect(panel.locator(".thread")).to_contain_text("Watch the news apart")
    [record] = await server.fish.runs(text="Watch the news apart")
    await server.until(record.id, "page_seen")
    [extension] = server.fish.extensions.connected("local")
    made = (await extension.link.request("open", url="", group=record.conversation))["tab"]
    where = "tab => chrome.tabs.get(tab).then(found => [found.windowId, found.incognito])"
    assert await chrome.worker.evaluate(where, made) == [window, True]
    await panel.get_by_role("button", name="Stop").click()
    await server.until(record.id, "run_finished")
    await panel.close()

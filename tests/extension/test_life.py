"""Tabs and browsers change under a run: moved, discarded, crashed, unreadable; another version, another network."""

import asyncio

import pytest
from playwright.async_api import Error, Page, expect

from browser.stage import Answer, serve_site
from browser.test_page_text import pdf
from interfaces.server.running_server import RunningServer
from pilotfish.practice.server import Practice

from .chores import begin, send, wait_for, work_panel
from .person import PersonChrome

pytestmark = pytest.mark.slow
PDF = (
    b"%PDF-1.1\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n"
    b"trailer<</Root 1 0 R>>"
)


async def looks_again(server: RunningServer, run: str) -> None:
    """Wait until a run saw its page once more."""
    seen = len(await server.fish.events(run))

    async def has_looked() -> bool:
        return any(event.type == "page_seen" for event in (await server.fish.events(run))[seen:])

    await wait_for(has_looked)


async def test_a_driven_tab_that_is_moved_to_another_window_stays_driven_and_marked(
    server: RunningServer, chrome: PersonChrome, panel: Page, site: Practice
) -> None:
    page = await chrome.open(f"{site.url}/news")
    number = await chrome.tab_id(page)
    work, run = await begin(server, chrome, page, "test-chrome-looks", "Watch a tab that moves")
    window = await chrome.worker.evaluate("tabId => chrome.windows.create({tabId}).then(made => made.id)", number)
    await looks_again(server, run)
    script = "async windowId => (await chrome.tabGroups.query({windowId})).map(group => group.title)"

    async def is_marked() -> bool:
        return bool(await chrome.worker.evaluate(script, window) == ["Pilotfish"])

    await wait_for(is_marked)
    [record] = await server.fish.runs(text="Watch a tab that moves")
    [extension] = server.fish.extensions.connected("local")
    made = (await extension.link.request("open", url="", group=record.conversation))["tab"]
    beside = "tab => chrome.tabs.get(tab).then(found => found.windowId)"
    assert await chrome.worker.evaluate(beside, made) == window
    await extension.link.request("close", tab=made)
    await work.get_by_role("button", name="Stop").click()
    await server.until(run, "run_finished")
    await work.close()
    await page.close()


async def test_a_tab_that_was_discarded_is_loaded_again_for_the_next_chore(
    server: RunningServer, chrome: PersonChrome, panel: Page, site: Practice
) -> None:
    page = await chrome.open(f"{site.url}/news")
    title, number = await page.title(), await chrome.tab_id(page)
    work = await work_panel(chrome, page, "test-chrome-reads")
    first = await send(server, work, "Read it")
    assert (await server.until(first, "run_finished")).text == title
    await server.settled()
    [record] = await server.fish.runs(text="Read it")
    await work.bring_to_front()
    await chrome.worker.evaluate("tab => chrome.tabs.discard(tab)", number)
    second = await server.started("test-chrome-reads", conversation=record.conversation)
    assert (await server.until(second, "run_finished")).text == title
    await work.close()
    for left in [one for one in chrome.context.pages if one.url == f"{site.url}/news"]:
        await left.close()


async def test_a_tab_that_crashes_is_opened_again_and_the_run_goes_on(
    server: RunningServer, chrome: PersonChrome, panel: Page, site: Practice
) -> None:
    page = await chrome.open(f"{site.url}/news")
    work, run = await begin(server, chrome, page, "test-chrome-looks", "Watch a tab that crashes")
    before = set(chrome.context.pages)
    line = await chrome.context.new_cdp_session(page)
    with pytest.raises((Error, TimeoutError)):
        await asyncio.wait_for(line.send("Page.crash"), 5)
    await looks_again(server, run)
    await work.get_by_role("button", name="Stop").click()
    assert (await server.until(run, "run_finished")).outcome == "stopped"
    assert page in chrome.context.pages
    for each in (work, page, *(set(chrome.context.pages) - before)):
        await each.close()


async def test_a_pdf_and_a_page_that_did_not_load_are_told_in_words(
    server: RunningServer, chrome: PersonChrome, panel: Page
) -> None:
    def answer(_: object) -> Answer:
        return 200, {"content-type": "application/pdf"}, PDF

    with serve_site() as stage:
        stage.put("/paper.pdf", answer)
        page = await chrome.context.new_page()
        await page.goto(f"{stage.url}/paper.pdf")
        await page.bring_to_front()
        await expect(panel.locator(".front")).to_contain_text("paper.pdf")
        await ask(panel, "What does the paper say?")
        await expect(panel.get_by_text("is a PDF")).to_be_visible()
        await expect(panel.get_by_text("paper clip")).to_be_visible()
        with pytest.raises(Error):
            await page.goto("http://127.0.0.1:9/nobody")
        await expect(panel.locator(".front")).to_contain_text("127.0.0.1")
        await ask(panel, "What does nobody say?")
        await expect(panel.get_by_text("did not load")).to_be_visible()
        assert not await server.fish.runs(text="What does")
        await page.close()


async def test_a_pdf_that_comes_into_a_driven_tab_is_read_and_the_run_goes_on_in_it(
    server: RunningServer, chrome: PersonChrome, panel: Page
) -> None:
    def answer(_: object) -> Answer:
        return 200, {"content-type": "application/pdf"}, pdf("High water at noon")

    with serve_site() as stage:
        stage.put("/tides.pdf", answer)
        page = await chrome.open(stage.html("<a href=/tides.pdf>Paper</a>"))
        after = stage.put("/after", "<title>Afterwards</title><h1>Afterwards</h1>")
        number = await chrome.tab_id(page)
        work = await work_panel(chrome, page, "test-chrome-paper")
        run = await send(server, work, after)
        end = await server.until(run, "run_finished")
        assert (end.outcome, "High water at noon" in end.text) == ("completed", True), end
        found = await chrome.worker.evaluate("tab => chrome.tabs.get(tab).then(found => found.url)", number)
        assert found == after
        await work.close()
        await page.close()


async def ask(panel: Page, question: str) -> None:
    await panel.get_by_label("Your message").fill(question)
    await panel.get_by_role("button", name="Send", exact=True).click()


async def test_a_network_that_is_lost_does_not_concern_a_server_on_this_machine(
    chrome: PersonChrome, panel: Page
) -> None:
    await panel.evaluate("dispatchEvent(new Event('offline'))")
    await expect(panel.get_by_label("Your message")).to_be_visible()
    await panel.get_by_role("button", name="New conversation").click()
    await expect(panel.get_by_text("does not answer")).to_be_hidden()


async def test_another_version_is_told_with_what_to_do(
    server: RunningServer, chrome: PersonChrome, panel: Page
) -> None:
    other = await chrome.context.new_page()
    script = "const own = chrome.runtime.getManifest(); chrome.runtime.getManifest = () => ({...own, version: '0.0.1'})"
    await other.add_init_script(script)
    await other.goto(f"{chrome.origin}/panel.html")
    await expect(other.get_by_text("This extension is 0.0.1")).to_contain_text("pilotfish extension")
    await other.close()

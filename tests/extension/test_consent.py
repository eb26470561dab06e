"""What the person sees of the agent in their Chrome, what it is given, and how it is taken back."""

import io

import pytest
from PIL import Image
from playwright.async_api import Page, expect

from interfaces.server.running_server import RunningServer
from pilotfish.practice.server import Practice

from .chores import begin, send, wait_for, work_panel
from .person import PersonChrome

pytestmark = pytest.mark.slow
MARKS = """async tab => {
  const {groupId} = await chrome.tabs.get(tab);
  const group = groupId < 0 ? null : await chrome.tabGroups.get(groupId);
  const asked = chrome.debugger.sendCommand({tabId: tab}, 'Runtime.evaluate', {expression: '1'});
  return {
    badge: await chrome.action.getBadgeText({tabId: tab}),
    group: group && `${group.title} ${group.color}`,
    driven: await asked.then(() => true, () => false),
  };
}"""
FORM = "<title>Form</title><body style='background:#fff'><label>Name <input style='margin:200px'></label>"


async def wait_for_marks(chrome: PersonChrome, tab: int, **wanted: str | bool | None) -> None:
    """Wait until a tab is shown, and driven, as wanted."""

    async def is_marked() -> bool:
        return bool(await chrome.worker.evaluate(MARKS, tab) == wanted)

    await wait_for(is_marked)


async def test_only_chosen_tabs_are_read_beside_the_page_in_front(
    server: RunningServer, chrome: PersonChrome, panel: Page, site: Practice
) -> None:
    news, forum = await chrome.open(f"{site.url}/news"), await chrome.open(f"{site.url}/forum")
    shop = await chrome.open(f"{site.url}/shop")
    await shop.bring_to_front()
    await expect(panel.locator(".front")).to_contain_text(await shop.title())
    await panel.get_by_role("button", name="Other tabs").click()
    await expect(panel.get_by_label(await forum.title())).not_to_be_checked()
    await panel.get_by_label(await news.title()).check()
    await panel.keyboard.press("Escape")
    await panel.get_by_label("Your message").fill("What do both say?")
    await panel.get_by_role("button", name="Send", exact=True).click()
    await expect(panel.locator(".thread")).to_contain_text("What do both say?")
    [run] = await server.fish.runs(text="What do both say?")
    assert [page["frames"][0]["url"] for page in run.options["pages"]] == [shop.url, news.url]
    await expect(panel.locator(".beside .attached")).to_be_hidden()
    for page in (news, forum, shop):
        await page.close()


async def test_a_driven_tab_is_marked_until_the_run_is_stopped_and_stays_open(
    server: RunningServer, chrome: PersonChrome, panel: Page, site: Practice
) -> None:
    page = await chrome.open(f"{site.url}/news")
    number = await chrome.tab_id(page)
    work, run = await begin(server, chrome, page, "test-chrome-looks", "Watch and be seen")
    await wait_for_marks(chrome, number, badge="●", group="Pilotfish cyan", driven=True)
    await page.goto(f"{site.url}/forum")
    await wait_for_marks(chrome, number, badge="●", group="Pilotfish cyan", driven=True)
    await work.bring_to_front()
    await expect(work.locator(".driven")).to_contain_text(f"Pilotfish works in “{await page.title()}”")
    await work.get_by_role("button", name="Stop").click()
    assert (await server.until(run, "run_finished")).outcome == "stopped"

    await wait_for_marks(chrome, number, badge="", group="Pilotfish grey", driven=False)
    assert not page.is_closed()
    await work.close()
    await page.close()


async def test_a_tab_that_is_taken_back_ends_the_run_and_is_handed_over_anew_to_try_again(
    server: RunningServer, chrome: PersonChrome, panel: Page, site: Practice
) -> None:
    page = await chrome.open(f"{site.url}/news")
    number = await chrome.tab_id(page)
    work, run = await begin(server, chrome, page, "test-chrome-looks", "Watch until it is taken back")
    await work.get_by_role("button", name="Take back").click()
    end = await server.until(run, "run_finished")
    assert (end.outcome, "taken back" in end.error) == ("failed", True), end
    await wait_for_marks(chrome, number, badge="", group=None, driven=False)
    assert not page.is_closed()
    await page.bring_to_front()
    await expect(work.locator(".front")).to_contain_text(await page.title())
    await work.get_by_role("button", name="Try again").click()
    await wait_for_marks(chrome, number, badge="●", group="Pilotfish cyan", driven=True)
    [again] = [each for each in await server.fish.runs(text="Watch until it is taken back") if each.id != run]
    await server.until(again.id, "page_seen")
    await work.get_by_role("button", name="Stop").click()
    assert (await server.until(again.id, "run_finished")).outcome == "stopped"
    await work.close()
    await page.close()


async def shows_pointer(page: Page) -> bool:
    """Whether the arrow of the agent is painted over a page."""
    taken = Image.open(io.BytesIO(await page.screenshot())).convert("RGB")
    pixels = zip(*(band.tobytes() for band in taken.split()), strict=True)
    return any(red < 40 and 110 < green < 140 and 105 < blue < 135 for red, green, blue in set(pixels))


async def test_the_pointer_stays_after_the_picture_that_is_kept_of_an_action(
    server: RunningServer, chrome: PersonChrome, panel: Page, site: Practice
) -> None:
    page = await chrome.open(f"{site.url}/news")
    await page.set_content(FORM)
    work, run = await begin(server, chrome, page, "test-chrome-points", "Click into your name")
    kept = await server.until(run, "file_saved")
    assert kept.purpose == "frame"

    async def is_pointer_shown() -> bool:
        return await shows_pointer(page)

    await wait_for(is_pointer_shown)
    await work.get_by_role("button", name="Stop").click()
    await server.until(run, "run_finished")
    await work.close()
    await page.close()


async def test_only_a_touch_of_the_person_pauses(
    server: RunningServer, chrome: PersonChrome, panel: Page, site: Practice
) -> None:
    page = await chrome.open(f"{site.url}/news")
    await page.set_content(FORM)
    work, run = await begin(server, chrome, page, "test-chrome-writes", "Write your name again and again")

    async def has_acted() -> bool:
        return len([event for event in await server.fish.events(run) if event.type == "tool_finished"]) > 5

    await wait_for(has_acted)
    states = [event.state for event in await server.fish.events(run) if event.type == "state_changed"]
    assert "paused" not in states
    await page.mouse.click(5, 5)
    await expect(work.get_by_text("You are in control")).to_be_visible()
    await work.get_by_role("button", name="Stop").click()
    await server.until(run, "run_finished")
    await work.close()
    await page.close()


async def test_what_the_agent_opens_stays_open_and_other_tabs_are_left_alone(
    server: RunningServer, chrome: PersonChrome, panel: Page, site: Practice
) -> None:
    bystander = await chrome.open(f"{site.url}/forum")
    page = await chrome.open(f"{site.url}/news")
    await page.set_content(f"<title>Links</title><a href='{site.url}/shop' target=_blank>Open it</a>")
    work = await work_panel(chrome, page, "test-chrome-opens")
    async with chrome.context.expect_page() as opened:
        run = await send(server, work, "Open the link in a new tab")
    result = await opened.value
    end = await server.until(run, "run_finished")
    assert "All goods" in end.text, end
    await server.settled()
    assert not result.is_closed()
    assert "/shop" in result.url
    assert (bystander.url, page.is_closed()) == (f"{site.url}/forum", False)
    for each in (work, result, page, bystander):
        await each.close()


async def test_beside_a_page_of_chrome_itself_a_chore_works_in_a_new_tab(
    server: RunningServer, chrome: PersonChrome, panel: Page
) -> None:
    page = await chrome.open("chrome://version")
    work = await chrome.panel()
    await work.evaluate("localStorage.setItem('pilotfish.mode', JSON.stringify('test-chrome-looks'))")
    await work.reload()
    await work.get_by_role("button", name="New conversation").click()
    await page.bring_to_front()
    await expect(work.locator(".beside")).to_contain_text("Chrome keeps this page to itself")
    await expect(work.get_by_role("button", name="Ask about this page")).to_be_disabled()
    await expect(work.get_by_role("button", name="Hand over a chore")).to_be_visible()
    await expect(work.get_by_role("button", name="Ask about a page")).to_be_hidden()
    await work.get_by_role("button", name="Work in a new tab").click()
    async with chrome.context.expect_page() as opened:
        run = await send(server, work, "Look at nothing")
    made = await opened.value
    await server.until(run, "page_seen")
    assert (page.url, made.url) == ("chrome://version/", "about:blank")
    await work.get_by_role("button", name="Stop").click()
    await server.until(run, "run_finished")
    for each in (work, made, page):
        await each.close()


async def test_what_is_sent_to_work_in_a_tab_is_a_chore_whatever_its_words_say(
    server: RunningServer, chrome: PersonChrome, panel: Page, site: Practice
) -> None:
    page = await chrome.open(f"{site.url}/shop")
    work = await work_panel(chrome, page, "auto")
    run = await send(server, work, "Which lanterns are there?")
    noted = await server.until(run, "noted")
    assert noted.details["loop"] in ("horizon", "pilot")
    await server.until(run, "run_finished")
    await work.close()
    await page.close()

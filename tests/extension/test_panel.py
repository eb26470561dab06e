"""The panel as narrow as Chrome lets it be, in light and dark, and without a mouse."""

import pytest
from playwright.async_api import Locator, Page, expect

from interfaces.server.running_server import RunningServer
from pilotfish.practice.server import Practice
from ui.test_access import violations

from .chores import send, work_panel
from .person import PersonChrome

pytestmark = pytest.mark.slow
WIDTHS = (320, 360, 400)
MOST_KEYS = 40
OUTSIDE = """() => [...document.querySelectorAll('button, a, input, textarea, select, h1, label')].filter((el) => {
  const { left, right, width } = el.getBoundingClientRect();
  return width && el.checkVisibility({ opacityProperty: true }) && (left < -1 || right > innerWidth + 1);
}).map((el) => el.outerHTML.slice(0, 120))"""
SIGN_IN = "/account/login"
LONG = "A page with a title that is much longer than any panel beside it is wide, and then some more"


async def look(panel: Page) -> None:
    """Whether everything is within the panel at every width, and axe has nothing to say in light and dark."""
    await panel.bring_to_front()
    for width in WIDTHS:
        await panel.set_viewport_size({"width": width, "height": 720})
        assert await panel.evaluate(OUTSIDE) == [], width
        assert await panel.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, width
    for theme in ("light", "dark"):
        await panel.emulate_media(color_scheme=theme, reduced_motion="reduce")
        await expect(panel.locator(f"html[data-theme={theme}]")).to_have_count(1)
        assert await violations(panel) == [], theme


async def reach(panel: Page, wanted: Locator) -> None:
    """Press Tab until something has the focus."""
    await expect(wanted).to_be_visible()
    for _ in range(MOST_KEYS):
        if await wanted.evaluate("el => el === document.activeElement"):
            return
        await panel.keyboard.press("Tab")
    raise AssertionError(f"{wanted} is not reached by the Tab key")


async def test_the_panel_fits_into_320_pixels_and_is_clear_in_light_and_dark(
    server: RunningServer, chrome: PersonChrome, panel: Page, site: Practice
) -> None:
    page = await chrome.open(f"{site.url}{SIGN_IN}")
    await page.fill("[name=user]", "mira")
    await page.fill("[name=password]", "lantern-42")
    async with page.expect_navigation(url="**/account"):
        await page.press("[name=password]", "Enter")
    await page.evaluate("title => { document.title = title; }", LONG)
    work = await work_panel(chrome, page, "test-chrome-phone")
    await expect(work.locator(".front")).to_contain_text(LONG)
    await look(work)
    await page.bring_to_front()
    run = await send(server, work, "Change my phone number to 0123 456, please, as I told you before")
    banner = work.get_by_role("alertdialog")
    await expect(banner).to_contain_text("0123 456")
    await look(work)
    await banner.get_by_role("button", name="Deny").click()
    await server.until(run, "run_finished")
    await look(work)
    await work.close()
    await page.close()


async def test_other_tabs_are_chosen_and_a_question_is_sent_without_a_mouse(
    server: RunningServer, chrome: PersonChrome, panel: Page, site: Practice
) -> None:
    news, shop = await chrome.open(f"{site.url}/news"), await chrome.open(f"{site.url}/shop")
    await shop.bring_to_front()
    await expect(panel.locator(".front")).to_contain_text(await shop.title())
    await panel.evaluate("() => document.activeElement.blur()")
    other = panel.get_by_role("button", name="Other tabs")
    await reach(panel, other)
    await panel.keyboard.press("Enter")
    await reach(panel, panel.get_by_label(await news.title()))
    await panel.keyboard.press("Space")
    await panel.keyboard.press("Escape")
    await expect(other).to_be_focused()
    await reach(panel, panel.get_by_role("button", name="Work in this tab"))
    await reach(panel, panel.get_by_label("Your message"))
    await panel.keyboard.type("What is sold, and what is new?")
    await panel.keyboard.press("Enter")
    await expect(panel.locator(".thread")).to_contain_text("What is sold, and what is new?")
    [run] = await server.fish.runs(text="What is sold, and what is new?")
    assert [page["frames"][0]["url"] for page in run.options["pages"]] == [shop.url, news.url]
    for page in (news, shop):
        await page.close()

"""For everybody: axe finds nothing, keys do everything, motion can be off, Chinese is whole, 320 px is enough."""

from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from .stage import Stage, release

pytestmark = pytest.mark.slow

AXE = Path(__file__).parents[2] / "ui" / "node_modules" / "axe-core" / "axe.min.js"
PLACES = ["/", "/runs", "/memory", "/costs", "/welcome", "/settings/you", "/settings/agent", "/settings/models"]


async def violations(page: Page) -> list[str]:
    """What axe has against the page as it is."""
    await page.evaluate(AXE.read_text())
    found = await page.evaluate("axe.run(document, {resultTypes: ['violations']}).then(r => r.violations)")
    return [f"{one['id']}: {node['html'][:120]}" for one in found for node in one["nodes"]]


@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_axe_finds_no_violation_on_any_page(stage: Stage, page: Page, theme: str) -> None:
    await page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # pyright: ignore[reportArgumentType]
    for place in [
        *PLACES,
        "/settings/tools",
        "/settings/people",
        "/settings/policy",
        "/settings/history",
        "/settings/secrets",
    ]:
        await stage.open(page, place)
        await page.wait_for_load_state("networkidle")
        assert await violations(page) == [], place


@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_axe_finds_no_violation_in_conversations_and_runs(stage: Stage, page: Page, theme: str) -> None:
    await page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # pyright: ignore[reportArgumentType]
    run, talk = await stage.start("story")
    await stage.ended(run)
    await stage.open(page, f"/c/{talk}")
    await page.get_by_role("button", name="Show the steps").click()
    await page.locator(".step button").first.click()
    assert await violations(page) == []
    await stage.open(page, f"/runs/{run}")
    await page.get_by_role("button", name="Replay", exact=True).click()
    await expect(page.get_by_role("slider")).to_be_visible()
    assert await violations(page) == []
    for name in ("asks", "fails", "money"):
        _, talk = await stage.start(name, f"{name} in {theme}")
        await stage.open(page, f"/c/{talk}")
        await expect(page.locator(".banner, .trouble")).to_be_visible()
        assert await violations(page) == [], name


async def shown(page: Page, name: str) -> None:
    """A menu or dialog is open, and nothing is wrong with it; then it is closed by the keyboard alone."""
    await expect(page.locator(".panel, dialog[open]").last).to_be_visible()
    assert await violations(page) == [], name
    await page.keyboard.press("Escape")
    await expect(page.locator(".panel, dialog[open]")).to_have_count(0)


@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_axe_finds_no_violation_in_menus_and_dialogs(stage: Stage, page: Page, theme: str) -> None:
    await page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # pyright: ignore[reportArgumentType]
    run, _ = await stage.start("story")
    await stage.ended(run)
    await stage.open(page)
    for name in ("Mode", "Model", "Which pages", "Limits"):
        await page.locator(".bar").get_by_role("button", name=name, exact=False).first.press("Enter")
        await shown(page, name)
    for key in ("?", "Control+k"):
        await page.keyboard.press(key)
        await shown(page, key)
    for name in ("Rename", "Delete"):
        await page.locator(".threads .menu button").first.press("Enter")
        await page.get_by_role("button", name=name, exact=True).press("Enter")
        await shown(page, name)
    await stage.open(page, f"/runs/{run}")
    for name in ("Audit", "Delete"):
        await page.get_by_role("main").get_by_role("button", name="More").press("Enter")
        await page.get_by_role("button", name=name, exact=True).press("Enter")
        await shown(page, name)


@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_axe_finds_no_violation_beside_the_browser_and_between_runs(stage: Stage, page: Page, theme: str) -> None:
    await page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # pyright: ignore[reportArgumentType]
    _, talk = await stage.start("looks", f"look in {theme}", tabs=[stage.site.address("/shop")])
    await stage.open(page, f"/c/{talk}")
    await expect(page.locator("canvas[data-frames]")).to_be_visible()
    await page.locator(".thumb").first.press("Enter")
    await shown(page, "picture")
    await page.get_by_role("button", name="Take over").press("Enter")
    await expect(page.get_by_text("You are in control")).to_be_visible()
    assert await violations(page) == []
    release(f"look in {theme}")
    one, _ = await stage.start("story")
    two, _ = await stage.start("fails")
    await stage.ended(one)
    await stage.ended(two)
    await stage.open(page, f"/compare/{one}/{two}")
    await expect(page.locator(".pair section")).to_have_count(2)
    await expect(page.locator(".pair table")).to_be_visible()
    assert await violations(page) == []


async def test_the_keyboard_does_everything(stage: Stage, page: Page) -> None:
    await stage.open(page)
    await page.keyboard.press("?")
    await expect(page.get_by_role("dialog", name="Keyboard")).to_be_visible()
    await page.keyboard.press("Escape")
    await page.keyboard.press("/")
    await expect(page.get_by_label("Your message")).to_be_focused()
    await page.keyboard.type("one")
    await page.keyboard.press("Shift+Enter")
    await page.keyboard.type("two")
    await expect(page.get_by_label("Your message")).to_have_value("one\ntwo")
    await page.keyboard.press("Control+k")
    await page.keyboard.type("mode held")
    await page.keyboard.press("Enter")
    await page.get_by_label("Your message").fill("by keyboard")
    await page.keyboard.press("Enter")
    await expect(page.locator(".work .state")).to_have_text("Working")
    await page.keyboard.press("Escape")
    await expect(page.locator(".work .state")).to_have_text("Stopped")
    await page.keyboard.press("Control+k")
    await page.keyboard.type("settings")
    await page.keyboard.press("Enter")
    await expect(page.locator("h1")).to_have_text("Settings")
    release("by keyboard")


async def test_nothing_moves_for_those_who_asked_for_stillness(stage: Stage, page: Page) -> None:
    await page.emulate_media(reduced_motion="reduce")
    _, talk = await stage.start("asks", "quietly")
    await stage.open(page, f"/c/{talk}")
    banner = page.get_by_role("alertdialog")
    await expect(banner).to_be_visible()
    assert await banner.evaluate("e => getComputedStyle(e).animationName") == "none"


async def test_the_page_speaks_chinese(stage: Stage, page: Page) -> None:
    await stage.open(page, "/settings/you")
    await page.get_by_label("Language").select_option("zh")
    await expect(page.locator("h1")).to_have_text("设置")
    await expect(page.locator("html")).to_have_attribute("lang", "zh")
    run, talk = await stage.start("story", "哪个更强？")
    await stage.ended(run)
    await stage.open(page, f"/c/{talk}")
    await expect(page.locator(".work .state")).to_have_text("完成")


@pytest.mark.parametrize("place", PLACES)
async def test_320_pixels_are_enough(stage: Stage, page: Page, place: str) -> None:
    await page.set_viewport_size({"width": 320, "height": 640})
    await stage.open(page, place)
    await page.wait_for_load_state("networkidle")
    wide = await page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 320
    if place == "/":
        await page.get_by_role("button", name="Menu").click()
        await expect(page.get_by_role("link", name="New conversation")).to_be_visible()
        await page.keyboard.press("Escape")
        await expect(page.get_by_label("Your message")).to_be_visible()


async def test_reading_is_not_disturbed_while_text_comes(stage: Stage, page: Page) -> None:
    await page.set_viewport_size({"width": 900, "height": 500})
    first, talk = await stage.start("story")
    second, _ = await stage.start("story", conversation=talk)
    await stage.ended(first)
    await stage.ended(second)
    await stage.open(page, f"/c/{talk}")
    await expect(page.locator(".said.theirs table")).to_have_count(2)
    await page.locator(".thread").evaluate("e => e.scrollTop = 40")
    await stage.start("held", "while reading", conversation=talk)
    await expect(page.get_by_role("button", name="Jump to latest")).to_be_visible()
    release("while reading")
    assert await page.locator(".thread").evaluate("e => e.scrollTop") == 40
    await page.get_by_role("button", name="Jump to latest").click()
    await expect(page.locator(".said.theirs").last).to_be_in_viewport()

"""For everybody: axe finds nothing, keys do everything, motion can be off, Chinese is whole."""

from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from .places import PLACES, visit
from .stage import Stage, release

pytestmark = pytest.mark.slow

AXE = Path(__file__).parents[2] / "ui" / "node_modules" / "axe-core" / "axe.min.js"
HEARD = "([where, how]) => axe.run(where, {...how, resultTypes: ['violations']}).then(r => r.violations)"
# All that a theme can change.
COLOURS = {"runOnly": ["color-contrast", "link-in-text-block"]}


async def violations(page: Page, where: str = "html") -> list[str]:
    """What axe has against the page as it is: all of its rules in light, those about colours in dark too."""
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(AXE.read_text())
    found: list[str] = []
    for theme, how in (("dark", COLOURS), ("light", {})):
        await page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # pyright: ignore[reportArgumentType]
        await expect(page.locator(f"html[data-theme={theme}]")).to_have_count(1)
        told = await page.evaluate(HEARD, [where, how])
        found += [f"{theme}: {one['id']}: {node['html'][:120]}" for one in told for node in one["nodes"]]
    return found


async def test_axe_finds_no_violation_on_any_page(stage: Stage, page: Page) -> None:
    for place in PLACES:
        await visit(stage, page, place)
        assert await violations(page) == [], place


async def test_axe_finds_no_violation_in_conversations_and_runs(stage: Stage, page: Page) -> None:
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
        _, talk = await stage.start(name, f"{name} for axe")
        await stage.open(page, f"/c/{talk}")
        await expect(page.locator(".banner, .failure")).to_be_visible()
        assert await violations(page, "#main") == [], name


async def check_and_close(page: Page, name: str) -> None:
    """A menu or dialog is open, and nothing is wrong with it; then it is closed by the keyboard alone."""
    over = page.locator(".panel, dialog[open]")
    await expect(over).to_be_visible()
    assert await violations(page, ".panel, dialog[open]") == [], name
    await page.keyboard.press("Escape")
    await expect(over).to_have_count(0)


async def test_axe_finds_no_violation_in_menus_and_dialogs(stage: Stage, page: Page) -> None:
    run, talk = await stage.start("story")
    await stage.ended(run)
    await stage.open(page, f"/c/{talk}")
    await page.get_by_role("button", name="More about this answer").press("Enter")
    await check_and_close(page, "More about this answer")
    for name in ("Mode", "Model", "Which pages", "Limits"):
        await page.locator(".bar").get_by_role("button", name=name, exact=False).first.press("Enter")
        await check_and_close(page, name)
    for key in ("?", "Control+k"):
        await page.locator("body").press(key)
        await check_and_close(page, key)
    for name in ("Rename", "Delete"):
        await page.locator(".threads li.open .menu button").press("Enter")
        await page.get_by_role("button", name=name, exact=True).press("Enter")
        await check_and_close(page, name)
    await stage.open(page, f"/runs/{run}")
    for name in ("Audit", "Delete"):
        await page.get_by_role("main").get_by_role("button", name="More").press("Enter")
        await page.get_by_role("button", name=name, exact=True).press("Enter")
        await check_and_close(page, name)


async def test_axe_finds_no_violation_beside_the_browser_and_between_runs(stage: Stage, page: Page) -> None:
    _, talk = await stage.start("looks", "look for axe", tabs=[stage.site.address("/shop")])
    await stage.open(page, f"/c/{talk}")
    await expect(page.locator("canvas[data-frames]")).to_be_visible()
    await page.locator(".thumb").first.press("Enter")
    await check_and_close(page, "picture")
    await page.get_by_role("button", name="Take over").press("Enter")
    await expect(page.get_by_text("You are in control")).to_be_visible()
    assert await violations(page) == []
    release("look for axe")
    one, _ = await stage.start("story")
    two, _ = await stage.start("fails")
    await stage.ended(one)
    await stage.ended(two)
    await stage.open(page, f"/compare/{one}/{two}")
    await expect(page.locator(".pair section")).to_have_count(2)
    await expect(page.locator(".pair table")).to_be_visible()
    assert await violations(page, "#main") == []


async def test_the_keyboard_does_everything(stage: Stage, page: Page) -> None:
    await stage.open(page)
    await page.keyboard.press("?")
    await expect(page.get_by_role("dialog", name="Keyboard")).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await page.keyboard.press("/")
    await expect(page.get_by_label("Your message")).to_be_focused()
    await page.keyboard.type("one")
    await page.keyboard.press("Shift+Enter")
    await page.keyboard.type("two")
    await expect(page.get_by_label("Your message")).to_have_value("one\ntwo")
    await page.keyboard.press("Control+k")
    await expect(page.get_by_role("dialog").get_by_role("combobox")).to_be_focused()
    await page.keyboard.type("mode held")
    await expect(page.get_by_role("option", name="Mode: test-held")).to_be_visible()
    await page.keyboard.press("Enter")
    await page.get_by_label("Your message").fill("by keyboard")
    await page.keyboard.press("Enter")
    await expect(page.locator(".work .state")).to_have_text("Working")
    await page.get_by_label("Address of the page").press("Escape")
    await expect(page.get_by_label("Address of the page")).not_to_be_focused()
    await expect(page.locator(".work .state")).to_have_text("Working")
    await page.keyboard.press("/")
    await page.keyboard.press("Escape")
    await expect(page.locator(".work .state")).to_have_text("Stopped")
    await page.keyboard.press("Control+k")
    await expect(page.get_by_role("dialog").get_by_role("combobox")).to_be_focused()
    await page.keyboard.type("settings")
    await expect(page.get_by_role("option", name="Settings")).to_be_visible()
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
    await expect(page.locator(".said.theirs:not(.draft)")).to_have_count(3)
    assert await page.locator(".thread").evaluate("e => e.scrollTop") == 40
    await page.get_by_role("button", name="Jump to latest").click()
    await expect(page.locator(".said.theirs").last).to_be_in_viewport()

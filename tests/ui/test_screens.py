"""Every screen at five widths: nothing sticks out, nothing is in the way; pictures in light and dark on request."""

import os
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from .places import PLACES, visit
from .stage import Stage, release

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

WIDTHS = {1440: 900, 1024: 768, 768: 1024, 360: 740, 320: 640}
SPILL = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
KEPT = os.environ.get("PILOTFISH_SCREENS", "")


async def look(page: Page, name: str) -> None:
    """Whether it fits at every width. Pictures of it go to the folder named by PILOTFISH_SCREENS, to be looked at."""
    for width, height in WIDTHS.items():
        await page.set_viewport_size({"width": width, "height": height})
        assert await page.evaluate(SPILL) <= 0, f"{name} is wider than {width} px"
        for theme in ("light", "dark") if KEPT else ():
            await page.emulate_media(color_scheme=theme, reduced_motion="reduce")
            await expect(page.locator(f"html[data-theme={theme}]")).to_have_count(1)
            await page.screenshot(path=Path(KEPT) / f"{name}-{width}-{theme}.png")


async def test_an_empty_conversation(stage: Stage, page: Page) -> None:
    await stage.open(page)
    await look(page, "empty")
    await page.get_by_role("button", name="Menu").click()
    await expect(page.get_by_role("link", name="New conversation")).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(page.get_by_label("Your message")).to_be_visible()


async def test_a_conversation_with_a_finished_run(stage: Stage, page: Page) -> None:
    run, talk = await stage.start("story")
    await stage.ended(run)
    await stage.open(page, f"/c/{talk}")
    await expect(page.locator(".said.theirs table")).to_be_visible()
    await page.get_by_role("button", name="Show the steps").click()
    await look(page, "answer")


async def test_a_run_under_way_with_the_browser_beside_it(stage: Stage, page: Page) -> None:
    where = stage.site.address("/shop")
    _, talk = await stage.start("shops", "What does the tide kettle cost?", tabs=[where])
    await stage.open(page, f"/c/{talk}")
    await expect(page.locator("canvas[data-frames]")).to_be_visible()
    await expect(page.locator(".latest")).to_be_visible()
    await expect(page.locator(".plan li.done")).to_have_count(2)
    await look(page, "live")
    await page.locator(".peek").click()
    await expect(page.locator("canvas[data-frames]")).to_be_in_viewport()
    await look(page, "sheet")
    release("What does the tide kettle cost?")


@pytest.mark.parametrize("name", ["asks", "money", "fails"])
async def test_what_it_asks_and_how_it_fails(stage: Stage, page: Page, name: str) -> None:
    _, talk = await stage.start(name, "Order the red lamp")
    await stage.open(page, f"/c/{talk}")
    await expect(page.locator(".banner, .failure")).to_be_visible()
    await look(page, name)
    if name == "asks":
        await page.get_by_role("button", name="Red", exact=True).click()
        await expect(page.get_by_role("alertdialog")).to_contain_text("May I place the order?")
        await look(page, "approval")


async def test_the_run_page_its_replay_and_two_runs_compared(stage: Stage, page: Page) -> None:
    one, _ = await stage.start("story")
    two, _ = await stage.start("story", "Which arm is cheaper?")
    await stage.ended(one)
    await stage.ended(two)
    await stage.open(page, f"/runs/{one}")
    await expect(page.locator(".step").first).to_be_visible()
    await look(page, "run")
    await page.get_by_role("button", name="Replay", exact=True).click()
    await expect(page.get_by_role("slider")).to_be_visible()
    await look(page, "replay")
    await stage.open(page, f"/compare/{one}/{two}")
    await expect(page.locator(".pair table")).to_have_count(2)
    await look(page, "compare")


async def test_the_other_pages(stage: Stage, page: Page) -> None:
    for place in PLACES:
        await visit(stage, page, place)
        await look(page, place.strip("/").replace("/", "-") or "start")


async def test_palette_and_help(stage: Stage, page: Page) -> None:
    await stage.open(page)
    await page.keyboard.press("Control+k")
    await expect(page.get_by_role("dialog")).to_be_visible()
    await look(page, "palette")

"""Every screen in light and dark at four widths: nothing sticks out, nothing is in the way; the pictures are kept."""

import os
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from .stage import Stage, release

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]

WIDTHS = {1440: 900, 1024: 768, 768: 1024, 360: 740}
PARTS = ("you", "agent", "models", "tools", "people")
PAGES = ["runs", "costs", "memory", "welcome", *(f"settings/{part}" for part in PARTS)]
SPILL = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where pictures go: to look at them, say where in PILOTFISH_SCREENS."""
    kept = os.environ.get("PILOTFISH_SCREENS")
    return Path(kept) if kept else tmp_path_factory.mktemp("screens")


async def shoot(page: Page, folder: Path, name: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for width, height in WIDTHS.items():
        await page.set_viewport_size({"width": width, "height": height})
        for theme in ("light", "dark"):
            await page.emulate_media(color_scheme=theme, reduced_motion="reduce")
            await expect(page.locator(f"html[data-theme={theme}]")).to_have_count(1)
            await page.screenshot(path=folder / f"{name}-{width}-{theme}.png")
            assert await page.evaluate(SPILL) <= 0, f"{name} is wider than {width} px"


async def test_an_empty_conversation(stage: Stage, page: Page, folder: Path) -> None:
    await stage.open(page)
    await shoot(page, folder, "empty")


async def test_a_conversation_with_a_finished_run(stage: Stage, page: Page, folder: Path) -> None:
    run, talk = await stage.start("story")
    await stage.ended(run)
    await stage.open(page, f"/c/{talk}")
    await expect(page.locator(".said.theirs table")).to_be_visible()
    await page.get_by_role("button", name="Show the steps").click()
    await shoot(page, folder, "answer")


async def test_a_run_under_way_with_the_browser_beside_it(stage: Stage, page: Page, folder: Path) -> None:
    where = stage.site.address("/shop")
    _, talk = await stage.start("shops", "What does the tide kettle cost?", tabs=[where])
    await stage.open(page, f"/c/{talk}")
    await expect(page.locator("canvas[data-frames]")).to_be_visible()
    await expect(page.locator(".latest")).to_be_visible()
    await expect(page.locator(".plan li.done")).to_have_count(2)
    await shoot(page, folder, "live")
    await page.locator(".peek").click()
    await page.screenshot(path=folder / "sheet-360-dark.png")
    release("What does the tide kettle cost?")


@pytest.mark.parametrize("name", ["asks", "money", "fails"])
async def test_what_it_asks_and_how_it_fails(stage: Stage, page: Page, folder: Path, name: str) -> None:
    _, talk = await stage.start(name, "Order the red lamp")
    await stage.open(page, f"/c/{talk}")
    await expect(page.locator(".banner, .trouble")).to_be_visible()
    await shoot(page, folder, name)
    if name == "asks":
        await page.get_by_role("button", name="Red", exact=True).click()
        await expect(page.get_by_text("May I place the order?").last).to_be_visible()
        await shoot(page, folder, "approval")


async def test_the_run_page_its_replay_and_two_runs_compared(stage: Stage, page: Page, folder: Path) -> None:
    one, _ = await stage.start("story")
    two, _ = await stage.start("story", "Which arm is cheaper?")
    await stage.ended(one)
    await stage.ended(two)
    await stage.open(page, f"/runs/{one}")
    await expect(page.locator(".step").first).to_be_visible()
    await shoot(page, folder, "run")
    await page.get_by_role("button", name="Replay").click()
    await expect(page.get_by_role("slider")).to_be_visible()
    await shoot(page, folder, "replay")
    await stage.open(page, f"/compare/{one}/{two}")
    await expect(page.locator(".pair table")).to_have_count(2)
    await shoot(page, folder, "compare")


@pytest.mark.parametrize(
    "name",
    [
        "runs",
        "costs",
        "memory",
        "welcome",
        "settings/you",
        "settings/agent",
        "settings/models",
        "settings/tools",
        "settings/people",
    ],
)
async def test_the_other_pages(stage: Stage, page: Page, folder: Path, name: str) -> None:
    await stage.open(page, f"/{name}")
    await expect(page.locator("main h1")).to_be_visible()
    await page.wait_for_load_state("networkidle")
    await shoot(page, folder, name.replace("/", "-"))


async def test_palette_and_help(stage: Stage, page: Page, folder: Path) -> None:
    await stage.open(page)
    await page.keyboard.press("Control+k")
    await expect(page.get_by_role("dialog")).to_be_visible()
    await shoot(page, folder, "palette")

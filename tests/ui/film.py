"""Films the page at work, for the README: `PYTHONPATH=tests python -m ui.film docs/screens/film.webp`."""

import asyncio
import io
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.async_api import Page, Route, ViewportSize, async_playwright, expect

from pilotfish.browser.sessions.chromium import can_sandbox, find_executable

from .stage import Stage, open_stage, release

TASK = "What does the tide kettle cost?"
SIZE = ViewportSize(width=1280, height=720)
SHOWN = (960, 540)
PACE = 0.2


async def shoot(page: Page, frames: list[Image.Image], seconds: float) -> None:
    for _ in range(int(seconds / PACE)):
        began = asyncio.get_running_loop().time()
        picture = Image.open(io.BytesIO(await page.screenshot())).convert("RGB")
        frames.append(picture.resize(SHOWN, Image.Resampling.LANCZOS))
        await asyncio.sleep(max(0.0, PACE - (asyncio.get_running_loop().time() - began)))


async def staged_loop(route: Route) -> None:
    """Whatever is sent is played by the loop that knows its part."""
    sent: dict[str, object] | None = route.request.post_data_json if route.request.method == "POST" else None
    await route.continue_(post_data={**sent, "loop": "test-shops"} if sent else None)


async def play(stage: Stage, page: Page) -> list[Image.Image]:
    """A page is opened, a question asked, the work watched, the answer read."""
    frames: list[Image.Image] = []
    await page.goto(stage.way_in)
    await page.get_by_label("Address of the page").fill(stage.site.address("/shop"))
    await page.get_by_label("Address of the page").press("Enter")
    await expect(page.locator("canvas[data-frames]")).to_be_visible(timeout=20_000)
    await shoot(page, frames, 1)
    await page.route("**/api/runs", staged_loop)
    for piece in (TASK[:12], TASK[:22], TASK):
        await page.get_by_label("Your message").fill(piece)
        await shoot(page, frames, 0.4)
    await page.keyboard.press("Enter")
    await shoot(page, frames, 4)
    release(TASK)
    await shoot(page, frames, 1)
    await expect(page.locator(".said.theirs:not(.draft)")).to_be_visible(timeout=20_000)
    await shoot(page, frames, 2)
    return frames


async def main(target: Path) -> None:
    with tempfile.TemporaryDirectory() as home:
        async with open_stage(Path(home)) as stage, async_playwright() as playwright:
            browser = await playwright.chromium.launch(
                executable_path=find_executable(), chromium_sandbox=can_sandbox()
            )
            page = await browser.new_page(viewport=SIZE, locale="en-GB")
            frames = await play(stage, page)
            await browser.close()
    frames[0].save(target, save_all=True, append_images=frames[1:], duration=int(PACE * 1000), loop=0, quality=70)
    print(f"{target}: {len(frames)} frames, {target.stat().st_size // 1000} KB")


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))

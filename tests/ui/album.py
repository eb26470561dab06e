"""Takes the pictures of docs/screens: `PYTHONPATH=tests python -m ui.album docs/screens`."""

import asyncio
import io
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from playwright.async_api import Page, async_playwright, expect

from pilotfish.browser.sessions.chromium import can_sandbox, find_executable

from .places import visit
from .stage import Stage, open_stage, release

HEIGHTS = {1440: 900, 360: 740}
KETTLE = "What does the tide kettle cost?"
PATIENCE = 60_000


@dataclass(frozen=True)
class Album:
    """A window, and the folder where its pictures go."""

    stage: Stage
    page: Page
    folder: Path

    async def take(self, name: str, *looks: str) -> None:
        """Pictures in these looks, such as 1440-light."""
        for look in looks:
            width, theme = look.split("-")
            await self.page.set_viewport_size({"width": int(width), "height": HEIGHTS[int(width)]})
            await self.page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # pyright: ignore[reportArgumentType]
            await expect(self.page.locator(f"html[data-theme={theme}]")).to_have_count(1)
            picture = Image.open(io.BytesIO(await self.page.screenshot())).convert("RGB")
            picture.save(self.folder / f"{name}-{look}.webp", quality=80, method=6)
        await self.page.set_viewport_size({"width": 1440, "height": HEIGHTS[1440]})


async def talks(album: Album) -> str:
    """An answer, a run under way, questions and failures; the id of the run with the answer."""
    stage, page = album.stage, album.page
    await visit(stage, page, "/")
    await album.take("empty", "1440-dark", "360-light")
    done, talk = await stage.start("story")
    await stage.ended(done)
    await stage.open(page, f"/c/{talk}")
    await page.get_by_role("button", name="Show the steps").click()
    await album.take("answer", "1440-light", "360-dark")
    _, talk = await stage.start("shops", KETTLE, tabs=[stage.site.address("/shop")], attended=True)
    await stage.open(page, f"/c/{talk}")
    await expect(page.locator(".plan li.done")).to_have_count(2)
    await expect(page.locator(".latest")).to_be_visible()
    await album.take("live", "1440-light", "1440-dark", "360-dark")
    await page.set_viewport_size({"width": 360, "height": HEIGHTS[360]})
    await page.locator(".peek").click()
    await album.take("sheet", "360-dark")
    release(KETTLE)
    _, talk = await stage.start("asks", "Order the red lamp")
    await stage.open(page, f"/c/{talk}")
    await expect(page.get_by_role("alertdialog")).to_be_visible()
    await album.take("asks", "360-light")
    await page.get_by_role("button", name="Red", exact=True).click()
    await expect(page.get_by_role("alertdialog")).to_contain_text("May I place the order?")
    await album.take("approval", "1440-light", "360-dark")
    _, talk = await stage.start("fails", "Compare the two arms")
    await stage.open(page, f"/c/{talk}")
    await expect(page.locator(".failure")).to_be_visible()
    await album.take("fails", "1440-light")
    return done


async def show_pointer(album: Album) -> None:
    """The agent's cursor, and the run looked back on."""
    stage, page = album.stage, album.page
    run, talk = await stage.start("points", "point at it", tabs=[stage.site.address("/shop")], attended=True)
    await stage.open(page, f"/c/{talk}")
    await expect(page.locator("canvas[data-frames]")).to_be_visible()
    release("point at it")
    await expect(page.locator(".agent-cursor.bright")).to_be_visible()
    await album.take("points", "1440-light")
    await stage.ended(run)
    [kettle] = [each for each in await stage.fish.runs(text="kettle") if each.task == KETTLE]
    await stage.open(page, f"/runs/{kettle.id}")
    await page.get_by_role("button", name="Replay", exact=True).click()
    await expect(page.locator(".replay figure img")).to_have_js_property("complete", True)
    await album.take("replay", "1440-light")


async def pages(album: Album, done: str) -> None:
    """Everything beside the conversation, and the conversation in Chinese."""
    stage, page = album.stage, album.page
    other, _ = await stage.start("story", "Which arm is cheaper?")
    await stage.ended(other)
    await stage.open(page, f"/runs/{done}")
    await expect(page.locator(".step").first).to_be_visible()
    await album.take("run", "1440-dark")
    await stage.open(page, f"/compare/{done}/{other}")
    await expect(page.locator(".pair table")).to_have_count(2)
    await album.take("compare", "1440-light")
    for content in ("I live in Porto", "I am allergic to peanuts", "I prefer trains to planes"):
        await stage.fish.memory.save("local", [{"content": content, "confidence": 1.0}])
    for place, *looks in (
        ("/memory", "360-light"),
        ("/runs", "360-dark"),
        ("/costs", "1440-dark"),
        ("/welcome", "1440-light", "360-dark"),
        ("/settings/models", "1440-light"),
        ("/settings/policy", "1440-light"),
        ("/settings/secrets", "360-light"),
    ):
        await visit(stage, page, place)
        await album.take(place.strip("/").replace("/", "-"), *looks)
    await visit(stage, page, "/")
    await page.keyboard.press("Control+k")
    await expect(page.get_by_role("dialog")).to_be_visible()
    await album.take("palette", "1440-light")
    await page.evaluate("localStorage.setItem('pilotfish.language', '\"zh\"')")
    await visit(stage, page, "/")
    await album.take("zh-empty", "360-dark")
    await stage.open(page, f"/c/{(await stage.fish.record(done)).conversation}")
    await expect(page.locator(".said.theirs table")).to_be_visible()
    await album.take("zh", "1440-light")
    await page.evaluate("localStorage.removeItem('pilotfish.language')")
    await stage.open(page, f"/c/{(await stage.fish.record(other)).conversation}")
    await page.context.set_offline(True)
    await expect(page.get_by_text("The server does not answer")).to_be_visible()
    await album.take("offline", "1440-light")


async def main(folder: Path) -> None:
    expect.set_options(timeout=PATIENCE)
    with tempfile.TemporaryDirectory() as home:
        async with open_stage(Path(home)) as stage, async_playwright() as playwright:
            browser = await playwright.chromium.launch(
                executable_path=find_executable(), chromium_sandbox=can_sandbox()
            )
            context = await browser.new_context(locale="en-GB")
            await context.request.get(stage.way_in)
            album = Album(stage, await context.new_page(), folder)
            done = await talks(album)
            await show_pointer(album)
            await pages(album, done)
            await browser.close()
    print(f"{folder}: {len(list(folder.glob('*.webp')))} pictures")


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))

"""Pictures of the side panel beside a page, for docs/screens.

A driver cannot open Chrome's side panel, so page and panel are pictured each for itself and put side by side as there.
"""

import io
import os
from pathlib import Path
from typing import Literal

from PIL import Image
from playwright.async_api import Page

from .person import PersonChrome

WIDE, NARROW, HIGH, EDGE = 1040, 400, 900, 4
LOW = 720
KEPT = os.environ.get("PILOTFISH_SCREENS", "")
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


async def picture(page: Page, width: int, theme: Literal["light", "dark"], height: int = HIGH) -> Image.Image:
    await page.bring_to_front()
    await page.set_viewport_size({"width": width, "height": height})
    await page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    return Image.open(io.BytesIO(await page.screenshot(timeout=20_000))).convert("RGB")


async def picture_page(chrome: PersonChrome, page: Page, panel: Page) -> list[Image.Image]:
    """The page in light and in dark; after that the panel tells of this page, whichever tab is in front."""
    shown = {"id": await chrome.tab_id(page), "url": page.url, "title": await page.title()}
    taken = [await picture(page, WIDE, theme) for theme in THEMES]
    # Only a tab in front can be pictured, also the panel.
    await panel.evaluate("tab => { chrome.tabs.query = async () => [tab]; }", shown)
    return taken


async def keep_both(pages: list[Image.Image], panel: Page, folder: str, name: str) -> None:
    """Both side by side, in light and in dark."""
    for theme, left in zip(THEMES, pages, strict=True):
        whole = Image.new("RGB", (WIDE + EDGE + NARROW, HIGH), "#8a9aa3")
        whole.paste(left, (0, 0))
        whole.paste(await picture(panel, NARROW, theme), (WIDE + EDGE, 0))
        whole.save(Path(folder) / f"{name}-1440-{theme}.webp", quality=80, method=6)


class PanelStates:
    """Pictures of one panel in several states, all in one: light above, dark below."""

    def __init__(self) -> None:
        self.taken: list[list[Image.Image]] = []

    async def add(self, panel: Page) -> None:
        if KEPT:
            self.taken.append([await picture(panel, NARROW, theme, LOW) for theme in THEMES])

    def keep(self) -> None:
        if not KEPT:
            return
        wide = len(self.taken) * (NARROW + EDGE) - EDGE
        whole = Image.new("RGB", (wide, 2 * LOW + EDGE), "#8a9aa3")
        for column, themes in enumerate(self.taken):
            for row, taken in enumerate(themes):
                whole.paste(taken, (column * (NARROW + EDGE), row * (LOW + EDGE)))
        whole.save(Path(KEPT) / "panel-states.webp", quality=80, method=6)

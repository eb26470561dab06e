"""How quick the page is: first paint, token to pixel, live view, a run of ten thousand events."""

import asyncio
import statistics
import tempfile
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from playwright.async_api import Page, async_playwright

from pilotfish.app import Pilotfish, loop
from pilotfish.browser.sessions.chromium import can_sandbox, find_executable
from pilotfish.core import events, sockets
from pilotfish.core.settings import ModelSettings, ServerSettings, Settings
from pilotfish.interfaces.web_server import app
from pilotfish.runtime.run import Run

WORDS = 40
LONG = 5000
SECONDS = 5
MOVING = """data:text/html,<title>Moving</title><body style="margin:0;background:rgb(10,20,30)">
<div style="width:300px;height:300px;margin:200px;background:orange;animation:turn 2s linear infinite"></div>
<style>@keyframes turn{to{transform:rotate(360deg)}}</style>
<script>addEventListener('mousedown',()=>document.body.style.background='rgb(200,20,30)')</script>"""
STILL = MOVING.replace("animation:turn 2s linear infinite", "")
WATCH = """() => {
  window.delays = [];
  new MutationObserver(() => requestAnimationFrame(() => {
    const sent = [...(document.querySelector('.draft')?.textContent ?? '').matchAll(/@([0-9.]+)/g)].at(-1);
    if (sent) window.delays.push(Date.now() - Number(sent[1]));
  })).observe(document.body, {childList: true, subtree: true, characterData: true});
}"""
DARK = """async () => {
  const pen = document.querySelector('canvas').getContext('2d');
  while (pen.getImageData(5, 5, 1, 1).data[0] > 50) await new Promise(requestAnimationFrame);
}"""
CLICK = """async ([x, y]) => {
  const canvas = document.querySelector('canvas');
  const pen = canvas.getContext('2d');
  const box = canvas.getBoundingClientRect();
  const at = {clientX: box.left + x, clientY: box.top + y, bubbles: true, button: 0, pointerId: 1};
  const red = () => pen.getImageData(5, 5, 1, 1).data[0];
  canvas.setPointerCapture = () => {};
  const began = performance.now();
  canvas.dispatchEvent(new PointerEvent('pointerdown', at));
  canvas.dispatchEvent(new PointerEvent('pointerup', at));
  while (red() < 150 && performance.now() - began < 5000) await new Promise(requestAnimationFrame);
  return performance.now() - began;
}"""


@loop("bench-talk")
async def talk(run: Run) -> None:
    """Words with the time at which each was said."""
    await asyncio.sleep(1)
    for _ in range(WORDS):
        run.context.journal.send_delta(events.TextDelta(run=run.id, call="c", text=f"@{time.time() * 1000:.0f} "))
        await asyncio.sleep(0.05)
    await run.finish("Said.")


@loop("bench-long")
async def long(run: Run) -> None:
    """Ten thousand events."""
    for at in range(0, LONG, 250):
        batch: list[events.Event] = []
        for n in range(at, at + 250):
            call = f"n{n}"
            batch.append(events.ToolStarted(run=run.id, key=f"{call}.a", call=call, tool="click", args={"id": n}))
            batch.append(events.ToolFinished(run=run.id, key=f"{call}.b", call=call, tool="click", ok=True, text=call))
        await run.context.journal.append(*batch)
    await run.finish("Done.")


@asynccontextmanager
async def serving(home: Path, models: ModelSettings) -> AsyncGenerator[tuple[Pilotfish, str]]:
    """An app and the address of its server."""
    settings = Settings(home=home, models=models, server=ServerSettings(port=0))
    async with Pilotfish(settings) as fish:
        with app.open_listener("127.0.0.1", 0) as at:
            running = app.AppServer(app.create_app(fish))
            task = asyncio.create_task(running.serve([at]))
            await running.ready.wait()
            try:
                yield fish, sockets.socket_url(at)
            finally:
                running.should_exit = True
                await task


async def paint(page: Page, url: str) -> float:
    """Milliseconds from the address to the first content, cold."""
    await page.goto(url)
    await page.wait_for_selector("#main")
    read = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
    return await page.evaluate(read)


async def token(page: Page, fish: Pilotfish, url: str) -> list[float]:
    run = await fish.start("talk", loop="bench-talk")
    await page.goto(f"{url}/c/{run.conversation}")
    await page.evaluate(WATCH)
    await page.wait_for_selector(".theirs:not(.draft)")
    return await page.evaluate("window.delays")


async def opening(page: Page, fish: Pilotfish, url: str) -> float:
    run = await fish.start("long", loop="bench-long")
    async for _ in fish.follow(run.id):
        pass
    began = time.perf_counter()
    await page.goto(f"{url}/runs/{run.id}")
    await page.wait_for_selector(".list .step")
    return (time.perf_counter() - began) * 1000


async def view(page: Page, fish: Pilotfish, url: str) -> tuple[float, float]:
    """Frames a second of a moving page, and milliseconds from a click to its effect in the picture."""
    run = await fish.start("talk", loop="bench-talk")
    window = fish.views.of(run.conversation)
    tab = await window.open(MOVING)
    await page.goto(f"{url}/c/{run.conversation}")
    await page.wait_for_selector("canvas[data-frames]")
    frames = "Number(document.querySelector('canvas').dataset.frames)"
    before, began = await page.evaluate(frames), time.perf_counter()
    await asyncio.sleep(SECONDS)
    rate = (await page.evaluate(frames) - before) / (time.perf_counter() - began)
    await page.get_by_role("button", name="Take over").click()
    await page.get_by_role("button", name="Hand back").wait_for()
    effects: list[float] = []
    for _ in range(5):
        await window.go(tab.id, STILL)
        await page.evaluate(DARK)
        effects.append(await page.evaluate(CLICK, [40, 40]))
    return rate, statistics.median(effects)


async def main() -> None:
    with tempfile.TemporaryDirectory() as home:
        models = ModelSettings(main="scripted")
        async with serving(Path(home), models) as (fish, url), async_playwright() as playwright:
            browser = await playwright.chromium.launch(
                executable_path=find_executable(), chromium_sandbox=can_sandbox()
            )
            way = f"{url}/enter?token={fish.users.local_token}"
            first = statistics.median([await paint(await browser.new_page(), way) for _ in range(5)])
            page = await browser.new_page(viewport={"width": 1600, "height": 900})
            await page.goto(way)
            delays = await token(page, fish, url)
            opened = await opening(page, fish, url)
            rate, effect = await view(page, fish, url)
            await browser.close()
    rows = (
        ("first paint on loopback, cold", f"{first:.0f} ms", "1000 ms"),
        ("token to pixel, median", f"{statistics.median(delays):.0f} ms", "50 ms"),
        ("token to pixel, slowest of ten", f"{sorted(delays)[int(len(delays) * 0.9)]:.0f} ms", "50 ms"),
        ("a run of 10,000 events opens", f"{opened:.0f} ms", "1000 ms"),
        ("live view at 1280 × 800", f"{rate:.1f} frames/s", "10 frames/s"),
        ("input to effect in the picture", f"{effect:.0f} ms", "100 ms"),
    )
    for name, value, goal in rows:
        print(f"{name:34} {value:>14}   goal {goal}")


if __name__ == "__main__":
    asyncio.run(main())

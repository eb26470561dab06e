"""How fast a page is read, side by side in one run: a bare walk over all elements, our look, and the peers.

    python bench/read.py --pages FOLDER [--runs 9] [--peer PYTHON]

FOLDER holds saved pages, one folder with an index.html each; they are served on loopback and all other hosts are
blocked. The practice site and made-up pages of 1,000, 5,000 and 50,000 elements are read in any case. `--peer` is the
Python of a virtual environment with browser-use; its figures come from bench/peers/read.py. It lists wrappers beside
what they wrap, so elements are compared by place: `reached` are those of its elements on the screen that a click
reaches, `missed` those of them where we have none.
"""

import argparse
import asyncio
import math
import shutil
import statistics
import threading
import time
from collections.abc import Awaitable, Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from peer import run_peer
from playwright.async_api import Error, Page, async_playwright
from playwright.async_api import TimeoutError as RequestTooLong

from pilotfish.browser.perception.observer import ElementIds, PageObserver
from pilotfish.practice.server import Practice

WALK = """(() => { let n = 0;
for (const e of document.querySelectorAll('*')) n += e.getBoundingClientRect().width > 0; return n })()"""
ROW = "<div class=row><span>Name</span><a href=/x>Open</a><button>Delete</button><i></i></div>"
PATIENCE = 10_000
SIZES = (1_000, 5_000, 50_000)
STOPS = ("", "/shop", "/forms", "/lists", "/widgets", "/news", "/docs")
FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1")


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        return


Box = Sequence[float]


@dataclass(frozen=True)
class Row:
    """One page: milliseconds, characters and elements."""

    page: str
    nodes: int
    walks: Sequence[float]
    looks: Sequence[float]
    aria: float
    chars: int
    aria_chars: int
    boxes: tuple[Box, ...]

    @property
    def walk(self) -> float:
        return statistics.median(self.walks)

    @property
    def ours(self) -> float:
        return statistics.median(self.looks)

    @property
    def ratio(self) -> float:
        return self.ours / self.walk

    @property
    def best_ratio(self) -> float:
        """Of the fastest runs, which a busy machine changes least."""
        return min(self.looks) / min(self.walks)


@contextmanager
def serve_folder(folder: Path) -> Generator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


async def take_time(work: Callable[[], Awaitable[Any]]) -> tuple[float, Any]:
    start = time.perf_counter()
    result = await work()
    return 1000 * (time.perf_counter() - start), result


async def snapshot(page: Page) -> str:
    """Playwright's own, or nothing where it takes longer than anyone would wait."""
    try:
        return await page.aria_snapshot(mode="ai", timeout=PATIENCE)
    except RequestTooLong:
        return ""


async def measure(page: Page, name: str, runs: int) -> Row:
    """Medians; the contestants take turns, so that a busy moment of the machine hits all of them."""
    observer = PageObserver(page, ElementIds())
    await observer.look()
    walks: list[float] = []
    looks: list[float] = []
    arias: list[float] = []
    view, aria = await observer.look(), ""
    for run in range(runs):
        walks.append((await take_time(lambda: page.evaluate(WALK)))[0])
        spent, view = await take_time(observer.look)
        looks.append(spent)
        if run < 3 and math.inf not in arias:
            spent, aria = await take_time(lambda: snapshot(page))
            arias.append(spent if aria else math.inf)
    nodes = await page.evaluate("document.querySelectorAll('*').length")
    boxes = tuple(element.box for element in view.elements)
    return Row(name, nodes, walks, looks, statistics.median(arias), len(view.text), len(aria), boxes)


def holds(box: Box, other: Box) -> bool:
    """Whether the middle of the other box lies in this one."""
    x, y = other[0] + other[2] / 2, other[1] + other[3] / 2
    return box[0] - 2 <= x <= box[0] + box[2] + 2 and box[1] - 2 <= y <= box[1] + box[3] + 2


def count_missed(ours: Sequence[Box], theirs: Sequence[Box]) -> int:
    return sum(not any(holds(a, b) or holds(b, a) for a in ours) for b in theirs)


async def visit(page: Page, name: str, url: str, runs: int) -> Row | None:
    try:
        await page.goto(url, wait_until="load", timeout=20_000)
    except Error as error:
        print(f"{name}: {error.message.splitlines()[0]}")
        return None
    return await measure(page, name, runs)


async def made_up(page: Page, size: int, runs: int) -> Row:
    await page.goto("about:blank")
    await page.evaluate("([row, times]) => { document.body.innerHTML = row.repeat(times) }", [ROW, size // 5])
    return await measure(page, f"{size:,} elements", runs)


async def all_rows(folder: Path | None, runs: int) -> list[Row]:
    rows: list[Row | None] = []
    async with async_playwright() as driver, Practice() as site:
        browser = await driver.chromium.launch(executable_path=shutil.which("chromium"), args=[*FLAGS])
        page = await browser.new_page(viewport={"width": 1280, "height": 800})
        # What a new browser does at its first page is no part of reading a page.
        await visit(page, "warm-up", f"{site.url}/news", runs)
        if folder:
            with serve_folder(folder) as base:
                for place in sorted(folder.glob("*/index.html")):
                    rows.append(await visit(page, place.parent.name, f"{base}/{place.parent.name}/", runs))
        for stop in STOPS:
            rows.append(await visit(page, f"practice{stop}", site.url + stop, runs))
        for size in SIZES:
            rows.append(await made_up(page, size, runs))
        await browser.close()
    return [row for row in rows if row]


async def peer(python: str, folder: Path) -> dict[str, Any]:
    """browser-use on the same pages, in its own environment."""
    names = [place.parent.name for place in sorted(folder.glob("*/index.html"))]
    with serve_folder(folder) as base:
        return await run_peer(python, "read.py", base, *names)


def table(rows: list[Row], other: dict[str, Any]) -> str:
    head = (
        "| page | nodes | walk ms | ours ms | ours/walk | aria ms | browser-use ms | faster | ours chars | aria chars |"
    )
    lines = [head + " browser-use chars | ours ids | browser-use ids | reached | missed |", "|---|" + "---:|" * 14]
    for row in rows:
        theirs = other.get(row.page, {})
        told = [str(theirs.get(key, "")) for key in ("ms", "chars", "ids")]
        times = f"{theirs['ms'] / row.ours:.0f}x" if theirs.get("chars") else ""
        places = theirs.get("boxes", ())
        found = f"{len(places)} | {count_missed(row.boxes, places)}" if theirs else " | "
        lines.append(
            f"| {row.page} | {row.nodes:,} | {row.walk:.1f} | {row.ours:.1f} | {row.ratio:.2f} | {row.aria:.0f} | "
            f"{told[0]} | {times} | {row.chars:,} | {row.aria_chars:,} | {told[1]} | "
            f"{len(row.boxes)} | {told[2]} | {found} |"
        )
    return "\n".join(lines)


async def main() -> None:
    parser = argparse.ArgumentParser(description="Time the reading of pages.")
    parser.add_argument("--pages", type=Path, help="a folder of saved pages")
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--peer", help="the Python of an environment that has browser-use")
    given = parser.parse_args()
    rows = await all_rows(given.pages, given.runs)
    other = await peer(given.peer, given.pages) if given.peer and given.pages else {}
    print(table(rows, other))
    for of, ratios in (("medians", [row.ratio for row in rows]), ("fastest runs", [row.best_ratio for row in rows])):
        print(f"\nours/walk, {of}: median {statistics.median(ratios):.2f}, worst {max(ratios):.2f}", end="")
    print()


if __name__ == "__main__":
    asyncio.run(main())

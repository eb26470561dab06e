"""How well names and roles follow the W3C, on its own tests: ours beside Chromium's own accessibility tree.

    python bench/names.py [CHECKOUT] [--wrong]

CHECKOUT is a checkout of the web-platform-tests, or of the folders below; they are served on loopback. Counted are the
elements that say which name or role they should have. `--wrong` prints those that we have otherwise.
"""

import argparse
import asyncio
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from playwright.async_api import CDPSession, Page, async_playwright
from read import FLAGS, serve_folder

from pilotfish.browser.perception.observer import ElementIds, PageObserver

FOLDERS = ("accname", "html-aam", "wai-aria", "svg-aam", "graphics-aam", "core-aam")
SETTLING = 0.15
EMPTY = frozenset({"generic", "none", "presentation", ""})
SAME = {"img": "image", "presentation": "none"}


class Found(NamedTuple):
    role: str
    name: str


def pages(folder: Path) -> Iterator[Path]:
    for part in FOLDERS:
        for page in sorted((folder / part).rglob("*.html")):
            if "manual" not in page.parts and "data-expected" in page.read_text("utf-8", "replace"):
                yield page


def right(kind: str, wanted: str, found: Found) -> bool:
    if kind == "label":
        return " ".join(wanted.split()) == " ".join(found.name.split())
    one, two = SAME.get(wanted, wanted), SAME.get(found.role, found.role)
    return one == two or {one, two} <= EMPTY


async def chromium(session: CDPSession, selector: str) -> list[Found]:
    root = (await session.send("DOM.getDocument", {"depth": 0}))["root"]["nodeId"]
    every = (await session.send("DOM.querySelectorAll", {"nodeId": root, "selector": selector}))["nodeIds"]
    found: list[Found] = []
    for node in every:
        seen = (await session.send("Accessibility.getPartialAXTree", {"nodeId": node, "fetchRelatives": False}))[
            "nodes"
        ]
        told = [seen[0].get(part, {}).get("value", "") for part in ("role", "name")]
        found.append(Found(*told))
    return found


async def score(page: Page, kind: str, wrong: list[str]) -> Counter[tuple[str, str]]:
    selector = f"[data-expected{kind}]"
    elements = await page.query_selector_all(selector)
    if not elements:
        return Counter()
    wanted = [await element.get_attribute(f"data-expected{kind}") or "" for element in elements]
    observer = PageObserver(page, ElementIds())
    await observer.look()
    ours = [Found(role, name) for role, name in await observer.describe_matches(selector)]
    session = await page.context.new_cdp_session(page)
    counts = Counter({(kind, "all"): len(wanted)})
    for who, told in {"ours": ours, "Chromium": await chromium(session, selector)}.items():
        counts[kind, who] += sum(right(kind, want, found) for want, found in zip(wanted, told, strict=True))
    wrong += [f"{page.url}: {want!r}, ours {found}" for want, found in zip(wanted, ours, strict=True)
              if not right(kind, want, found)]  # fmt: skip
    return counts


async def main(folder: Path, tell: bool) -> None:
    counts: Counter[tuple[str, str]] = Counter()
    wrong: list[str] = []
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=shutil.which("chromium"), args=[*FLAGS])
        with serve_folder(folder) as base:
            for place in pages(folder):
                page = await browser.new_page(viewport={"width": 1280, "height": 800})
                await page.goto(f"{base}/{place.relative_to(folder)}", wait_until="load")
                await asyncio.sleep(SETTLING)
                for kind in ("label", "role"):
                    counts += await score(page, kind, wrong)
                await page.close()
        await browser.close()
    print("| | of | ours | Chromium |\n|---|---:|---:|---:|")
    for kind, name in (("label", "names"), ("role", "roles")):
        print(f"| {name} | " + " | ".join(str(counts[kind, who]) for who in ("all", "ours", "Chromium")) + " |")
    if tell:
        print(*wrong, sep="\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path, nargs="?")
    parser.add_argument("--wrong", action="store_true", help="print what we have otherwise")
    given = parser.parse_args()
    if given.checkout:
        asyncio.run(main(given.checkout, given.wrong))
    else:
        print("Give a checkout of the web-platform-tests to see how many of their names and roles are right.")

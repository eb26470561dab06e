"""What is told after a small change in apps that draw themselves anew, and how many element numbers stay.

    python bench/redraw.py

Opens the apps of the practice site and touches something small in each. Prints the characters of the first look, those
of the report after the change, those of what the next turn of `horizon` and `pilot` is told, the ratios (aim:
a tenth), the share of element numbers that are the same as before (aim: all but those of what went), and the headline.
"""

import asyncio
import statistics
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path

from pilotfish.browser.actions import fields, pointer
from pilotfish.browser.perception.changes import ChangeReport
from pilotfish.browser.perception.snapshot import Snapshot
from pilotfish.browser.sessions.browser_pool import BrowserPool
from pilotfish.browser.sessions.session import BrowserSession
from pilotfish.core.settings import BrowserSettings
from pilotfish.loop_support.page_updates import describe_changes
from pilotfish.practice.server import Practice

Touch = Callable[[BrowserSession, Snapshot], Awaitable[ChangeReport]]


def press(name: str, nth: int = 0) -> Touch:
    """Click the nth element of this name."""

    async def touch(session: BrowserSession, view: Snapshot) -> ChangeReport:
        return await pointer.click(session, [element.id for element in view.elements if element.name == name][nth])

    return touch


async def delete(session: BrowserSession, view: Snapshot) -> ChangeReport:
    """Point at a letter, so that its buttons show, and delete it."""
    shown = await pointer.hover(session, [element.id for element in view.elements if element.name == "Star"][2])
    return await press("Delete")(session, shown.view)


async def search(session: BrowserSession, view: Snapshot) -> ChangeReport:
    field = next(element.id for element in view.elements if element.role in ("textbox", "searchbox"))
    return await fields.type_text(session, field, "letter 1")


async def close(session: BrowserSession, view: Snapshot) -> ChangeReport:
    """Open a card over the page, and close it."""
    opened = await press("Count the gulls")(session, view)
    return await press("Close")(session, opened.view)


TOUCHES: dict[str, tuple[str, Touch]] = {
    "flip a switch": ("/apps/settings", press("Cycle updates")),
    "choose a segment": ("/apps/settings", press("Map")),
    "star a letter": ("/apps/post", press("Star", 3)),
    "delete a letter": ("/apps/post", delete),
    "search letters": ("/apps/post", search),
    "pick a row": ("/apps/crew", press("Cy")),
    "turn a list around": ("/apps/crew", press("Turn around")),
    "close a card": ("/apps/kanban", close),
}


async def main() -> None:
    pool = BrowserPool(BrowserSettings())
    shares: list[float] = []
    turns: list[float] = []
    kept: list[float] = []
    print("| change | first look | report | share | next turn | share | numbers kept | headline |")
    print("|---|---:|---:|---:|---:|---:|---:|---|")
    async with Practice() as site:
        session = await pool.lease("bench", Path(tempfile.mkdtemp()))
        for name, (path, touch) in TOUCHES.items():
            tab = await session.tab()
            await tab.goto(site.url + path)
            view = await tab.look()
            change = await touch(session, view)
            ids = {element.id for element in view.elements}
            now = {element.id for element in change.view.elements}
            edits = describe_changes(view.text, change.view.text)
            told = change.view.text if edits is None else edits
            shares.append(len(change.text()) / len(view.text))
            turns.append(len(told) / len(view.text))
            kept.append(len(ids & now) / min(len(ids), len(now)))
            print(
                f"| {name} | {len(view.text):,} | {len(change.text()):,} | {shares[-1]:.0%} | {len(told):,} | "
                f"{turns[-1]:.0%} | {kept[-1]:.0%} | {change.headline} |"
            )
    await pool.close()
    report, turn, numbers = map(statistics.median, (shares, turns, kept))
    print(f"\nmedians: report/first {report:.0%}; next turn/first {turn:.0%}; numbers kept {numbers:.0%}")


if __name__ == "__main__":
    asyncio.run(main())

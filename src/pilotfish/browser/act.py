"""Touching a page with real mouse events, never the wrong thing, and telling what came of it.

Every action has the same course: begin, find the element by its number at this moment, act, end. `end` waits for what
the action set off and reports the difference to what was last seen.
"""

import asyncio
import math
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pilotfish.browser.changes import Change, Delta, compare, missing
from pilotfish.browser.guard import BrowserGone
from pilotfish.browser.session import Session
from pilotfish.browser.spot import Checks, Covered
from pilotfish.browser.tab import Tab
from pilotfish.browser.wait import HESITATION, load, quiet, script, settle
from pilotfish.core.errors import ToolError
from pilotfish.core.recipe import Met

if TYPE_CHECKING:
    from pilotfish.browser.spot import Spot
    from pilotfish.browser.view import View

Kind = Literal["single", "double", "right"]
LIKE, PAST = 4, 0.3
"""Things in a row differ by so few pixels; and so much of one lies between its middle and where to let go."""
PICKER = 3.0
"""Seconds for a file picker to come up after its button was clicked."""


@dataclass(frozen=True)
class Deed:
    """An action under way: the tab, what was seen before, a mark in what the page was doing, and what was touched."""

    session: Session
    tab: Tab
    before: "View"
    mark: int
    visits: int
    documents: int
    met: dict[int, Met] = field(default_factory=dict[int, Met])

    async def spot(self, id: int, checks: Checks | None = None) -> "Spot":
        """The element, found again and fit to be acted on, or an error that says why not."""
        try:
            spot = await self._find(id, checks)
        except Covered:
            if (point := await self.tab.guard.call(self.tab.eyes.bare(id), f"finding [{id}]")) is None:
                raise
            await self.input(self.tab.page.mouse.click(*point), "putting away what lies on top")
            await quiet(self.tab)
            spot = await self._find(id, checks)
        self.tab.point(spot.point, frame_of(spot))
        twins = [e.id for e in self.before.elements if (e.role, e.name) == (spot.role, spot.name)]
        self.met[id] = Met(role=spot.role, name=spot.name, nth=twins.index(id) if id in twins else 0)
        return spot

    async def _find(self, id: int, checks: Checks | None) -> "Spot":
        return await self.tab.guard.call(self.tab.eyes.spot(id, checks), f"finding [{id}]")

    async def run(self, id: int, name: str, *args: object) -> Any:
        """One of the hands' scripts on an element."""
        return await self.tab.guard.call(self.tab.eyes.run(id, script(name), *args), f"acting on [{id}]")

    async def input(self, work: Any, doing: str) -> None:
        """A real input event."""
        await self.tab.guard.call(work, doing)

    async def end(self, did: str) -> Change:
        """Wait for what the action set off; look; tell the difference."""
        try:
            await settle(self.tab, self.mark, self.visits)
        except BrowserGone:
            if not await self.session.survives():
                raise
        return await report(self, did)


async def begin(session: Session, answer: str | None = None) -> Deed:
    """Take the active tab and remember how it is. `answer` is for a dialog that the action may bring up."""
    tab = await session.tab()
    before = tab.view or await tab.look()
    tab.answer, tab.chooser, tab.aim = answer or None, None, None
    return Deed(session, tab, before, tab.activity.mark, tab.activity.visits, tab.activity.documents)


async def report(deed: Deed, did: str) -> Change:
    """The difference between what was seen before and what the active tab shows now."""
    tab = await deed.session.tab()
    if tab is not deed.tab:
        await load(tab)
        await quiet(tab)
    view = await tab.look()
    notices = deed.session.told()
    deed.tab.answer = None
    elsewhere = tab is not deed.tab or tab.activity.documents != deed.documents
    moved: Literal["", "document", "route"] = (
        "document" if elsewhere else "route" if view.url != deed.before.url else ""
    )
    lost = [] if elsewhere else missing(deed.before, view)
    away = await tab.guard.call(tab.eyes.away(lost), "looking for what is gone") if lost else ()
    delta = Delta() if elsewhere else compare(deed.before, view, away)
    return Change(did, tab.number, moved, notices, delta, view, deed.tab.aim, deed.met)


async def click(session: Session, id: int, kind: Kind = "single", answer: str | None = None) -> Change:
    """Click the element, once, twice or with the right button."""
    deed = await begin(session, answer)
    spot = await strike(deed, id, kind)
    verb = {"single": "Clicked", "double": "Double-clicked", "right": "Right-clicked"}[kind]
    change = await deed.end(f"{verb} {named(id, spot)}")
    return replace(change, delta=Delta(altered=True)) if change.nothing and await altered(deed, id) else change


async def altered(deed: Deed, id: int) -> bool:
    """Whether what was clicked looks different, where nothing else tells that the click was heard."""
    try:
        return bool(await deed.run(id, "altered"))
    except ToolError:
        return False


async def click_at(session: Session, id: int, x: float, y: float) -> Change:
    """Click a point within the element, counted from its top left corner: for canvases and maps."""
    deed = await begin(session)
    spot = await deed.spot(id)
    left, top, width, height = frame_of(spot)
    if not (0 <= x <= width and 0 <= y <= height):
        raise ToolError(f"({x:g}, {y:g}) is outside {named(id, spot)}, which is {width:g} by {height:g} pixels.")
    deed.tab.point((left + x, top + y), (left, top, width, height))
    await deed.input(deed.tab.page.mouse.click(left + x, top + y), f"clicking [{id}]")
    return await deed.end(f"Clicked {named(id, spot)} at ({x:g}, {y:g})")


async def hover(session: Session, id: int) -> Change:
    """Move the mouse over the element."""
    deed = await begin(session)
    spot = await deed.spot(id)
    await deed.input(deed.tab.page.mouse.move(*spot.point), f"pointing at [{id}]")
    if any(element.id == id and "menu" in element.states for element in deed.before.elements):
        await quiet(deed.tab, HESITATION)
    return await deed.end(f"Moved the mouse over {named(id, spot)}")


async def drag(session: Session, start: int, goal: int) -> Change:
    """Drag one element onto another."""
    deed = await begin(session)
    await deed.spot(start)
    target = await deed.spot(goal)
    source = await deed.spot(start, Checks(scroll=False))
    deed.tab.point(target.point, frame_of(target))
    await deed.input(carry(deed, source.point, beyond(source, target)), f"dragging [{start}]")
    return await deed.end(f"Dragged {named(start, source)} to {named(goal, target)}")


async def drag_by(session: Session, start: int, dx: float, dy: float) -> Change:
    """Drag an element so many pixels to the right and down; less than nothing is to the left and up."""
    deed = await begin(session)
    source = await deed.spot(start)
    x, y = source.point
    await deed.input(carry(deed, source.point, (x + dx, y + dy)), f"dragging [{start}]")
    return await deed.end(f"Dragged {named(start, source)} by {dx:g}, {dy:g} pixels")


async def carry(deed: Deed, start: tuple[float, float], end: tuple[float, float]) -> None:
    """As a hand does: press, move in steps, let go."""
    (ax, ay), (bx, by) = start, end
    mouse = deed.tab.page.mouse
    await mouse.move(ax, ay)
    await mouse.down()
    await mouse.move(ax + math.copysign(4, bx - ax), ay + math.copysign(4, by - ay))
    await mouse.move(bx + 1, by + 1, steps=8)
    # Lists make room with a short animation, and look at the mouse again only after it.
    await quiet(deed.tab)
    await mouse.move(bx, by)
    await mouse.up()


def beyond(source: "Spot", target: "Spot") -> tuple[float, float]:
    """Where to let go: among like things in a row past the middle of the target, as they change places there."""
    (ax, ay), (bx, by) = source.point, target.point
    (_, _, wide, high), (_, _, width, height) = source.box, target.box
    if abs(wide - width) > LIKE or abs(high - height) > LIKE:
        return bx, by
    if abs(by - ay) > abs(bx - ax):
        return bx, by + math.copysign(PAST * height, by - ay)
    return bx + math.copysign(PAST * width, bx - ax), by


async def upload(session: Session, id: int, path: str, *folders: Path) -> Change:
    """Give a file of the session or of these folders to a file field, or to the picker that a button opens."""
    own = (session.desk.folder / name for name in ("files", "downloads"))
    file = permitted(path, *own, *folders, *session.desk.fence.files)
    deed = await begin(session)
    spot = await strike(deed, id)
    deadline = asyncio.get_running_loop().time() + PICKER
    while deed.tab.chooser is None and (left := deadline - asyncio.get_running_loop().time()) > 0:
        await deed.tab.activity.news(left)
    if deed.tab.chooser is None:
        raise ToolError(f"{named(id, spot)} does not ask for a file. Look for the file field or its button.")
    await deed.input(deed.tab.chooser.set_files(file), f"uploading {file.name}")
    return await deed.end(f"Gave the file {file.name} to {named(id, spot)}")


def permitted(path: str, *roots: Path) -> Path:
    """A file of this run, or one that the person named for it; nothing else of the machine."""
    known = [root.resolve() for root in roots]
    for root in known:
        file = (root / path).resolve()
        if file.is_file() and any(file == owner or owner in file.parents for owner in known):
            return file
    there = sorted(file.name for root in known for file in root.rglob("*") if file.is_file())
    raise ToolError(f"{path} is not among this run's files. There are: {', '.join(there[:20]) or 'none'}.")


async def strike(deed: Deed, id: int, kind: Kind = "single") -> "Spot":
    """Point at the element, make sure it is still the one, and click so that nothing else can receive it."""
    mouse = deed.tab.page.mouse
    spot = await deed.spot(id)
    await deed.input(mouse.move(*spot.point), f"pointing at [{id}]")
    spot = await deed.spot(id)
    await deed.run(id, "aim", deed.tab.eyes.counter.known(id).handle)
    x, y = spot.point
    button: Literal["left", "right"] = "right" if kind == "right" else "left"
    clicks = 2 if kind == "double" else 1
    await deed.input(mouse.click(x, y, button=button, click_count=clicks), f"clicking [{id}]")
    await confirm(deed, id, spot)
    return spot


async def confirm(deed: Deed, id: int, spot: "Spot") -> None:
    """Whether the click met what it was meant for. A page that went elsewhere, or is stopped, was met."""
    try:
        aimed = await deed.tab.guard.call(deed.tab.eyes.run(id, script("aimed")), f"checking [{id}]")
    except ToolError:
        return
    if aimed and not aimed["hit"] and aimed["miss"]:
        raise ToolError(
            f"The page moved just as {named(id, spot)} was to be clicked ({aimed['miss']} took its place), "
            "so nothing was clicked. Look again and use the new number."
        )


def frame_of(spot: "Spot") -> tuple[float, float, float, float]:
    """The element's box on the page; its own is counted from the frame that it stands in."""
    left, top, width, height = spot.box
    return spot.point[0] - spot.facts["px"] + left, spot.point[1] - spot.facts["py"] + top, width, height


def named(id: int, spot: "Spot") -> str:
    return f'[{id}] {spot.role} "{spot.name}"'

"""Clicks, hovers, drags and uploads with real mouse events, on the right element only, and reports the outcome.

Every action has the same course: begin, find the element by its number at this moment, act, finish. `finish` waits for
what the action caused and reports the difference to the last snapshot.
"""

import asyncio
import functools
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pilotfish.browser.actions.input_gate import CHECK
from pilotfish.browser.actions.input_targets import target_at, target_of
from pilotfish.browser.perception.changes import ChangeReport
from pilotfish.browser.perception.element_spot import ElementCovered, TouchChecks
from pilotfish.browser.perception.page_diff import (
    TargetDiff,
    compare_documents,
    compare_snapshots,
    find_refocused,
    list_missing,
    mark_dragged,
)
from pilotfish.browser.perception.render import shorten
from pilotfish.browser.sessions.call_guard import BrowserGone
from pilotfish.browser.sessions.session import BrowserSession
from pilotfish.browser.sessions.tab import SessionNotice, Tab
from pilotfish.browser.sessions.waiting import (
    DRAW_MILLISECONDS,
    MENU_MILLISECONDS,
    read_action_script,
    wait_until_answered,
    wait_until_loaded,
    wait_until_quiet,
    wait_until_settled,
)
from pilotfish.core.errors import ToolError
from pilotfish.core.page_tools import describe_tool_change
from pilotfish.core.recipe import ElementRef

if TYPE_CHECKING:
    from pilotfish.browser.perception.element_spot import ElementSpot
    from pilotfish.browser.perception.snapshot import Snapshot

ClickKind = Literal["single", "double", "right"]
VERBS: Mapping[ClickKind, str] = {"single": "Clicked", "double": "Double-clicked", "right": "Right-clicked"}
SIZE_TOLERANCE, DROP_SHARE = 4, 0.3
"""Elements in a row differ by at most so many pixels; and the share of one between its middle and the drop point."""
TRIES = 5
"""How often a click is tried on an element that the page draws anew at that moment."""
PICKER_TIMEOUT = 3.0


@dataclass(frozen=True)
class PageAction:
    """A running action: the tab, the snapshot before it, a mark in the page's activity, and what was touched."""

    session: BrowserSession
    tab: Tab
    before: "Snapshot"
    mark: int
    visits: int
    documents: int
    touched: dict[int, ElementRef] = field(default_factory=dict[int, ElementRef])
    uncovered: "Snapshot | None" = None

    async def locate(self, id: int, checks: TouchChecks | None = None) -> "ElementSpot":
        """Find the element again and check that it can be acted on; raise an error that says why not."""
        try:
            spot = await self._locate(id, checks)
        except ElementCovered:
            if (
                point := await self.tab.guard.call(self.tab.observer.find_dismiss_point(id), f"finding [{id}]")
            ) is None:
                raise
            await self.tab.input.click(point, "putting away what lies on top")
            await wait_until_quiet(self.tab)
            spot = await self._locate(id, checks)
        self.tab.announce_pointer(spot.point, page_box_of(spot))
        twins = [e.id for e in self.before.elements if (e.role, e.name) == (spot.role, spot.name)]
        self.touched[id] = ElementRef(role=spot.role, name=spot.name, nth=twins.index(id) if id in twins else 0)
        return spot

    async def _locate(self, id: int, checks: TouchChecks | None) -> "ElementSpot":
        return await self.tab.guard.call(self.tab.observer.locate(id, checks), f"finding [{id}]")

    async def run_script(self, id: int, name: str, *args: object) -> Any:
        """Run one of the scripts of js/actions on an element."""
        return await self.tab.guard.call(
            self.tab.observer.run(id, read_action_script(name), *args), f"acting on [{id}]"
        )

    async def finish(self, did: str) -> ChangeReport:
        """Wait for what the action caused, take a snapshot, and report the difference.

        Where the action made the page fetch something and nothing has changed, it is given time to draw it.
        """
        await self.settle()
        change = await report_change(self, did)
        if change.is_nothing and self.tab.activity.has_requested(self.mark):
            await wait_until_answered(self.tab, DRAW_MILLISECONDS)
            return await report_change(self, did)
        return change

    async def settle(self) -> None:
        """Wait for what the action caused."""
        try:
            await wait_until_settled(self.tab, self.mark, self.visits)
        except BrowserGone:
            if not await self.session.is_browser_alive():
                raise


async def begin_action(session: BrowserSession, answer: str | None = None) -> PageAction:
    """Begin an action on the active tab. `answer` is for a dialog that the action may open."""
    tab = await session.tab()
    before = tab.last_snapshot or await tab.look()
    tab.answer, tab.chooser, tab.pointer = answer or None, None, None
    tab.check = CHECK.get()
    now = tab.activity
    return PageAction(session, tab, before, now.mark, now.visits, now.documents, uncovered=tab.uncovered_snapshot)


async def report_change(action: PageAction, did: str) -> ChangeReport:
    """The difference between the snapshot before the action and what the active tab shows now."""
    tab = await action.session.tab()
    if tab is not action.tab:
        await wait_until_loaded(tab)
        await wait_until_quiet(tab)
    view = await look_and_ask_tools(action.session, tab)
    notices = (*action.session.take_notices(), *await list_tool_changes(action.session, tab))
    action.tab.answer = None
    elsewhere = tab is not action.tab or tab.activity.documents != action.documents
    moved: Literal["", "document", "route"] = (
        "document" if elsewhere else "route" if view.url != action.before.url else ""
    )
    came_back = action.uncovered if action.before.is_covered and not view.is_covered else None
    before = action.before.join(came_back) if came_back else action.before
    lost = [] if elsewhere else list_missing(before, view)
    away = await tab.guard.call(tab.observer.ids_out_of_view(lost), "looking for what is gone") if lost else ()
    delta = compare_documents(before, view) if elsewhere else compare_snapshots(before, view, away)
    if not (elsewhere or action.touched):
        delta = replace(delta, target=TargetDiff(focused=find_refocused(before, view)))
    return ChangeReport(did, tab.number, moved, notices, delta, view, action.tab.pointer, action.touched)


async def look_and_ask_tools(session: BrowserSession, tab: Tab) -> "Snapshot":
    """Look at the page, and meanwhile have it tell its tools."""
    if not session.settings.page_tools:
        return await tab.look()
    return (await asyncio.gather(tab.look(), tab.ask_tools()))[0]


async def list_tool_changes(session: BrowserSession, tab: Tab) -> list[SessionNotice]:
    """A notice of the tools of the page that came, went or changed since a model was shown them; it told them again
    just now."""
    if not session.settings.page_tools:
        return []
    said = describe_tool_change(tab.page_tools.shown, await tab.tools(asked=True))
    return [SessionNotice(kind="tools", text=said, tab=tab.number)] if said else []


async def click(
    session: BrowserSession, id: int, kind: ClickKind = "single", answer: str | None = None
) -> ChangeReport:
    """Click the element, once, twice or with the right button."""
    action = await begin_action(session, answer)
    spot = await click_element(action, id, kind)
    change = await action.finish(f"{VERBS[kind]} {describe_element(id, spot)}")
    if change.is_nothing and await looks_altered(action, id):
        return replace(change, delta=replace(change.delta, target=TargetDiff(altered=True)))
    return change


async def looks_altered(action: PageAction, id: int) -> bool:
    """Whether the clicked element looks different, if nothing else shows that the click had an effect."""
    try:
        return bool(await action.run_script(id, "looks_altered"))
    except ToolError:
        return False


async def click_at(
    session: BrowserSession, id: int, x: float, y: float, kind: ClickKind = "single", answer: str | None = None
) -> ChangeReport:
    """Click a point within the element, counted from its top left corner: for canvases and maps. The report names what
    lies at the point, where that is a part of the element."""
    action = await begin_action(session, answer)
    spot = await action.locate(id)
    left, top, width, height = page_box_of(spot)
    if not (0 <= x <= width and 0 <= y <= height):
        raise ToolError(
            f"({x:g}, {y:g}) is outside {describe_element(id, spot)}, which is {width:g} by {height:g} pixels."
        )
    action.tab.announce_pointer((left + x, top + y), (left, top, width, height))
    hit, whole = await target_at(action.tab, left + x, top + y), await target_of(action.tab, id)
    inner = f', on {hit.role or hit.tag} "{shorten(hit.name, 60)}"' if hit and hit.ref != whole.ref and hit.name else ""
    await action.tab.input.click((left + x, top + y), f"clicking [{id}]", *read_click(kind))
    return await action.finish(f"{VERBS[kind]} {describe_element(id, spot)} at ({x:g}, {y:g}){inner}")


def read_click(kind: ClickKind) -> tuple[Literal["left", "right"], int]:
    """The button of the mouse, and how often it is pressed."""
    return "right" if kind == "right" else "left", 2 if kind == "double" else 1


async def hover(session: BrowserSession, id: int) -> ChangeReport:
    """Move the mouse over the element."""
    action = await begin_action(session)
    spot = await action.locate(id)
    await action.tab.input.hover(spot.point, f"pointing at [{id}]")
    if any(element.id == id and "menu" in element.states for element in action.before.elements):
        await wait_until_quiet(action.tab, MENU_MILLISECONDS)
    return await action.finish(f"Moved the mouse over {describe_element(id, spot)}")


async def drag(session: BrowserSession, start: int, goal: int) -> ChangeReport:
    """Drag one element onto another."""
    action = await begin_action(session)
    await action.locate(start)
    target = await action.locate(goal)
    source = await action.locate(start, TouchChecks(scroll=False))
    action.tab.announce_pointer(target.point, page_box_of(target))
    await drag_pointer(action, source.point, find_drop_point(source, target), f"dragging [{start}]")
    change = await action.finish(f"Dragged {describe_element(start, source)} to {describe_element(goal, target)}")
    return replace(change, delta=mark_dragged(change.delta, start))


async def drag_by(session: BrowserSession, start: int, dx: float, dy: float) -> ChangeReport:
    """Drag an element by pixels to the right and down; negative numbers are left and up."""
    action = await begin_action(session)
    source = await action.locate(start)
    x, y = source.point
    await drag_pointer(action, source.point, (x + dx, y + dy), f"dragging [{start}]")
    return await action.finish(f"Dragged {describe_element(start, source)} by {dx:g}, {dy:g} pixels")


async def drag_pointer(action: PageAction, start: tuple[float, float], end: tuple[float, float], doing: str) -> None:
    """Press, move in steps, and release."""
    (ax, ay), (bx, by) = start, end
    path = [start, (ax + math.copysign(4, bx - ax), ay + math.copysign(4, by - ay)), (bx + 1, by + 1), end]
    # Lists make room with a short animation and read the pointer again only after it.
    await action.tab.input.drag(path, lambda: wait_until_quiet(action.tab), doing)


def find_drop_point(source: "ElementSpot", target: "ElementSpot") -> tuple[float, float]:
    """Where to release: among like elements in a row, past the middle of the target, where they change places."""
    (ax, ay), (bx, by) = source.point, target.point
    (_, _, wide, high), (_, _, width, height) = source.box, target.box
    if abs(wide - width) > SIZE_TOLERANCE or abs(high - height) > SIZE_TOLERANCE:
        return bx, by
    if abs(by - ay) > abs(bx - ax):
        return bx, by + math.copysign(DROP_SHARE * height, by - ay)
    return bx + math.copysign(DROP_SHARE * width, bx - ax), by


async def upload(session: BrowserSession, id: int, path: str, *folders: Path) -> ChangeReport:
    """Give a file of the session or of these folders, or one a line, to a file field or the picker of a button."""
    own = [session.shared.folder / name for name in ("files", "downloads")]
    files = [resolve_upload(name, *own, *folders, *session.shared.rules.files) for name in path.splitlines() or [path]]
    action = await begin_action(session)
    spot = await click_element(action, id)
    deadline = asyncio.get_running_loop().time() + PICKER_TIMEOUT
    while action.tab.chooser is None and (left := deadline - asyncio.get_running_loop().time()) > 0:
        await action.tab.activity.wait_for_change(left)
    if action.tab.chooser is None:
        raise ToolError(f"{describe_element(id, spot)} does not ask for a file. Look for the file field or its button.")
    if len(files) > 1 and not action.tab.chooser.is_multiple():
        raise ToolError(f"{describe_element(id, spot)} takes one file only.")
    await action.tab.input.give_files(action.tab.chooser, id, files)
    named = f"file{'s' if len(files) > 1 else ''} {', '.join(file.name for file in files)}"
    return await action.finish(f"Gave the {named} to {describe_element(id, spot)}")


def resolve_upload(path: str, *roots: Path) -> Path:
    """A file of this run, or one that the person named for it; nothing else of the machine."""
    known = [root.resolve() for root in roots]
    for root in known:
        file = (root / path).resolve()
        if file.is_file() and any(file == owner or owner in file.parents for owner in known):
            return file
    there = sorted(file.name for root in known for file in root.rglob("*") if file.is_file())
    raise ToolError(f"{path} is not among this run's files. There are: {', '.join(there[:20]) or 'none'}.")


async def click_element(
    action: PageAction, id: int, kind: ClickKind = "single", found: "ElementSpot | None" = None
) -> "ElementSpot":
    """Point at the element, check that it is still the same, and click so that no other element can receive it. Try
    again if the page replaced the element before the click reached it. `found` is where it was found just now."""
    gate, handle = action.tab.input, action.tab.observer.counter.known(id).handle
    for last in (False,) * (TRIES - 1) + (True,):
        spot, found = found or await action.locate(id), None
        await gate.hover(spot.point, f"pointing at [{id}]")
        spot = await action.locate(id)
        try:
            guard = functools.partial(action.run_script, id, "guard_click", handle)
            await gate.click(spot.point, f"clicking [{id}]", *read_click(kind), guard)
        except BrowserGone:
            if not action.tab.page.is_closed() or not await action.session.is_browser_alive():
                raise
        missed = await find_miss(action, id)
        if missed is None:
            return spot
        if last or missed["pressed"]:
            raise ToolError(
                f"The page moved just as {describe_element(id, spot)} was to be clicked ({missed['miss']} took its "
                "place), so nothing was clicked. Look again and use the new number."
            )
    raise AssertionError("the last try returns or raises")


async def find_miss(action: PageAction, id: int) -> Mapping[str, Any] | None:
    """What the click would have reached instead. A page that navigated or shows a dialog did get the click."""
    try:
        reached = await action.tab.guard.call(
            action.tab.observer.run(id, read_action_script("click_result")), f"checking [{id}]"
        )
    except ToolError:
        return None
    return reached if reached and not reached["hit"] and reached["miss"] else None


def page_box_of(spot: "ElementSpot") -> tuple[float, float, float, float]:
    """The element's box on the page; `spot.box` is relative to its frame."""
    left, top, width, height = spot.box
    return spot.point[0] - spot.facts["px"] + left, spot.point[1] - spot.facts["py"] + top, width, height


def describe_element(id: int, spot: "ElementSpot") -> str:
    return f'[{id}] {spot.role} "{spot.name}"'

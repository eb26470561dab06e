"""The eyes: one look at a page through all its frames, ids that are never reused, and elements found again."""

import asyncio
import contextlib
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from playwright.async_api import Page

from pilotfish.browser.compose import Composer, Raw, outline, place, visible_frames
from pilotfish.browser.render import CAP
from pilotfish.browser.spot import Checks, Spot, refusal
from pilotfish.browser.text import PageText, read
from pilotfish.browser.view import Box, Element, Kind, View
from pilotfish.browser.world import Answer, PageError, World
from pilotfish.core.errors import ToolError

log = logging.getLogger(__name__)
KINDS: Mapping[str, Kind] = {
    "c": "control", "s": "box", "b": "box", "f": "box", "item": "item", "h": "heading", "i": "image", "t": "text",
}  # fmt: skip
NOWHERE: Box = (0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Known:
    """What an id stands for."""

    key: str
    handle: int
    role: str
    name: str


class Counter:
    """Hands out ids for a whole session: one number for one element of one document, never given twice.

    `given` counts those of an earlier browser: they mean nothing any more, and are not given again.
    """

    def __init__(self, given: int = 0) -> None:
        self.given = given
        self._ids: dict[tuple[str, int], int] = {}
        self._known: list[Known] = []

    @property
    def last(self) -> int:
        return self.given + len(self._known)

    def id(self, key: str, handle: int, role: str, name: str) -> int:
        at = (key, handle)
        if at not in self._ids:
            self._known.append(Known(key, handle, role, name))
            self._ids[at] = self.last
        return self._ids[at]

    def known(self, id: int) -> Known:
        if 1 <= id <= self.given:
            raise ToolError(f"[{id}] was on a page before the browser was started again; look again.")
        if not self.given < id <= self.last:
            raise ToolError(f"There is no element [{id}]; use an id from the latest look at the page.")
        return self._known[id - self.given - 1]


class Eyes:
    """Sees one page."""

    def __init__(self, page: Page, counter: Counter, world: World | None = None) -> None:
        self.page = page
        self.counter = counter
        self.world = world or World(page)
        self._seen: set[int] = set()
        self._key = ""

    async def look(self, budget: int = 2000, scope: int | None = None, find: str | None = None) -> View:
        """What is on the screen; with `scope` all of the list or box around an id; with `find` what matches a text."""
        if scope is not None:
            return await self._around(scope, budget)
        if find:
            return await self._find(find, budget)
        answers = await self._glance()
        main = answers[0].data
        seen = self._seen if self._key == answers[0].key else set[int]()
        nodes = self._number(Composer(answers, wide=False).nodes(), seen)
        self._seen = seen | {node.id for node in nodes if node.id}
        self._key = answers[0].key
        behind = [
            f'[{self.counter.id(self._key, handle, role, name)}] {role} "{name}"'
            for handle, role, name in main["behind"]
        ]
        return View(main["url"], main["title"], nodes, outline(main, behind), min(budget, CAP))

    async def bare(self, id: int) -> tuple[float, float] | None:
        """Where a click puts away what came up for a field and covers an element; nowhere if it may be more."""
        known = self.counter.known(id)
        found: dict[str, Any] = await self.world.ask(known.key, "bare", known.handle)
        if not found["at"]:
            return None
        x, y = found["at"]
        return await self.outward(found["path"], x, y, Checks(open=False), f"[{id}]")

    async def _glance(self) -> list[Answer]:
        """What all frames see; once more where the debugger had something to add about what came since."""
        answers = await self.world.call("look", among=visible_frames)
        fresh = [answer.key for answer in answers if answer.data["fresh"]]
        if fresh and any(await asyncio.gather(*map(self.world.inspect, fresh))):
            answers = await self.world.call("look", among=visible_frames)
        for answer in answers:
            if answer.data["odd"]:
                log.warning("a part of a page could not be read: %s", answer.data["odd"])
        return answers

    async def _find(self, words: str, budget: int) -> View:
        answers = await self.world.call("find", words)
        main, count = answers[0].data, sum(answer.data["count"] for answer in answers)
        nodes: list[Element] = []
        for answer in answers:
            part, base = self._number(Composer([answer], wide=True).nodes(), set()), len(nodes)
            nodes += (replace(node, parent=node.parent + base if node.parent >= 0 else -1) for node in part)
        note = f'"{words}" was found in {count} places' if count else f'"{words}" is nowhere on this page'
        return View(main["url"], main["title"], tuple(nodes), place(main, note), min(budget, CAP))

    async def _around(self, id: int, budget: int) -> View:
        known = self.counter.known(id)
        try:
            main: dict[str, Any] = await self.world.ask(known.key, "open", known.handle)
        except LookupError:
            main = {"gone": 1}
        if main.get("gone"):
            raise ToolError(f'[{id}] {known.role} "{known.name}" is no longer on the page; look again.')
        nodes = self._number(Composer([Answer(known.key, main)], wide=True).nodes(), set())
        return View(main["url"], main["title"], nodes, place(main, f"only what is around [{id}]"), min(budget, CAP))

    async def away(self, ids: Iterable[int]) -> frozenset[int]:
        """Which of these ids are still on the page, though a look does not show them."""
        handles: dict[str, dict[int, int]] = {}
        for id in ids:
            known = self.counter.known(id)
            handles.setdefault(known.key, {})[known.handle] = id
        found: set[int] = set()
        for key, held in handles.items():
            with contextlib.suppress(LookupError):
                found |= {held[handle] for handle in await self.world.ask(key, "away", [*held])}
        return frozenset(found)

    def _number(self, raw: Sequence[Raw], seen: set[int]) -> tuple[Element, ...]:
        nodes: list[Element] = []
        for key, parent, node in raw:
            role, name = node.get("r", ""), " ".join(node.get("n", "").split())
            handle, kind, box = node.get("h"), node["k"], node.get("b")
            id = self.counter.id(key, handle, role, name) if handle else 0
            new = bool(id and seen and id not in seen)
            where: Box = (round(box[0]), round(box[1]), round(box[2]), round(box[3])) if box else NOWHERE
            nodes.append(Element(KINDS[kind], id, "frame" if kind == "f" else role, name, parent, where, new, node))
        return tuple(nodes)

    async def spot(self, id: int, checks: Checks | None = None) -> Spot:
        """Where to touch an element right now. Refuses, with the reason, whenever it is not surely the same one."""
        known = self.counter.known(id)
        wanted = checks or Checks()
        try:
            found: dict[str, Any] = await self.world.ask(known.key, "spot", known.handle, wanted.plain())
        except LookupError:
            found = {"e": "gone"}
        if "e" in found:
            raise refusal(id, known.role, known.name, found, await self._similar(known, found))
        x, y = await self.outward(found["path"], found["px"], found["py"], wanted, f"[{id}]")
        return Spot(id, (x, y), tuple(found["b"]), found["r"], found["n"], found)

    async def _similar(self, known: Known, found: Mapping[str, Any]) -> str:
        """The nearest thing there is now, for the one who looked for what is gone."""
        if found["e"] == "covered":
            owner = found.get("bh")
            return f"[{self.counter.id(known.key, owner, '', '')}]" if owner else ""
        if found["e"] not in ("gone", "renamed", "moved"):
            return ""
        best = ""
        for answer in await self.world.call("like", known.role, known.name):
            for handle, role, name in answer.data[:1]:
                best = best or f'[{self.counter.id(answer.key, handle, role, name)}] {role} "{name}"'
        return best

    async def outward(self, path: str, x: float, y: float, checks: Checks, what: str) -> tuple[float, float]:
        """From a frame's own coordinates to those of the page, checking that nothing lies over the frame."""
        while path:
            above, _, index = path.rpartition(".")
            frames = {answer.data["path"]: answer for answer in await self.world.call("frames")}
            holder = frames.get(above)
            if holder is None or index not in holder.data["boxes"]:
                raise ToolError(f"The frame that holds {what} is gone; look again.")
            left, top, _, _, scale = holder.data["boxes"][index]
            x, y, path = left + x * scale, top + y * scale, above
            if checks.open:
                await self._open(holder.key, x, y, index, what)
        return x, y

    async def _open(self, key: str, x: float, y: float, index: str, what: str) -> None:
        seen: dict[str, Any] = {}
        for _ in range(20):
            seen = await self.world.ask(key, "frameAt", x, y)
            if seen["i"] == index:
                return
            # A frame of another process scrolls its parents a moment later.
            await asyncio.sleep(0.01)
        raise ToolError(f"{what} is in a frame that is covered by {seen.get('by') or 'something else'}.")

    async def run(self, id: int, function: str, *args: Any) -> Any:
        """Run a JavaScript function `(el, ...args) => value` on an element, in our own world."""
        known = self.counter.known(id)
        try:
            return await self.world.run(known.key, known.handle, function, *args)
        except LookupError:
            raise ToolError(f'[{id}] {known.role} "{known.name}" is no longer on the page; look again.') from None

    async def text(self, selector: str | None = None, links: bool = False) -> PageText:
        """What the page says, as Markdown."""
        return await read(self.world, selector, links)

    async def label(self, selector: str) -> list[tuple[str, str]]:
        """Role and name of every element that a CSS selector matches in the main document."""
        answers = await self.world.call("label", selector)
        return [(role, name) for role, name, _ in answers[0].data]


__all__ = ["Checks", "Counter", "Eyes", "PageError", "PageText", "Spot", "View"]

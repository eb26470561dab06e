"""Takes snapshots of a page with all its frames, numbers the elements, and finds them again by their numbers."""

import asyncio
import contextlib
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from playwright.async_api import Page

from pilotfish.browser.perception.element import ElementBox, ElementKind, ElementView
from pilotfish.browser.perception.element_spot import ElementSpot, TouchChecks, explain_refusal
from pilotfish.browser.perception.frame_merge import (
    FrameMerger,
    RawNode,
    describe_found,
    read_outline,
    read_outline_position,
    visible_frames,
)
from pilotfish.browser.perception.isolated_world import FrameAnswer, IsolatedWorld, PageError
from pilotfish.browser.perception.page_text import PageText, read_markup, read_page
from pilotfish.browser.perception.render import MOST_TOKENS
from pilotfish.browser.perception.snapshot import Snapshot
from pilotfish.core.errors import ToolError

log = logging.getLogger(__name__)
ELEMENT_KINDS: Mapping[str, ElementKind] = {
    "c": "control", "s": "box", "b": "box", "f": "box", "item": "item", "h": "heading", "i": "image", "t": "text",
}  # fmt: skip
NO_BOX: ElementBox = (0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class KnownElement:
    """The element that an id stands for."""

    key: str
    handle: int
    role: str
    name: str


class ElementIds:
    """Numbers the elements of a whole session: one number per element of a document, never reused.

    `given` is the last number of an earlier browser; lower numbers are no longer valid.
    """

    def __init__(self, given: int = 0) -> None:
        self.last_id = given
        self._ids: dict[tuple[str, int], int] = {}
        self._known: list[KnownElement] = []

    @property
    def last(self) -> int:
        return self.last_id + len(self._known)

    def id(self, key: str, handle: int, role: str, name: str) -> int:
        at = (key, handle)
        if at not in self._ids:
            self._known.append(KnownElement(key, handle, role, name))
            self._ids[at] = self.last
        return self._ids[at]

    def known(self, id: int) -> KnownElement:
        if 1 <= id <= self.last_id:
            raise ToolError(f"[{id}] was on a page before the browser was started again; look again.")
        if not self.last_id < id <= self.last:
            raise ToolError(f"There is no element [{id}]; use an id from the latest look at the page.")
        return self._known[id - self.last_id - 1]


class PageObserver:
    """Takes snapshots of one page."""

    def __init__(self, page: Page, counter: ElementIds, world: IsolatedWorld | None = None) -> None:
        self.page = page
        self.counter = counter
        self.world = world or IsolatedWorld(page)
        self._seen: set[int] = set()
        self._key = ""

    @property
    def main(self) -> str:
        """The key of the main document as it was last seen."""
        return self._key

    async def look(
        self, budget: int = 2000, scope: int | None = None, find: str | None = None, behind: bool = False
    ) -> Snapshot:
        """What is on the screen; with `scope` all of the list or box around an id; with `find` what matches a text.

        What an open dialog covers is only counted, unless `behind` asks for it.
        """
        if scope is not None:
            return await self._look_around(scope, budget)
        if find:
            return await self._find(find, budget)
        answers = await self._scan_frames(behind)
        main = answers[0].data
        seen = self._seen if self._key == answers[0].key else set[int]()
        nodes = self._number(FrameMerger(answers, wide=False).nodes(), seen)
        self._seen = seen | {node.id for node in nodes if node.id}
        self._key = answers[0].key
        covered = [
            f'[{self.counter.id(self._key, handle, role, name)}] {role} "{name}"'
            for handle, role, name in main["behind"]
        ]
        return Snapshot(main["url"], main["title"], nodes, read_outline(main, covered), min(budget, MOST_TOKENS))

    async def find_dismiss_point(self, id: int) -> tuple[float, float] | None:
        """A point where a click closes the popup of a field that covers an element; None if it might do more."""
        known = self.counter.known(id)
        found: dict[str, Any] = await self.world.ask(known.key, "bare", known.handle)
        if not found["at"]:
            return None
        x, y = found["at"]
        return await self.to_page_point(found["path"], x, y, TouchChecks(open=False), f"[{id}]")

    async def _scan_frames(self, behind: bool) -> list[FrameAnswer]:
        """Scan all frames; scan again if the debugger found listeners or shadow roots of new elements."""
        answers = await self.world.call("look", behind, among=visible_frames)
        fresh = [answer.key for answer in answers if answer.data["fresh"]]
        if fresh and any(await asyncio.gather(*map(self.world.inspect, fresh))):
            answers = await self.world.call("look", behind, True, among=visible_frames)
        for answer in answers:
            if answer.data["odd"]:
                log.warning("a part of a page could not be read: %s", answer.data["odd"])
        return answers

    async def _find(self, words: str, budget: int) -> Snapshot:
        answers = await self.world.call("find", words)
        main = answers[0].data
        nodes: list[ElementView] = []
        for answer in answers:
            part, base = self._number(FrameMerger([answer], wide=True).nodes(), set()), len(nodes)
            nodes += (replace(node, parent=node.parent + base if node.parent >= 0 else -1) for node in part)
        note = describe_found(words, [answer.data for answer in answers])
        return Snapshot(
            main["url"], main["title"], tuple(nodes), read_outline_position(main, note), min(budget, MOST_TOKENS)
        )

    async def _look_around(self, id: int, budget: int) -> Snapshot:
        known = self.counter.known(id)
        try:
            main: dict[str, Any] = await self.world.ask(known.key, "open", known.handle)
        except LookupError:
            main = {"gone": 1}
        if main.get("gone"):
            raise ToolError(f'[{id}] {known.role} "{known.name}" is no longer on the page; look again.')
        nodes = self._number(FrameMerger([FrameAnswer(known.key, main)], wide=True).nodes(), set())
        outline = read_outline_position(main, f"only what is around [{id}]")
        return Snapshot(main["url"], main["title"], nodes, outline, min(budget, MOST_TOKENS))

    async def ids_out_of_view(self, ids: Iterable[int]) -> frozenset[int]:
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

    def _number(self, raw: Sequence[RawNode], seen: set[int]) -> tuple[ElementView, ...]:
        nodes: list[ElementView] = []
        for key, parent, node in raw:
            kind, role, name = node["k"], node.get("r", ""), " ".join(node.get("n", "").split())
            handle, box = node.get("h"), node.get("b")
            id = self.counter.id(key, handle, role, name) if handle else 0
            where = (round(box[0]), round(box[1]), round(box[2]), round(box[3])) if box else NO_BOX
            new = bool(id and seen and id not in seen)
            nodes.append(
                ElementView(ELEMENT_KINDS[kind], id, "frame" if kind == "f" else role, name, parent, where, new, node)
            )
        return tuple(nodes)

    async def locate(self, id: int, checks: TouchChecks | None = None) -> ElementSpot:
        """Where an element is now. Raises an error with the reason if it is not certainly the same element."""
        known = self.counter.known(id)
        wanted = checks or TouchChecks()
        try:
            found: dict[str, Any] = await self.world.ask(known.key, "spot", known.handle, wanted.to_json())
        except LookupError:
            found = {"e": "gone"}
        if "e" in found:
            raise explain_refusal(id, known.role, known.name, found, await self._describe_similar(known, found))
        x, y = await self.to_page_point(found["path"], found["px"], found["py"], wanted, f"[{id}]")
        return ElementSpot(id, (x, y), tuple(found["b"]), found["r"], found["n"], found)

    async def _describe_similar(self, known: KnownElement, found: Mapping[str, Any]) -> str:
        """The most similar element of the page now, for the error about an element that is gone."""
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

    async def to_page_point(self, path: str, x: float, y: float, checks: TouchChecks, what: str) -> tuple[float, float]:
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
        return await read_page(self.world, selector, links)

    async def markup(self, selector: str = "") -> str:
        """The HTML. The page cannot see by which selector it is looked for."""
        return await read_markup(self.world, selector)

    async def describe_matches(self, selector: str) -> list[tuple[str, str]]:
        """Role and name of every element that a CSS selector matches in the main document."""
        answers = await self.world.call("label", selector)
        return [(role, name) for role, name, _ in answers[0].data]


__all__ = ["ElementIds", "ElementSpot", "PageError", "PageObserver", "PageText", "Snapshot", "TouchChecks"]

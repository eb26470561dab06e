"""Runs our script in an isolated world of every frame; each call returns JSON.

The page cannot see that world, and nothing is written into the page. A document is prepared once and kept until it
navigates. Frames of other origins run in other processes and have their own sessions.
"""

import asyncio
import json
from collections.abc import Callable, Container, Coroutine, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from playwright.async_api import CDPSession, Error, Frame, Page

from pilotfish.browser.perception.direct_page import DirectPage, find_direct_page
from pilotfish.browser.perception.documents import (
    FrameLocation,
    PageDocument,
    create_isolated_world,
    evaluate,
    list_frames,
)
from pilotfish.browser.perception.inspector import find_listeners, mark_listeners, open_shadow_roots
from pilotfish.core.errors import ToolError

FrameChoice = Callable[[Any], Container[str]]
ORDER = (
    "document", "style", "frames", "dom_watch", "role", "accessible_name", "fallback_name", "class_words",
    "toggles", "hover_rules", "state", "choices", "rows", "control_facts", "listeners", "visibility", "scan",
    "off_screen", "drawing", "nodes", "identity", "scroll_boxes", "front_layers", "find", "element_spot", "text",
    "markup", "text_marking", "target", "lists", "list_rows", "paging", "main",
)  # fmt: skip


class PageError(ToolError):
    """The page did not answer, or answered with nonsense."""


@dataclass(frozen=True, slots=True)
class FrameAnswer:
    """The answer of one document."""

    key: str
    data: Any


def read_script(name: str) -> str:
    return (Path(__file__).parent.parent / "js" / f"{name}.js").read_text("utf-8")


@cache
def bundle_scripts() -> str:
    """All scripts as one text, the same for every document, so that the browser compiles it once."""
    body = "\n".join(map(read_script, ORDER))
    return f"(() => {{ if (Object.hasOwn(globalThis, 'pilotfish')) return pilotfish.key;\n{body}\n}})()"


@cache
def frame_path_script() -> str:
    return f"(() => {{\n{read_script('frames')}\nreturn framePath();\n}})()"


class IsolatedWorld:
    """The script in all frames of one page."""

    def __init__(self, page: Page, limit: float = 10.0, frame_limit: float = 3.0) -> None:
        self.page = page
        self._limit = limit
        self._frame_limit = frame_limit
        self._main: CDPSession | None = None
        self.direct: DirectPage | None = None
        self._foreign: dict[Frame, CDPSession] = {}
        self._tree: list[FrameLocation] = []
        self._trees: dict[Frame, list[FrameLocation]] = {}
        self._documents: dict[tuple[str, str], PageDocument] = {}
        self._tops: dict[tuple[str, str], str] = {}
        self._asked_last: set[tuple[str, str]] = set()
        self._listening: dict[str, set[int]] = {}
        page.on("frameattached", self._on_frame_change)
        page.on("framenavigated", self._on_frame_change)
        page.on("framedetached", self._on_frame_change)

    async def call(self, method: str, *args: Any, among: FrameChoice | None = None) -> list[FrameAnswer]:
        """Ask every document; the main one comes first and must answer, others are left out when they cannot.

        `among` tells from the main answer which of the page's frames are worth asking, by index.
        """
        code = f"pilotfish.call({json.dumps(method)}, {json.dumps(args)})"
        try:
            async with asyncio.timeout(self._limit):
                return await self._ask_frames(code, among)
        except TimeoutError:
            raise PageError("The page does not answer; it may be busy or waiting for a dialog.") from None
        except Error as error:
            self._raise_if_closed(error)
            raise PageError(f"The page could not be read: {first_line(error)}") from error

    async def ask(self, key: str, method: str, *args: Any) -> Any:
        """Ask one document. A document that is gone raises LookupError."""
        return await self._one(key, f"pilotfish.call({json.dumps(method)}, {json.dumps(args)})")

    async def inspect(self, key: str) -> int:
        """Pass the script what only the debugger can see of its document. Returns how much was new."""
        document = next((known for known in self._documents.values() if known.key == key), None)
        if document is None:
            return 0
        session, context = document.session, document.context
        try:
            async with asyncio.timeout(self._frame_limit):
                opened = await open_shadow_roots(session, context)
                listening = await find_listeners(session, context)
                known = self._listening.setdefault(key, set())
                new = {number: kinds for number, kinds in listening.items() if number not in known}
                known.update(new)
                if new:
                    await mark_listeners(session, context, new)
                return opened + len(new)
        except (TimeoutError, Error):
            return 0

    async def run(self, key: str, handle: int, function: str, *args: Any) -> Any:
        """Run a function `(el, ...args) => value` on an element of one document; the value travels as JSON."""
        act = f"((document) => {function})(pilotfish.document)"
        answer = await self._one(key, f"pilotfish.on({handle}, {act}, {json.dumps(args)})")
        if "e" in answer:
            raise LookupError(handle)
        return answer["v"]

    async def places(self) -> list[FrameLocation]:
        """Where the documents of the page are, the main one first."""
        return self._tree or await self._list_frames()

    async def ask_node(self, place: FrameLocation, node: int, function: str) -> Any:
        """Run a function `() => value` with a node of the debugger as `this`, in our own world; the value is JSON."""
        document = self._documents.get(place.at) or await self._open_document(place)
        found = await place.session.send(
            "DOM.resolveNode", {"backendNodeId": node, "executionContextId": document.context}
        )
        asked = {"objectId": found["object"]["objectId"], "functionDeclaration": function, "returnByValue": True}
        return json.loads((await place.session.send("Runtime.callFunctionOn", asked))["result"]["value"])

    def _raise_if_closed(self, error: Error) -> None:
        """Pass the error of a crashed or closed page on: the session replaces the page."""
        if self.page.is_closed() or "crashed" in error.message or "Connection closed" in error.message:
            raise error

    async def _one(self, key: str, code: str) -> Any:
        document = next((known for known in self._documents.values() if known.key == key), None)
        if document is None:
            raise LookupError(key)
        try:
            async with asyncio.timeout(self._limit):
                return await self._evaluate(document, code)
        except TimeoutError:
            raise PageError("The page does not answer; it may be busy or waiting for a dialog.") from None
        except Error as error:
            self._raise_if_closed(error)
            raise LookupError(key) from error

    async def _ask_frames(self, code: str, among: FrameChoice | None) -> list[FrameAnswer]:
        """Ask all frames. Those that mattered last time are asked together with the main document, not after it."""
        likely = [place for place in self._tree[1:] if among is None or place.at in self._asked_last]
        first, *early = await gather_few([self._ask_known_main(code), *(self._ask_frame(at, code) for at in likely)])
        if first is None:
            self._tree = []
        places = self._tree or await self._list_frames()
        main = first if first and self._holds(places[0], first.key) else await self._ask_main(places[0], code)
        frames = places[1:]
        if not frames:
            return [main]
        if among:
            wanted = among(main.data)
            tops = await asyncio.gather(*map(self._find_top_frame, frames))
            frames = [place for place, top in zip(frames, tops, strict=True) if top is not None and top in wanted]
            self._asked_last = {place.at for place in frames}
        answered = dict(zip(likely, early, strict=True))
        late = [place for place in frames if place not in answered]
        answered |= zip(late, await asyncio.gather(*(self._ask_frame(place, code) for place in late)), strict=True)
        return [main, *(answer for place in frames if (answer := answered[place]))]

    async def _ask_known_main(self, code: str) -> FrameAnswer | None:
        """The main document, if it is still the one we know."""
        document = next(iter(self._documents.values()), None)
        if document is None or document.session is not self._main:
            return None
        try:
            return FrameAnswer(document.key, await self._evaluate(document, code))
        except Error:
            return None

    def _holds(self, place: FrameLocation, key: str) -> bool:
        known = self._documents.get(place.at)
        return known is not None and known.key == key

    async def _ask_main(self, place: FrameLocation, code: str) -> FrameAnswer:
        """Ask the main document; try once more if it navigates meanwhile."""
        try:
            document = await self._open_document(place)
            return FrameAnswer(document.key, await self._evaluate(document, code))
        except Error:
            document = await self._open_document((await self._list_frames())[0])
            return FrameAnswer(document.key, await self._evaluate(document, code))

    async def _ask_frame(self, place: FrameLocation, code: str) -> FrameAnswer | None:
        try:
            async with asyncio.timeout(self._frame_limit):
                document = self._documents.get(place.at) or await self._open_document(place)
                return FrameAnswer(document.key, await self._evaluate(document, code))
        except (TimeoutError, Error):
            self._forget(place)
            return None

    def _forget(self, place: FrameLocation) -> None:
        """Forget a frame that does not answer, so that it is searched again next time."""
        self._documents.pop(place.at, None)
        self._tree = []
        self._trees.clear()

    async def _find_top_frame(self, place: FrameLocation) -> str | None:
        """The index of the page's own frame that contains this one. It is read once, before our script is loaded."""
        if place.at not in self._tops:
            try:
                async with asyncio.timeout(self._frame_limit):
                    path: str = await evaluate(place.session, await create_isolated_world(place), frame_path_script())
            except (TimeoutError, Error):
                self._forget(place)
                return None
            self._tops[place.at] = path.partition(".")[0]
        return self._tops[place.at]

    async def _list_frames(self) -> list[FrameLocation]:
        """All current frames, the main one first. Forgets the documents that are gone."""
        if self._main is None:
            self._main = main = await self.page.context.new_cdp_session(self.page)
            self.direct = await find_direct_page(self.page, main)
        places = list(list_frames(self._main, (await self._main.send("Page.getFrameTree"))["frameTree"]))
        if len(self.page.frames) > len(places):
            for others in await self._list_foreign_frames():
                places += others
        alive = {place.at for place in places}
        self._documents = {at: document for at, document in self._documents.items() if at in alive}
        self._tops = {at: top for at, top in self._tops.items() if at in alive}
        keys = {document.key for document in self._documents.values()}
        self._listening = {key: numbers for key, numbers in self._listening.items() if key in keys}
        self._tree = places
        return places

    async def _list_foreign_frames(self) -> list[list[FrameLocation]]:
        frames = self.page.frames[1:]
        self._foreign = {frame: session for frame, session in self._foreign.items() if frame in frames}
        self._trees = {frame: places for frame, places in self._trees.items() if frame in frames}
        return await asyncio.gather(*(self._list_frames_of(frame) for frame in frames))

    async def _list_frames_of(self, frame: Frame) -> list[FrameLocation]:
        """The frames in a frame of another process; none for one in its parent's process."""
        if frame in self._trees:
            return self._trees[frame]
        places: list[FrameLocation] = []
        for _ in range(2):
            try:
                async with asyncio.timeout(self._frame_limit):
                    if frame not in self._foreign:
                        self._foreign[frame] = await self.page.context.new_cdp_session(frame)
                    session = self._foreign[frame]
                    places = list(list_frames(session, (await session.send("Page.getFrameTree"))["frameTree"]))
                break
            except (Error, TimeoutError):
                if self._foreign.pop(frame, None) is None:
                    break
        self._trees[frame] = places
        return places

    def _on_frame_change(self, frame: Frame) -> None:
        """Forget what is known of a frame that came, went or navigated, and of the frames around it."""
        self._tree = []
        here: Frame | None = frame
        while here:
            self._trees.pop(here, None)
            here = here.parent_frame

    async def _open_document(self, place: FrameLocation) -> PageDocument:
        context = await create_isolated_world(place)
        document = PageDocument(await evaluate(place.session, context, bundle_scripts()), place.session, context)
        if place.session is self._main and not self._documents:
            self._documents = {place.at: document}
        self._documents[place.at] = document
        return document

    async def _evaluate(self, document: PageDocument, code: str) -> Any:
        guarded = f"pilotfish.key === {json.dumps(document.key)} ? {code} : null"
        direct = self.direct if document.session is self._main else None
        text = await evaluate(document.session, document.context, guarded, direct)
        if text is None:
            raise Error("another document is in this place")
        return json.loads(text)


async def gather_few(works: Sequence[Coroutine[Any, Any, FrameAnswer | None]]) -> Sequence[FrameAnswer | None]:
    """Await all at once; a single one without a task of its own, which would take turns of the event loop."""
    return [await works[0]] if len(works) == 1 else await asyncio.gather(*works)


def first_line(error: Error) -> str:
    return error.message.splitlines()[0] if error.message else "no reason was given"

"""Our script inside a page: every frame has it in a world of its own, and answers with one JSON string.

The page cannot see that world and nothing is written into the page. A document is opened once and remembered until
it navigates; frames of other origins live in other processes and are reached through their own sessions.
"""

import asyncio
import json
from collections.abc import Callable, Container
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from playwright.async_api import CDPSession, Error, Frame, Page

from pilotfish.browser.document import Document, Place, evaluate, isolate, places_of
from pilotfish.browser.inspector import listeners, mark, unseal
from pilotfish.core.errors import ToolError

Wanted = Callable[[Any], Container[str]]
ORDER = (
    "document",
    "style",
    "frames",
    "role",
    "name",
    "fallback",
    "facts",
    "heard",
    "seen",
    "scan",
    "drawing",
    "nodes",
    "find",
    "spot",
    "text",
    "mark",
    "main",
)


class PageError(ToolError):
    """The page did not answer, or answered with nonsense."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What one document said."""

    key: str
    data: Any


def script(name: str) -> str:
    return (Path(__file__).parent / "js" / f"{name}.js").read_text("utf-8")


@cache
def bundle() -> str:
    """The same words for every document, so that the browser translates them once."""
    body = "\n".join(map(script, ORDER))
    return f"(() => {{ if (Object.hasOwn(globalThis, 'pilotfish')) return pilotfish.key;\n{body}\n}})()"


@cache
def pathfinder() -> str:
    return f"(() => {{\n{script('frames')}\nreturn framePath();\n}})()"


class World:
    """The script's side of one page."""

    def __init__(self, page: Page, limit: float = 10.0, frame_limit: float = 3.0) -> None:
        self.page = page
        self._limit = limit
        self._frame_limit = frame_limit
        self._main: CDPSession | None = None
        self._foreign: dict[Frame, CDPSession] = {}
        self._tree: list[Place] = []
        self._trees: dict[Frame, list[Place]] = {}
        self._documents: dict[tuple[str, str], Document] = {}
        self._tops: dict[tuple[str, str], str] = {}
        self._worth: set[tuple[str, str]] = set()
        self._heard: dict[str, set[int]] = {}
        page.on("frameattached", self._changed)
        page.on("framenavigated", self._changed)
        page.on("framedetached", self._changed)

    async def call(self, method: str, *args: Any, among: Wanted | None = None) -> list[Answer]:
        """Ask every document; the main one comes first and must answer, others are left out when they cannot.

        `among` tells from the main answer which of the page's frames are worth asking, by index.
        """
        code = f"pilotfish.call({json.dumps(method)}, {json.dumps(args)})"
        try:
            async with asyncio.timeout(self._limit):
                return await self._everywhere(code, among)
        except TimeoutError:
            raise PageError("The page does not answer; it may be busy or waiting for a dialog.") from None
        except Error as error:
            self._dead(error)
            raise PageError(f"The page could not be read: {first_line(error)}") from error

    async def ask(self, key: str, method: str, *args: Any) -> Any:
        """Ask one document. A document that is gone raises LookupError."""
        return await self._one(key, f"pilotfish.call({json.dumps(method)}, {json.dumps(args)})")

    async def inspect(self, key: str) -> int:
        """Bring the script what only the debugger knows of its document; how much of that was new."""
        document = next((known for known in self._documents.values() if known.key == key), None)
        if document is None:
            return 0
        session, context = document.session, document.context
        try:
            async with asyncio.timeout(self._frame_limit):
                opened = await unseal(session, context)
                heard = await listeners(session, context)
                known = self._heard.setdefault(key, set())
                new = {number: kinds for number, kinds in heard.items() if number not in known}
                known.update(new)
                if new:
                    await mark(session, context, new)
                return opened + len(new)
        except (TimeoutError, Error):
            return 0

    async def run(self, key: str, handle: int, function: str, *args: Any) -> Any:
        """Run a function `(el, ...args) => value` on an element of one document; the value travels as JSON."""
        act = f"((document) => {function})(pilotfish.document)"
        said = await self._one(key, f"pilotfish.on({handle}, {act}, {json.dumps(args)})")
        if "e" in said:
            raise LookupError(handle)
        return said["v"]

    def _dead(self, error: Error) -> None:
        """A page that crashed or was closed is not ours to explain: the session replaces it."""
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
            self._dead(error)
            raise LookupError(key) from error

    async def _everywhere(self, code: str, among: Wanted | None) -> list[Answer]:
        """Frames that were worth asking last time are asked beside the main document, not after it."""
        likely = [place for place in self._tree[1:] if among is None or place.at in self._worth]
        first, *early = await asyncio.gather(self._quick(code), *(self._frame(place, code) for place in likely))
        if first is None:
            self._tree = []
        places = self._tree or await self._places()
        main = first if first and self._holds(places[0], first.key) else await self._patient(places[0], code)
        frames = places[1:]
        if among:
            wanted = among(main.data)
            tops = await asyncio.gather(*map(self._top, frames))
            frames = [place for place, top in zip(frames, tops, strict=True) if top is not None and top in wanted]
            self._worth = {place.at for place in frames}
        said = dict(zip(likely, early, strict=True))
        late = [place for place in frames if place not in said]
        said |= zip(late, await asyncio.gather(*(self._frame(place, code) for place in late)), strict=True)
        return [main, *(answer for place in frames if (answer := said[place]))]

    async def _quick(self, code: str) -> Answer | None:
        """The main document, if it is still the one we know."""
        document = next(iter(self._documents.values()), None)
        if document is None or document.session is not self._main:
            return None
        try:
            return Answer(document.key, await self._evaluate(document, code))
        except Error:
            return None

    def _holds(self, place: Place, key: str) -> bool:
        known = self._documents.get(place.at)
        return known is not None and known.key == key

    async def _patient(self, place: Place, code: str) -> Answer:
        """The main document, once more from the start when it navigates under our hands."""
        try:
            document = await self._open(place)
            return Answer(document.key, await self._evaluate(document, code))
        except Error:
            document = await self._open((await self._places())[0])
            return Answer(document.key, await self._evaluate(document, code))

    async def _frame(self, place: Place, code: str) -> Answer | None:
        try:
            async with asyncio.timeout(self._frame_limit):
                document = self._documents.get(place.at) or await self._open(place)
                return Answer(document.key, await self._evaluate(document, code))
        except (TimeoutError, Error):
            self._forget(place)
            return None

    def _forget(self, place: Place) -> None:
        """A frame that does not answer is looked for again next time."""
        self._documents.pop(place.at, None)
        self._tree = []
        self._trees.clear()

    async def _top(self, place: Place) -> str | None:
        """Which of the page's frames holds this one; asked once, before our script is brought where nobody looks."""
        if place.at not in self._tops:
            try:
                async with asyncio.timeout(self._frame_limit):
                    path: str = await evaluate(place.session, await isolate(place), pathfinder())
            except (TimeoutError, Error):
                self._forget(place)
                return None
            self._tops[place.at] = path.partition(".")[0]
        return self._tops[place.at]

    async def _places(self) -> list[Place]:
        """Every frame there is now, main first, asked for when one changed; forgets the documents that are gone."""
        if self._main is None:
            self._main = await self.page.context.new_cdp_session(self.page)
        places = list(places_of(self._main, (await self._main.send("Page.getFrameTree"))["frameTree"]))
        if len(self.page.frames) > len(places):
            for others in await self._others():
                places += others
        alive = {place.at for place in places}
        self._documents = {at: document for at, document in self._documents.items() if at in alive}
        self._tops = {at: top for at, top in self._tops.items() if at in alive}
        keys = {document.key for document in self._documents.values()}
        self._heard = {key: numbers for key, numbers in self._heard.items() if key in keys}
        self._tree = places
        return places

    async def _others(self) -> list[list[Place]]:
        frames = self.page.frames[1:]
        self._foreign = {frame: session for frame, session in self._foreign.items() if frame in frames}
        self._trees = {frame: places for frame, places in self._trees.items() if frame in frames}
        return await asyncio.gather(*(self._other(frame) for frame in frames))

    async def _other(self, frame: Frame) -> list[Place]:
        """What a frame of another process holds; nothing for one that shares its parent's."""
        if frame in self._trees:
            return self._trees[frame]
        places: list[Place] = []
        for _ in range(2):
            try:
                async with asyncio.timeout(self._frame_limit):
                    if frame not in self._foreign:
                        self._foreign[frame] = await self.page.context.new_cdp_session(frame)
                    session = self._foreign[frame]
                    places = list(places_of(session, (await session.send("Page.getFrameTree"))["frameTree"]))
                break
            except (Error, TimeoutError):
                if self._foreign.pop(frame, None) is None:
                    break
        self._trees[frame] = places
        return places

    def _changed(self, frame: Frame) -> None:
        """A frame came, went or navigated: what is remembered of it and of those around it is old."""
        self._tree = []
        here: Frame | None = frame
        while here:
            self._trees.pop(here, None)
            here = here.parent_frame

    async def _open(self, place: Place) -> Document:
        context = await isolate(place)
        document = Document(await evaluate(place.session, context, bundle()), place.session, context)
        if place.session is self._main and not self._documents:
            self._documents = {place.at: document}
        self._documents[place.at] = document
        return document

    async def _evaluate(self, document: Document, code: str) -> Any:
        guarded = f"pilotfish.key === {json.dumps(document.key)} ? {code} : null"
        text = await evaluate(document.session, document.context, guarded)
        if text is None:
            raise Error("another document is in this place")
        return json.loads(text)


def first_line(error: Error) -> str:
    return error.message.splitlines()[0] if error.message else "no reason was given"

"""Our script inside a page: every frame has it in a world of its own, and answers with one JSON string.

The page cannot see that world and nothing is written into the page. A document is opened once and remembered until
it navigates; frames of other origins live in other processes and are reached through their own sessions.
"""

import asyncio
import json
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from playwright.async_api import CDPSession, Error, Frame, Page

from pilotfish.core.errors import ToolError

ORDER = ("frames", "role", "name", "fallback", "facts", "scan", "nodes", "spot", "text", "main")


class PageError(ToolError):
    """The page did not answer, or answered with nonsense."""


@dataclass(frozen=True, slots=True)
class Document:
    """One document that has our script. `key` names it for as long as it lives."""

    key: str
    session: CDPSession
    context: int
    frame: str
    loader: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What one document said."""

    key: str
    data: Any


@cache
def bundle() -> str:
    folder = Path(__file__).parent / "js"
    body = "\n".join((folder / f"{name}.js").read_text("utf-8") for name in ORDER)
    return f"(() => {{ if (globalThis.pilotfish) return pilotfish.key;\n{body}\n}})()"


class World:
    """The script's side of one page."""

    def __init__(self, page: Page, limit: float = 10.0, frame_limit: float = 3.0) -> None:
        self.page = page
        self._limit = limit
        self._frame_limit = frame_limit
        self._main: CDPSession | None = None
        self._foreign: dict[Frame, CDPSession] = {}
        self._local: dict[Frame, str] = {}
        self._documents: dict[tuple[str, str], Document] = {}

    async def call(self, method: str, *args: Any) -> list[Answer]:
        """Ask every document; the main one comes first and must answer, others are left out when they cannot."""
        code = f"pilotfish.call({json.dumps(method)}, {json.dumps(args)})"
        try:
            async with asyncio.timeout(self._limit):
                return await self._everywhere(code)
        except TimeoutError:
            raise PageError("The page does not answer; it may be busy or waiting for a dialog.") from None
        except Error as error:
            raise PageError(f"The page could not be read: {first_line(error)}") from error

    async def ask(self, key: str, method: str, *args: Any) -> Any:
        """Ask one document. A document that is gone raises LookupError."""
        return await self._one(key, f"pilotfish.call({json.dumps(method)}, {json.dumps(args)})")

    async def run(self, key: str, handle: int, function: str, *args: Any) -> Any:
        """Run a function `(el, ...args) => value` on an element of one document; the value travels as JSON."""
        said = await self._one(key, f"pilotfish.on({handle}, {function}, {json.dumps(args)})")
        if "e" in said:
            raise LookupError(handle)
        return said["v"]

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
            raise LookupError(key) from error

    async def _everywhere(self, code: str) -> list[Answer]:
        known = {at: asyncio.create_task(self._evaluate(doc, code)) for at, doc in self._documents.items()}
        try:
            places = await self._places()
            answers = await asyncio.gather(*(self._answer(place, known, code, not at) for at, place in enumerate(places)))
        finally:
            for task in known.values():
                task.cancel()
            await asyncio.gather(*known.values(), return_exceptions=True)
        return [answer for answer in answers if answer]

    async def _answer(
        self,
        place: tuple[CDPSession, str, str],
        known: dict[tuple[str, str], "asyncio.Task[Any]"],
        code: str,
        main: bool,
    ) -> Answer | None:
        session, frame, loader = place
        at = (frame, loader)
        for last in (False, True):
            try:
                async with asyncio.timeout(None if main else self._frame_limit):
                    if at in known and not last:
                        return Answer(self._documents[at].key, await known[at])
                    document = await self._open(session, frame, loader)
                    return Answer(document.key, await self._evaluate(document, code))
            except TimeoutError:
                return None
            except Error:
                if last and main:
                    raise
                if main:
                    session, frame, loader = (await self._places())[0]
                    at = (frame, loader)
        return None

    async def _places(self) -> list[tuple[CDPSession, str, str]]:
        """Every frame there is now, main first; forgets the documents that are gone."""
        if self._main is None:
            self._main = await self.page.context.new_cdp_session(self.page)
        places = list(frames_of(self._main, (await self._main.send("Page.getFrameTree"))["frameTree"]))
        if len(self.page.frames) > len(places):
            for session in await self._others():
                places += session
        alive = {(frame, loader) for _, frame, loader in places}
        self._documents = {at: document for at, document in self._documents.items() if at in alive}
        return places

    async def _others(self) -> list[list[tuple[CDPSession, str, str]]]:
        frames = self.page.frames[1:]
        self._foreign = {frame: session for frame, session in self._foreign.items() if frame in frames}
        self._local = {frame: url for frame, url in self._local.items() if frame in frames}
        return await asyncio.gather(*(self._other(frame) for frame in frames))

    async def _other(self, frame: Frame) -> list[tuple[CDPSession, str, str]]:
        if self._local.get(frame) == frame.url:
            return []
        for _ in range(2):
            try:
                if frame not in self._foreign:
                    self._foreign[frame] = await self.page.context.new_cdp_session(frame)
                session = self._foreign[frame]
                return list(frames_of(session, (await session.send("Page.getFrameTree"))["frameTree"]))
            except Error:
                if self._foreign.pop(frame, None) is None:
                    self._local[frame] = frame.url
                    return []
        return []

    async def _open(self, session: CDPSession, frame: str, loader: str) -> Document:
        made = await session.send("Page.createIsolatedWorld", {"frameId": frame, "worldName": "pilotfish"})
        context: int = made["executionContextId"]
        script = bundle().replace("KEY", json.dumps(secrets.token_hex(6)), 1)
        key: str = await evaluate(session, context, script)
        document = Document(key, session, context, frame, loader)
        self._documents[(frame, loader)] = document
        return document

    async def _evaluate(self, document: Document, code: str) -> Any:
        guarded = f"pilotfish.key === {json.dumps(document.key)} ? {code} : null"
        text = await evaluate(document.session, document.context, guarded)
        if text is None:
            raise Error("another document is in this place")
        return json.loads(text)


async def evaluate(session: CDPSession, context: int, expression: str) -> Any:
    said = await session.send(
        "Runtime.evaluate", {"expression": expression, "contextId": context, "returnByValue": True}
    )
    if "exceptionDetails" in said:
        details = said["exceptionDetails"]
        raise Error(details.get("exception", {}).get("description") or details["text"])
    return said["result"].get("value")


def frames_of(session: CDPSession, tree: dict[str, Any]) -> Iterator[tuple[CDPSession, str, str]]:
    yield session, tree["frame"]["id"], tree["frame"]["loaderId"]
    for child in tree.get("childFrames", ()):
        yield from frames_of(session, child)


def first_line(error: Error) -> str:
    return error.message.splitlines()[0] if error.message else "no reason was given"

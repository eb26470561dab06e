"""One tab: its page, its eyes, and what happens to it without being asked."""

import base64
import json
import math
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple
from urllib.parse import urlsplit

from pilotfish.browser.address import complete, explain
from pilotfish.browser.download import Intake
from pilotfish.browser.guard import Guard
from pilotfish.browser.veil import COLOUR, masks
from pilotfish.browser.wait import Activity, script
from pilotfish.core.errors import ToolError
from pilotfish.core.hands import Aim
from pilotfish.core.values import Value

if TYPE_CHECKING:
    from playwright.async_api import Dialog, Download, FileChooser, Page, Response, Route

    from pilotfish.browser.perceive import Counter, Eyes
    from pilotfish.browser.text import PageText
    from pilotfish.browser.view import View

MOMENT = 0.2
"""Seconds for which a look still shows the page as it is."""


class Notice(Value):
    """Something that happened beside what was asked for."""

    kind: Literal["dialog", "download", "tab", "crash", "blocked", "file", "status"]
    text: str
    tab: int = 0


@dataclass(frozen=True)
class Fence:
    """What the owner of a run decides: which requests may leave, who logs in where, whose files may be uploaded.

    With `proxy`, everything leaves through it and is judged there; `allow` is then for attached browsers only.
    """

    allow: Callable[[str], str | None] | None = None
    login: Callable[[str], tuple[str, str] | None] | None = None
    files: tuple[Path, ...] = ()
    proxy: str = ""


@dataclass(frozen=True)
class Desk:
    """What all tabs of a session share."""

    folder: Path
    fence: Fence
    limit: float
    counter: "Counter"
    note: Callable[[Notice], None]
    intake: Intake
    veiled: dict[str, set[str]] = field(default_factory=dict[str, set[str]])


class Seen(NamedTuple):
    """A look: at which document, when, and how much the page had begun by then."""

    view: "View | None"
    document: int
    at: float = -math.inf
    mark: int = 0


class Tab:
    """A page under a number. All calls to it go through its guard."""

    def __init__(self, number: int, page: "Page", desk: Desk, guard: Guard) -> None:
        self.number = number
        self.page = page
        self.desk = desk
        self.guard = guard
        self.activity = Activity(page)
        self._seen = Seen(None, 0)
        self.answer: str | None = None
        self.chooser: FileChooser | None = None
        self.aim: Aim | None = None
        self.watch: Callable[[Aim], None] | None = None
        self._eyes: Eyes | None = None
        self._listening = False
        page.on("crash", lambda _: guard.snap("The page crashed"))
        page.on("dialog", self._dialog)
        page.on("download", self._download)
        page.on("filechooser", self._choose)

    @property
    def url(self) -> str:
        return self.page.url

    @property
    def eyes(self) -> "Eyes":
        if self._eyes is None:
            from pilotfish.browser.perceive import Eyes

            self._eyes = Eyes(self.page, self.desk.counter)
        return self._eyes

    async def listen(self) -> None:
        """Begin, once, to hear what the page asks for."""
        if not self._listening:
            self._listening = True
            await self.guard.call(self.activity.listen(self.desk.intake), "opening a tab")

    async def look(self, budget: int = 2000, scope: int | None = None, find: str | None = None) -> "View":
        """What is on the page now."""
        view = await self.guard.call(self.eyes.look(budget, scope, find), "looking at the page")
        if scope is None and find is None:
            self._seen = Seen(view, self.activity.documents, time.monotonic(), self.activity.mark)
        return view

    async def glimpse(self) -> "View":
        """The look that an action ended with, if that was a moment ago and nothing has begun since; else a new one."""
        seen, view = self._seen, self.view
        recent = time.monotonic() - seen.at < MOMENT and seen.mark == self.activity.mark
        found = view if view and recent else await self.look()
        self._seen = self._seen._replace(at=-math.inf)
        return found

    @property
    def view(self) -> "View | None":
        """The last look at the document that is there now."""
        return self._seen.view if self._seen.document == self.activity.documents else None

    def point(self, point: tuple[float, float], box: tuple[float, float, float, float]) -> None:
        """Say what is about to be touched, also to who watches."""
        self.aim = Aim(tab=self.number, point=point, box=box)
        if self.watch is not None:
            self.watch(self.aim)

    async def text(self, selector: str | None = None) -> "PageText":
        """What the page says, as Markdown."""
        return await self.guard.call(self.eyes.text(selector), "reading the page")

    async def html(self, selector: str = "") -> str:
        """The markup, without what only machines read."""
        found = await self.guard.call(self.page.evaluate(script("html"), selector), "reading the page")
        if found is None:
            raise ToolError(f"Nothing on the page matches {selector!r}.")
        return str(found)

    async def picture(self, full: bool = False, form: Literal["jpeg", "png"] = "jpeg") -> bytes:
        """What the tab looks like, passwords covered."""
        shot = self.page.screenshot(
            type=form,
            quality=70 if form == "jpeg" else None,
            full_page=full,
            scale="css",
            animations="disabled",
            mask=masks(self.page, self.desk.veiled),
            mask_color=COLOUR,
        )
        return await self.guard.call(shot, "taking a picture", self.desk.limit * 2)

    async def veil(self, id: int, origin: str, value: str) -> None:
        """A secret is about to be typed here: let nobody see it, in this field or where the page repeats it."""
        self.desk.veiled.setdefault(origin, set()).add(value)
        await self.guard.call(self.eyes.run(id, script("veil")), f"typing into [{id}]")

    async def storage(self) -> tuple[str, list[tuple[str, str]]] | None:
        """What the page's origin keeps in the browser; nothing where the page cannot say it at once."""
        try:
            kept = await self.guard.call(self.page.evaluate(script("storage")), "saving the session", 1.0)
        except ToolError:
            return None
        return tuple(json.loads(kept)) if kept else None

    async def title(self) -> str:
        return await self.guard.call(self.page.title(), "reading the title")

    async def goto(self, url: str) -> None:
        """Open an address and wait until it can be read. A bad status is noted; the page is still there to read."""
        address = complete(url)
        outcome = await self._load(address)
        if isinstance(outcome, str) and "ERR_INVALID_AUTH" in outcome and await self._login(address):
            outcome = await self._load(address)
        if isinstance(outcome, str):
            raise ToolError(explain(outcome, address))
        if outcome is not None and outcome.status >= 400:
            text = f"{address[:200]} answered with status {outcome.status} {outcome.status_text}".strip() + "."
            self.desk.note(Notice(kind="status", text=text))

    async def _load(self, url: str) -> "Response | str | None":
        """The response, nothing where the address is a download, or what went wrong."""
        from playwright.async_api import Error

        async def load() -> "Response | str | None":
            try:
                return await self.page.goto(url, wait_until="domcontentloaded", timeout=self.desk.limit * 1000)
            except Error as error:
                told = str(error)
                if "has been closed" in told or "crashed" in told:
                    raise
                return None if "Download is starting" in told or "ERR_ABORTED" in told else told

        return await self.guard.call(load(), f"opening {url[:200]}", self.desk.limit + 1)

    async def _login(self, url: str) -> bool:
        """Sign requests to this origin, and only to it, when its owner gave a name and a password."""
        parts = urlsplit(url)
        origin = f"{parts.scheme}://{parts.netloc}"
        pair = self.desk.fence.login(origin) if self.desk.fence.login else None
        if pair is None:
            return False
        token = base64.b64encode(":".join(pair).encode()).decode()

        async def sign(route: "Route") -> None:
            await route.fallback(headers={**route.request.headers, "authorization": f"Basic {token}"})

        await self.page.context.route(re.compile(re.escape(origin) + "/"), sign)
        return True

    async def _dialog(self, dialog: "Dialog") -> None:
        """A dialog stops the page, so it is answered at once: as told beforehand, else in the way that does least."""
        from playwright.async_api import Error

        answer, self.answer = self.answer, None
        leaving = dialog.type in ("alert", "beforeunload")
        agree = leaving if answer is None else answer.lower() != "cancel"
        words = answer if dialog.type == "prompt" and answer and agree else ""
        try:
            await (dialog.accept(words) if agree else dialog.dismiss())
        except Error:
            return
        said = f'"{words}"' if words else "OK" if agree else "Cancel"
        hint = "" if leaving or answer is not None else '; to answer otherwise, do it again with answer="ok" or a text'
        told = f'The page showed a dialog ({dialog.type}): "{dialog.message}". It was answered with {said}{hint}.'
        self.desk.note(Notice(kind="dialog", text=told, tab=self.number))

    async def _download(self, download: "Download") -> None:
        with self.activity.busy(download):
            told = await self.desk.intake.take(download)
            self.desk.note(Notice(kind="download", text=told, tab=self.number))

    def _choose(self, chooser: "FileChooser") -> None:
        self.chooser = chooser
        self.activity.pulse()

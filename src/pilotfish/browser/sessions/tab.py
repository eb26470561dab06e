"""One tab: its page, its observer, and its dialogs, downloads and file pickers."""

import asyncio
import base64
import contextlib
import math
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple
from urllib.parse import urlsplit

from pydantic import TypeAdapter, ValidationError

from pilotfish.browser.sessions.addresses import complete_address, explain_failure
from pilotfish.browser.sessions.call_guard import CallGuard, Unresponsive
from pilotfish.browser.sessions.downloads import DownloadReceiver
from pilotfish.browser.sessions.held_request import AddressDoubts, RequestCheck
from pilotfish.browser.sessions.screenshot_masks import MASK_COLOUR, find_masks
from pilotfish.browser.sessions.waiting import (
    FILLING_TIMEOUT,
    PageActivity,
    read_action_script,
    wait_until_fetched,
    wait_until_filled,
)
from pilotfish.core.errors import ToolError
from pilotfish.core.gestures import PointerTarget
from pilotfish.core.given_pages import GIVEN_ORIGIN, RESPONSE_HEADERS, given_page, is_given
from pilotfish.core.values import Value

if TYPE_CHECKING:
    from playwright.async_api import Dialog, Download, FileChooser, FloatRect, Page, ProxySettings, Response, Route

    from pilotfish.browser.actions.input_gate import InputCheck, InputGate
    from pilotfish.browser.perception.observer import ElementIds, PageObserver
    from pilotfish.browser.perception.page_text import PageText
    from pilotfish.browser.perception.page_tools import PageToolReader
    from pilotfish.browser.perception.snapshot import Snapshot
    from pilotfish.core.page_tools import PageTool

STORAGE_ADAPTER: TypeAdapter[tuple[str, list[tuple[str, str]]]] = TypeAdapter(tuple[str, list[tuple[str, str]]])
RECENT_SECONDS = 0.2
TOOLS_TIMEOUT = 2.0
STILL_LOADING = "The page still shows that it is loading: wait, or look again."
SPARSE_LENGTH = 400
"""A page with fewer characters of text may be a frame that is not filled yet."""


class SessionNotice(Value):
    """An event that no action asked for: a dialog, a download, a new tab."""

    kind: Literal["dialog", "download", "tab", "crash", "blocked", "file", "status", "tools"]
    text: str
    tab: int = 0


@dataclass(frozen=True)
class SessionRules:
    """What the owner of a run decides: which requests may leave, who logs in where, whose files may be uploaded.

    With `proxy`, everything leaves through it and is judged there; `allow` is then for attached browsers only.
    `open_proxy` opens the proxy to a browser on another machine.
    `request` decides about each request that could change something before it leaves; a script's fetch or a picture
    is one if `doubts` says so of its address.
    """

    allow: Callable[[str], str | None] | None = None
    login: Callable[[str], tuple[str, str] | None] | None = None
    files: tuple[Path, ...] = ()
    proxy: str = ""
    open_proxy: Callable[[str], Awaitable[str]] | None = None
    request: RequestCheck | None = None
    doubts: AddressDoubts = field(default_factory=AddressDoubts)

    async def find_proxy(self, machine: str) -> "ProxySettings | None":
        """The proxy for a browser on a machine; empty means this one."""
        server = await self.open_proxy(machine) if machine and self.open_proxy else self.proxy
        return {"server": server} if server else None


@dataclass(frozen=True)
class SharedState:
    """What all tabs of a session share."""

    folder: Path
    rules: SessionRules
    limit: float
    element_ids: "ElementIds"
    note: Callable[[SessionNotice], None]
    intake: DownloadReceiver
    masked: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    touched: dict[str, float] = field(default_factory=dict[str, float])


class LastLook(NamedTuple):
    """The last snapshot: of which document, when, and the mark of the page's activity then."""

    snapshot: "Snapshot | None"
    document: int
    at: float = -math.inf
    mark: int = 0


class Tab:
    """A page under a number. All calls to it go through its guard."""

    def __init__(self, number: int, page: "Page", shared: SharedState, guard: CallGuard) -> None:
        self.number = number
        self.page = page
        self.shared = shared
        self.guard = guard
        self.activity = PageActivity(page)
        guard.is_holding = lambda: self.activity.is_holding
        self._seen = self._uncovered = LastLook(None, 0)
        self.inputs = self._awaited = 0
        self.last_input = -math.inf
        self.driver: Literal["agent", "person"] = "agent"
        self.answer: str | None = None
        self.chooser: FileChooser | None = None
        self.pointer: PointerTarget | None = None
        self.check: InputCheck | None = None
        self.watch: Callable[[PointerTarget], None] | None = None
        self._observer: PageObserver | None = None
        self._page_tools: PageToolReader | None = None
        self._listening, self._sparse_in = False, -1
        self.bad_status: dict[str, str] = {}
        page.on("crash", lambda _: guard.break_calls("The page crashed"))
        page.on("dialog", self._dialog)
        page.on("download", self._download)
        page.on("filechooser", self._choose)

    @property
    def url(self) -> str:
        return self.page.url

    @property
    def observer(self) -> "PageObserver":
        if self._observer is None:
            from pilotfish.browser.perception.observer import PageObserver

            self._observer = PageObserver(self.page, self.shared.element_ids)
        return self._observer

    def count_input(self) -> None:
        """Count an input of the agent: what pages of its host send from now on may be caused by it."""
        self.inputs += 1
        self.activity.timed_requests.count_input()
        self.last_input = self.shared.touched[self.host] = time.monotonic()

    def count_scroll(self) -> None:
        """Count a scroll of the agent: from now on requests with strong effects are judged, mild ones are not."""
        self.shared.touched.setdefault("", time.monotonic())

    @property
    def host(self) -> str:
        return urlsplit(self.url).netloc

    @property
    def touched(self) -> Mapping[str, float]:
        """When the agent last touched a page of each host, in any tab."""
        return self.shared.touched

    @cached_property
    def input(self) -> "InputGate":
        from pilotfish.browser.actions.input_gate import InputGate

        return InputGate(self)

    @property
    def page_tools(self) -> "PageToolReader":
        """The tools that the page offers."""
        if self._page_tools is None:
            from pilotfish.browser.perception.page_tools import PageToolReader

            self._page_tools = PageToolReader(self.page, self.observer.world)
        return self._page_tools

    async def listen(self, *, tools: bool = False) -> None:
        """Begin, once, to track the documents, windows and downloads of the page, and the tools that it offers."""
        if not self._listening:
            self._listening = True
            await self.guard.call(self.activity.listen(self.shared.intake), "opening a tab")
            if tools:
                await self.guard.call(self.page_tools.listen(), "opening a tab")

    async def look(
        self, budget: int = 2000, scope: int | None = None, find: str | None = None, behind: bool = False
    ) -> "Snapshot":
        """Take a snapshot of the page; with `behind` also of what an open dialog covers.

        A page that shows nothing yet, or only a splash, is waited for; not again while it stays so.
        """

        async def take() -> "Snapshot":
            return await self.guard.call(self.observer.look(budget, scope, find, behind), "looking at the page")

        view = await take()
        if scope is None and find is None:
            if view.is_sparse and self._sparse_in != self.activity.documents:
                filled = await wait_until_filled(self, self.shared.limit if view.is_empty else FILLING_TIMEOUT)
                view = (await take()).with_note("" if filled else STILL_LOADING)
            self._sparse_in = self.activity.documents if view.is_sparse else -1
            self._seen = LastLook(view, self.activity.documents, time.monotonic(), self.activity.mark)
            self._uncovered = self._uncovered if view.is_covered else self._seen
        return view

    async def tools(self, *, asked: bool = False) -> "tuple[PageTool, ...]":
        """The tools that the page offers now; none where it does not answer. `asked`: see `ask_tools`."""
        try:
            return await self.guard.call(
                self.page_tools.look(asked=asked), "looking at the page's tools", TOOLS_TIMEOUT
            )
        except Unresponsive:
            return ()

    async def ask_tools(self) -> None:
        """Have the page tell its tools, while it is looked at: the way to it may be long."""
        with contextlib.suppress(Unresponsive):
            await self.guard.call(self.page_tools.ask(), "looking at the page's tools", TOOLS_TIMEOUT)

    async def recent_snapshot(self) -> "Snapshot":
        """The last action's snapshot, if it is recent and nothing has begun since; else a new one."""
        seen, view = self._seen, self.last_snapshot
        recent = time.monotonic() - seen.at < RECENT_SECONDS and seen.mark == self.activity.mark
        found = view if view and recent else await self.look()
        self._seen = self._seen._replace(at=-math.inf)
        return found

    @property
    def last_snapshot(self) -> "Snapshot | None":
        """The last snapshot of the present document."""
        return self._seen.snapshot if self._seen.document == self.activity.documents else None

    @property
    def uncovered_snapshot(self) -> "Snapshot | None":
        """The last snapshot of this document on which nothing covered the page."""
        return self._uncovered.snapshot if self._uncovered.document == self.activity.documents else None

    def announce_pointer(self, point: tuple[float, float], box: tuple[float, float, float, float]) -> None:
        """Show viewers of the live view what is about to be touched."""
        self.pointer = PointerTarget(tab=self.number, point=point, box=box)
        if self.watch is not None:
            self.watch(self.pointer)

    async def text(self, selector: str | None = None) -> "PageText":
        """The page's text as Markdown, once it no longer shows that it is loading. A page with little text that still
        waits for answers is read again when they have come, once for each document."""
        await wait_until_filled(self)
        page = await self.guard.call(self.observer.text(selector), "reading the page")
        sparse = len(page.text) < SPARSE_LENGTH and self._awaited != self.activity.documents
        if sparse and self.activity.has_pending(0):
            self._awaited = self.activity.documents
            await wait_until_fetched(self)
            page = await self.guard.call(self.observer.text(selector), "reading the page")
        return page

    async def html(self, selector: str = "") -> str:
        """The HTML without scripts and styles."""
        return await self.guard.call(self.observer.markup(selector), "reading the page")

    async def picture(
        self, full: bool = False, form: Literal["jpeg", "png"] = "jpeg", part: "FloatRect | None" = None
    ) -> bytes:
        """A screenshot, passwords covered: of the screen, a part of it, or the whole page (which notices)."""
        if full:
            self.count_scroll()
        shot = self.page.screenshot(
            type=form,
            quality=70 if form == "jpeg" else None,
            full_page=full,
            clip=part,
            scale="css",
            animations="disabled",
            mask=find_masks(self.page, self.shared.masked),
            mask_color=MASK_COLOUR,
        )
        return await self.guard.call(shot, "taking a picture", self.shared.limit * 2)

    async def mask_secret(self, id: int, origin: str, value: str) -> None:
        """Cover a secret in screenshots before it is typed, in this field and wherever the page repeats it."""
        self.shared.masked.setdefault(origin, set()).add(value)
        await self.guard.call(self.observer.run(id, read_action_script("mask_field")), f"typing into [{id}]")

    async def storage(self) -> tuple[str, list[tuple[str, str]]] | None:
        """The local storage of the page's origin; None if the page does not answer at once."""
        try:
            kept = await self.guard.call(
                self.page.evaluate(read_action_script("read_storage")), "saving the session", 1.0
            )
        except ToolError:
            return None
        try:
            return STORAGE_ADAPTER.validate_json(kept) if kept else None
        except ValidationError:
            return None

    async def title(self) -> str:
        return await self.guard.call(self.page.title(), "reading the title")

    async def goto(self, url: str) -> None:
        """Open an address and wait until it can be read. A bad status is noted; the page is still there to read."""
        address = complete_address(url)
        if is_given(address) and not self.shared.rules.proxy:
            await self._serve_given()
        outcome = await self._load(address)
        if isinstance(outcome, str) and "ERR_INVALID_AUTH" in outcome and await self._login(address):
            outcome = await self._load(address)
        if isinstance(outcome, str):
            raise ToolError(explain_failure(outcome, address))
        if outcome is not None and outcome.status >= 400:
            text = f"{address[:200]} answered with status {outcome.status} {outcome.status_text}".strip() + "."
            self.shared.note(SessionNotice(kind="status", text=text))
            self.bad_status = {self.page.url: text}

    async def _load(self, url: str) -> "Response | str | None":
        """The response, None if the address is a download, or the error."""
        from playwright.async_api import Error

        async def load() -> "Response | str | None":
            try:
                return await self.page.goto(url, wait_until="domcontentloaded", timeout=0)
            except Error as error:
                text = str(error)
                if "has been closed" in text or "crashed" in text:
                    raise
                return None if "Download is starting" in text or "ERR_ABORTED" in text else text

        try:
            return await self.guard.call(load(), f"opening {url[:200]}", self.shared.limit)
        except Unresponsive:
            return "Timeout"

    async def _login(self, url: str) -> bool:
        """Add HTTP authentication to requests to this origin only, if the run has a name and password for it."""
        parts = urlsplit(url)
        origin = f"{parts.scheme}://{parts.netloc}"
        pair = self.shared.rules.login(origin) if self.shared.rules.login else None
        if pair is None:
            return False
        token = base64.b64encode(":".join(pair).encode()).decode()

        async def sign(route: "Route") -> None:
            await route.fallback(headers={**route.request.headers, "authorization": f"Basic {token}"})

        await self.page.context.route(re.compile(re.escape(origin) + "/"), sign)
        return True

    async def _serve_given(self) -> None:
        """Serve the given files' origin, if there is no proxy that does."""

        async def answer(route: "Route") -> None:
            page = await asyncio.to_thread(given_page, self.shared.folder, route.request.url)
            await route.fulfill(status=200 if page is not None else 404, headers=RESPONSE_HEADERS, body=page or b"")

        await self.page.unroute(f"{GIVEN_ORIGIN}**")
        await self.page.route(f"{GIVEN_ORIGIN}**", answer)

    async def _dialog(self, dialog: "Dialog") -> None:
        """Answer a dialog at once, since it blocks the page: with the action's answer, else with the least effect."""
        from playwright.async_api import Error

        answer, self.answer = self.answer, None
        leaving = dialog.type in ("alert", "beforeunload")
        agree = leaving if answer is None else answer.lower() != "cancel"
        refusal = await self._refusal(dialog.message) if agree and not leaving else ""
        agree = agree and not refusal
        words = answer if dialog.type == "prompt" and answer and agree else ""
        try:
            await (dialog.accept(words) if agree else dialog.dismiss())
        except Error:
            return
        said = f'"{words}"' if words else "OK" if agree else "Cancel"
        hint = (
            f": {refusal}"
            if refusal
            else ""
            if leaving or answer is not None
            else '; to answer otherwise, do it again with answer="ok" or a text'
        )
        text = f'The page showed a dialog ({dialog.type}): "{dialog.message}". It was answered with {said}{hint}.'
        self.shared.note(SessionNotice(kind="dialog", text=text, tab=self.number))

    async def _refusal(self, message: str) -> str:
        """Why the current action may not confirm a dialog; empty if it may."""
        from pilotfish.core.policy import InputEvent

        return (await self.check(InputEvent(kind="dialog", text=message))).refusal if self.check else ""

    async def _download(self, download: "Download") -> None:
        with self.activity.count_as_pending(download):
            text = await self.shared.intake.receive(download)
            self.shared.note(SessionNotice(kind="download", text=text, tab=self.number))

    def _choose(self, chooser: "FileChooser") -> None:
        self.chooser = chooser
        self.activity.pulse()

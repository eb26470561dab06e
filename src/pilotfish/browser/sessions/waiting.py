"""Tracks what a page is doing, and waits until an action is over: navigation, its requests, changes of the DOM."""

import asyncio
import contextlib
import functools
import time
from collections import deque
from collections.abc import Generator
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Protocol

from pilotfish.browser.sessions.call_guard import BrowserGone, CallGuard, Unresponsive
from pilotfish.browser.sessions.timed_requests import TimedRequests
from pilotfish.core.errors import ToolError

if TYPE_CHECKING:
    from playwright.async_api import Frame, Page, Request

    from pilotfish.browser.sessions.downloads import DownloadReceiver

TIMED_TYPES = frozenset({"xhr", "fetch"})
AWAITED_TYPES = frozenset({"document", "xhr", "fetch", "script", "stylesheet"})
QUIET_MILLISECONDS = 40
"""Milliseconds without a change of the DOM that count as quiet."""
MENU_MILLISECONDS = 400
REACTION_MILLISECONDS, LONGEST_REACTION = 550, 1500
"""Milliseconds in which a page may begin to react to typing, and the longest wait for the end of that."""
DRAW_MILLISECONDS = 300
"""Milliseconds in which a page may draw what an action made it fetch, where nothing has changed so far."""
LONGEST_CHANGE = 500
"""Milliseconds after which a DOM that keeps changing is accepted as it is."""
REQUESTS_TIMEOUT = 3.0
LOADING_TIMEOUT = 2.0
"""Seconds that a document may go on loading pictures and scripts after it can be read."""

FILLING_TIMEOUT = 6.0
"""Seconds that a page may show a spinner or "Loading…" before it is read as it is."""

DECISION_SECONDS = 0.25
"""A request that is held longer than this waits for a person."""
MOST_LEFT_ADDRESSES = 50
"""Addresses that a tab remembers of where it was before."""
EXPECTED_SECONDS = 2.0
"""Seconds for a window or document that was asked for to begin."""


@dataclass(frozen=True, eq=False)
class PendingDocument:
    """A document or window that the page asked for and that has not begun."""

    kind: str


class HistoryStep:
    """A reload or a move in the history by the agent, until the document that it leads to has arrived."""

    def __init__(self) -> None:
        self.refused = ""
        """The address of a form that it would have sent again."""


class PageActivity:
    """The activity of a page: its requests in flight with their start, and how often it navigated."""

    def __init__(self, page: "Page") -> None:
        self.page = page
        self.visits = 0
        self.documents = 0
        self.answered = 0
        """How many requests have ended, without those that the page repeats by a timer."""
        self._count = self._requested = 0
        self._flying: dict[object, int] = {}
        self._waiting: dict[object, float] = {}
        self.timed_requests = TimedRequests()
        self.target, self.context = "", ""
        self.arrived = 0.0
        self.step: HistoryStep | None = None
        self.left: deque[str] = deque(maxlen=MOST_LEFT_ADDRESSES)
        self._address = ""
        self._news = asyncio.Event()
        page.on("request", self._on_request)
        page.on("requestfinished", self._on_request_end)
        page.on("requestfailed", self._on_request_end)
        page.on("framenavigated", self._on_navigation)
        page.on("domcontentloaded", self._on_loaded)

    @property
    def mark(self) -> int:
        """A mark: what begins after it can be asked for later."""
        return self._count

    def has_pending(self, since: int) -> bool:
        """Whether something that began after the mark is unfinished."""
        return any(number > since for number in self._flying.values())

    def has_requested(self, since: int) -> bool:
        """Whether the page sent a request after the mark, without those that it repeats by a timer."""
        return self._requested > since

    def is_leaving(self, since: int) -> bool:
        """Whether a document for the main frame is on its way."""
        from playwright.async_api import Request

        return any(
            number > since and isinstance(thing, Request) and self._main(thing)
            for thing, number in self._flying.items()
        )

    @contextlib.contextmanager
    def count_as_pending(self, thing: object) -> Generator[None]:
        """Count something else, such as a download, as pending within the block."""
        self._count += 1
        self._flying[thing] = self._count
        try:
            yield
        finally:
            self._flying.pop(thing, None)
            self.pulse()

    @contextlib.contextmanager
    def count_waiting(self) -> Generator[None]:
        """Count a request as waiting for a decision within the block."""
        request = object()
        self._waiting[request] = time.monotonic()
        pulse = asyncio.get_running_loop().call_later(DECISION_SECONDS, self.pulse)
        try:
            yield
        finally:
            pulse.cancel()
            del self._waiting[request]
            self.pulse()

    @contextlib.contextmanager
    def track_move(self) -> Generator[HistoryStep]:
        """Reload or move in the history within the block. Until a document arrives no form is sent again."""
        self.step = step = HistoryStep()
        try:
            yield step
        finally:
            self.step = None

    @property
    def is_holding(self) -> bool:
        """Whether a request waits longer than a decision without a person takes."""
        return any(time.monotonic() - since >= DECISION_SECONDS for since in self._waiting.values())

    async def listen(self, intake: "DownloadReceiver") -> None:
        """Track documents, windows and downloads from the moment they are asked for, before their request is sent."""
        session = await self.page.context.new_cdp_session(self.page)
        session.on("Page.downloadWillBegin", intake.note_download_start)
        session.on("Page.downloadProgress", intake.stop_large_download)
        session.on("Page.windowOpen", self._on_window)
        session.on("Page.frameRequestedNavigation", self._on_document_asked)
        session.on("Page.frameNavigated", self._on_committed)
        await session.send("Page.enable")
        info = (await session.send("Target.getTargetInfo"))["targetInfo"]
        self.target, self.context = info["targetId"], info.get("browserContextId", "")

    def note_arrival(self, kind: str) -> bool:
        """Note that a document or window arrived; return whether one had been asked for."""
        asked = [thing for thing in self._flying if isinstance(thing, PendingDocument) and thing.kind == kind]
        for thing in asked:
            del self._flying[thing]
        self.pulse()
        return bool(asked)

    def pulse(self) -> None:
        self._news.set()

    async def wait_for_change(self, seconds: float) -> None:
        """Wait until anything begins or ends, or the time is over."""
        self._news.clear()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._news.wait(), max(0.0, seconds))

    def _on_committed(self, event: dict[str, Any]) -> None:
        """Note another document in the tab; navigation within a document has another event."""
        if not event["frame"].get("parentId"):
            self.arrived = time.monotonic()
            self.step = None

    def _on_window(self, _: object) -> None:
        self._expect(PendingDocument("window"))

    def _on_document_asked(self, event: dict[str, str]) -> None:
        if event.get("disposition") == "currentTab":
            self._expect(PendingDocument("document"))

    def _expect(self, asked: "PendingDocument") -> None:
        self._count += 1
        self._flying[asked] = self._count
        asyncio.get_running_loop().call_later(EXPECTED_SECONDS, self._flying.pop, asked, None)
        self.pulse()

    def _on_request(self, request: "Request") -> None:
        if request.is_navigation_request():
            self.note_arrival("document")
        if request.resource_type in AWAITED_TYPES:
            self._count += 1
            timed = request.resource_type in TIMED_TYPES and self.timed_requests.is_timed(request.method, request.url)
            self._flying[request] = 0 if timed else self._count
            if not timed:
                self._requested = self._count
            self.pulse()

    def _on_request_end(self, request: "Request") -> None:
        if (number := self._flying.pop(request, None)) is not None:
            self.answered += number > 0
            self.pulse()

    def _on_navigation(self, frame: "Frame") -> None:
        if frame == self.page.main_frame:
            self.visits += 1
            self.left.append(self._address)
            self._address = frame.url.partition("#")[0]
            self.note_arrival("document")

    def _on_loaded(self, _: "Page") -> None:
        self.documents += 1
        self.pulse()

    def _main(self, request: "Request") -> bool:
        from playwright.async_api import Error

        try:
            return request.is_navigation_request() and request.frame == self.page.main_frame
        except Error:
            return False


class WaitedTab(Protocol):
    """What waiting needs of a tab."""

    @property
    def page(self) -> "Page": ...

    @property
    def guard(self) -> CallGuard: ...

    @property
    def activity(self) -> PageActivity: ...


async def wait_until_settled(tab: WaitedTab, since: int, visits: int) -> None:
    """Wait until what an action caused is over: navigation, requests, changes of the DOM. Each wait has a limit.

    A request that is held for a person's answer is waited for as long as the question stands. What ended while the DOM
    was quiet may be drawn only now, so the DOM has to be quiet once more.
    """
    activity, clock = tab.activity, asyncio.get_running_loop().time
    patience, answered = clock() + REQUESTS_TIMEOUT, activity.answered
    await wait_until_quiet(tab)
    while (
        activity.visits > visits or activity.answered > answered or activity.has_pending(since) or activity.is_holding
    ):
        answered = activity.answered
        if activity.is_leaving(since):
            await wait_for_arrival(tab, since)
        if activity.visits > visits:
            visits = activity.visits
            await wait_until_loaded(tab)
        elif activity.is_holding:
            await activity.wait_for_change(1.0)
            patience = clock() + REQUESTS_TIMEOUT
        elif clock() >= patience:
            break
        elif activity.has_pending(since):
            await activity.wait_for_change(patience - clock())
        await wait_until_quiet(tab)


async def wait_for_arrival(tab: WaitedTab, since: int) -> None:
    """Wait until the requested document has arrived or failed, or the call limit is over."""
    clock = asyncio.get_running_loop().time
    deadline, visits = clock() + tab.guard.seconds, tab.activity.visits
    while tab.activity.is_leaving(since) and tab.activity.visits == visits and clock() < deadline:
        if tab.activity.is_holding:
            return
        await tab.activity.wait_for_change(min(1.0, deadline - clock()))


async def wait_until_loaded(tab: WaitedTab) -> None:
    """Wait until the document can be read, then a little for its resources."""
    from playwright.async_api import Error

    await tab.guard.call(tab.page.wait_for_load_state("domcontentloaded"), "waiting for the page")
    with contextlib.suppress(Error, Unresponsive):
        await tab.page.wait_for_load_state("load", timeout=LOADING_TIMEOUT * 1000)


@functools.cache
def read_action_script(name: str) -> str:
    """Read a script of js/actions, to be evaluated in a page."""
    text = (files("pilotfish.browser") / "js" / "actions" / f"{name}.js").read_text("utf-8")
    return text.rstrip().removesuffix(";")


async def wait_until_quiet(tab: WaitedTab, still: int = QUIET_MILLISECONDS) -> None:
    """Wait until the DOM has not changed for so many milliseconds and short animations are over."""
    from playwright.async_api import Error

    with contextlib.suppress(Error):
        await tab.guard.call(_wait_until_still(tab, still), "waiting for the page to come to rest")


async def _wait_until_still(tab: WaitedTab, still: int) -> None:
    from playwright.async_api import Error

    with contextlib.suppress(Error, TimeoutError):
        # By way of the driver, whose answer comes after what it told of the page's requests and windows meanwhile.
        work = tab.page.evaluate(read_action_script("wait_until_still"), [still, LONGEST_CHANGE])
        await asyncio.wait_for(work, LONGEST_CHANGE / 1000 + 1)


async def wait_until_filled(tab: WaitedTab, seconds: float = FILLING_TIMEOUT) -> bool:
    """Wait until the page no longer shows that it is loading; false when the time was over first, or it is unknown.

    A page that went elsewhere meanwhile is asked once more.
    """
    clock = asyncio.get_running_loop().time
    deadline = clock() + seconds
    for _ in range(2):
        left = max(0.1, deadline - clock())
        asked = tab.page.evaluate(read_action_script("wait_until_filled"), [QUIET_MILLISECONDS, round(left * 1000)])
        try:
            return bool(await tab.guard.call(asked, "waiting for the page to fill", left + 1))
        except BrowserGone:
            raise
        except ToolError:
            await wait_until_loaded(tab)
    return False


async def wait_until_fetched(tab: WaitedTab, seconds: float = FILLING_TIMEOUT) -> None:
    """Wait until what the page asks for has come and is drawn, or the time is over."""
    clock = asyncio.get_running_loop().time
    deadline = clock() + seconds
    while tab.activity.has_pending(0) and (left := deadline - clock()) > 0:
        await tab.activity.wait_for_change(left)
        await wait_until_quiet(tab)


async def wait_until_answered(tab: WaitedTab, patience: int = REACTION_MILLISECONDS) -> None:
    """Wait until the page has reacted to what was typed or asked for, or did not react in time."""
    from playwright.async_api import Error

    async def answer() -> None:
        with contextlib.suppress(Error, TimeoutError):
            work = tab.page.evaluate(
                read_action_script("wait_for_answer"), [patience, QUIET_MILLISECONDS, LONGEST_REACTION]
            )
            await asyncio.wait_for(work, LONGEST_REACTION / 1000 + 1)

    await tab.guard.call(answer(), "waiting for the page to answer")


async def wait_until_idle(tab: WaitedTab, seconds: float, calm: float = 0.5) -> bool:
    """Wait until no request has been in flight for a moment; return false if the time was over first."""
    clock = asyncio.get_running_loop().time
    deadline = clock() + seconds
    while (left := deadline - clock()) > 0:
        if tab.activity.has_pending(0):
            await tab.activity.wait_for_change(left)
            continue
        mark = tab.activity.mark
        await tab.activity.wait_for_change(min(calm, left))
        if tab.activity.mark == mark and not tab.activity.has_pending(0):
            return True
    return False

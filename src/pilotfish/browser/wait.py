"""Waiting for events, never for time: is a document on its way, are the action's requests done, is the DOM quiet?"""

import asyncio
import contextlib
import functools
from collections.abc import Generator
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING

from pilotfish.browser.guard import Unresponsive

if TYPE_CHECKING:
    from playwright.async_api import Frame, Page, Request

    from pilotfish.browser.download import Intake
    from pilotfish.browser.tab import Tab

COUNTED = frozenset({"document", "xhr", "fetch", "script", "stylesheet"})
QUIET = 40
"""Milliseconds without a change of the DOM that count as quiet."""
HESITATION = 400
"""Milliseconds in which menus open under a mouse that rests on them, and fields offer what fits the words typed."""
STIR = 500
"""Milliseconds after which a DOM that never rests is taken as it is."""
REQUESTS = 3.0
"""Seconds that an action's own requests may take before we look anyway."""
LOADING = 2.0
"""Seconds that a document may go on loading pictures and scripts after it can be read."""


ASKED = 2.0
"""Seconds for a window or document that was asked for to begin."""


@dataclass(frozen=True, eq=False)
class Asked:
    """A document or window that the page asked for and that has not begun."""

    kind: str


class Activity:
    """What a page is doing: which requests are in flight since when, how often it went elsewhere."""

    def __init__(self, page: "Page") -> None:
        self.page = page
        self.visits = 0
        self.documents = 0
        self._count = 0
        self._flying: dict[object, int] = {}
        self._news = asyncio.Event()
        page.on("request", self._request)
        page.on("requestfinished", self._ended)
        page.on("requestfailed", self._ended)
        page.on("framenavigated", self._navigated)
        page.on("domcontentloaded", self._opened)

    @property
    def mark(self) -> int:
        """A point in time, to ask later what began after it."""
        return self._count

    def flying(self, since: int) -> bool:
        """Whether something that began after the mark is still under way."""
        return any(number > since for number in self._flying.values())

    def leaving(self, since: int) -> bool:
        """Whether a document for the main frame is on its way."""
        from playwright.async_api import Request

        return any(
            number > since and isinstance(thing, Request) and self._main(thing)
            for thing, number in self._flying.items()
        )

    @contextlib.contextmanager
    def busy(self, thing: object) -> Generator[None]:
        """Count something else, such as a download, as under way."""
        self._count += 1
        self._flying[thing] = self._count
        try:
            yield
        finally:
            self._flying.pop(thing, None)
            self.pulse()

    async def listen(self, intake: "Intake") -> None:
        """Hear at once, not only when its request leaves, that a document, window or download was asked for."""
        session = await self.page.context.new_cdp_session(self.page)
        session.on("Page.downloadWillBegin", intake.begun)
        session.on("Page.downloadProgress", intake.progressed)
        session.on("Page.windowOpen", self._window)
        session.on("Page.frameRequestedNavigation", self._asked)
        await session.send("Page.enable")

    def met(self, kind: str) -> bool:
        """A document or window is there; says whether one had been asked for."""
        asked = [thing for thing in self._flying if isinstance(thing, Asked) and thing.kind == kind]
        for thing in asked:
            del self._flying[thing]
        self.pulse()
        return bool(asked)

    def pulse(self) -> None:
        self._news.set()

    async def news(self, seconds: float) -> None:
        """Until anything begins or ends, or the time is up."""
        self._news.clear()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._news.wait(), max(0.0, seconds))

    def _window(self, _: object) -> None:
        self._expect(Asked("window"))

    def _asked(self, event: dict[str, str]) -> None:
        if event.get("disposition") == "currentTab":
            self._expect(Asked("document"))

    def _expect(self, asked: "Asked") -> None:
        self._count += 1
        self._flying[asked] = self._count
        asyncio.get_running_loop().call_later(ASKED, self._flying.pop, asked, None)
        self.pulse()

    def _request(self, request: "Request") -> None:
        if request.is_navigation_request():
            self.met("document")
        if request.resource_type in COUNTED:
            self._count += 1
            self._flying[request] = self._count
            self.pulse()

    def _ended(self, request: "Request") -> None:
        if self._flying.pop(request, None) is not None:
            self.pulse()

    def _navigated(self, frame: "Frame") -> None:
        if frame == self.page.main_frame:
            self.visits += 1
            self.met("document")

    def _opened(self, _: "Page") -> None:
        self.documents += 1
        self.pulse()

    def _main(self, request: "Request") -> bool:
        from playwright.async_api import Error

        try:
            return request.is_navigation_request() and request.frame == self.page.main_frame
        except Error:
            return False


async def settle(tab: "Tab", since: int, visits: int) -> None:
    """Until what an action started has come to rest: navigation, its requests, the DOM. Bounded at every turn."""
    activity, clock = tab.activity, asyncio.get_running_loop().time
    patience = clock() + REQUESTS
    await quiet(tab)
    while activity.visits > visits or activity.flying(since):
        if activity.leaving(since):
            await arrive(tab, since)
        if activity.visits > visits:
            visits = activity.visits
            await load(tab)
        elif clock() >= patience:
            break
        elif activity.flying(since):
            await activity.news(patience - clock())
        await quiet(tab)


async def arrive(tab: "Tab", since: int) -> None:
    """Until the document on its way is there, or failed, or the call limit is over."""
    clock = asyncio.get_running_loop().time
    deadline, visits = clock() + tab.desk.limit, tab.activity.visits
    while tab.activity.leaving(since) and tab.activity.visits == visits and clock() < deadline:
        await tab.activity.news(min(1.0, deadline - clock()))


async def load(tab: "Tab") -> None:
    """Until the document can be read; then a little for what belongs to it."""
    from playwright.async_api import Error

    await tab.guard.call(tab.page.wait_for_load_state("domcontentloaded"), "waiting for the page")
    with contextlib.suppress(Error, Unresponsive):
        await tab.page.wait_for_load_state("load", timeout=LOADING * 1000)


@functools.cache
def script(name: str) -> str:
    """One of the hands' page scripts."""
    text = (files("pilotfish.browser") / "js" / "hands" / f"{name}.js").read_text("utf-8")
    return text.rstrip().removesuffix(";")


async def quiet(tab: "Tab", still: int = QUIET) -> None:
    """Until the DOM has been still for so many milliseconds and short animations are over."""
    from playwright.async_api import Error

    with contextlib.suppress(Error):
        await tab.guard.call(_rest(tab, still), "waiting for the page to come to rest")


async def _rest(tab: "Tab", still: int) -> None:
    from playwright.async_api import Error

    with contextlib.suppress(Error, TimeoutError):
        await asyncio.wait_for(tab.page.evaluate(script("still"), [still, STIR]), STIR / 1000 + 1)


async def idle(tab: "Tab", seconds: float, calm: float = 0.5) -> bool:
    """Until nothing has been in flight for a moment; false when the time was over first."""
    clock = asyncio.get_running_loop().time
    deadline = clock() + seconds
    while (left := deadline - clock()) > 0:
        if tab.activity.flying(0):
            await tab.activity.news(left)
            continue
        mark = tab.activity.mark
        await tab.activity.news(min(calm, left))
        if tab.activity.mark == mark and not tab.activity.flying(0):
            return True
    return False

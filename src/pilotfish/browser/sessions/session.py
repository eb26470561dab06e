"""A browser session: an isolated context, tabs with fixed numbers, and a state that can be saved."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast
from urllib.parse import urlsplit

from pydantic import Field

from pilotfish.browser.actions.keys import ClipboardText
from pilotfish.browser.sessions.call_guard import CallGuard
from pilotfish.browser.sessions.downloads import DownloadReceiver
from pilotfish.browser.sessions.request_filter import RequestFilter
from pilotfish.browser.sessions.request_owner import RequestOwner
from pilotfish.browser.sessions.session_browser import SessionBrowser
from pilotfish.browser.sessions.session_storage import HostTest, change_cookies, clear_storages, read_storages
from pilotfish.browser.sessions.tab import SessionNotice, SessionRules, SharedState, Tab
from pilotfish.core.errors import BrowserError, ToolError
from pilotfish.core.settings import BrowserSettings
from pilotfish.core.values import Value

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Page, Route

__all__ = ["BrowserSession", "SavedSession", "SessionNotice", "SessionRules"]
MOST_POPUPS = 10
"""Tabs that pages may open by themselves in one run."""
RETURN_MILLISECONDS = 2000
"""Milliseconds for a tab of the person's browser that was let go to be given again."""
TAB_GONE = "The tab was closed or taken back, or it shows a page that Chrome keeps to itself."


class SavedSession(Value):
    """A saved session: addresses of the tabs by number, the active one, element ids, cookies and storage."""

    tabs: Mapping[int, str] = Field(default_factory=dict)
    active: int = 0
    next: int = 1
    ids: int = 0
    state: Mapping[str, Any] = Field(default_factory=dict)


class BrowserSession:
    """The tabs of one conversation. If the browser dies, the next use opens them again in a new one."""

    def __init__(
        self,
        engine: Callable[[], Awaitable[SessionBrowser]],
        settings: BrowserSettings,
        folder: Path,
        rules: SessionRules,
        saved: SavedSession | None = None,
    ) -> None:
        from pilotfish.browser.perception.observer import ElementIds

        self.settings = settings
        self.tabs: dict[int, Tab] = {}
        self.active = 0
        self.notices: list[SessionNotice] = []
        self.clipboard = ClipboardText()
        self._saved = saved or SavedSession()
        self.shared = SharedState(
            folder,
            rules,
            settings.timeout,
            ElementIds(self._saved.ids),
            self.notices.append,
            DownloadReceiver(folder, settings),
        )
        self._next = self._saved.next
        self._source = engine
        self._engine: SessionBrowser | None = None
        self._context: BrowserContext | None = None
        self._lock = asyncio.Lock()
        self._own: set[Page] = set()
        self.popups: set[Page] = set()
        self._before: dict[int, int] = {}
        self._opening = False
        self._was_given_tabs = False
        check = self.shared.rules.request
        self.owner = RequestOwner(check, self.tabs, rules.doubts) if check else None
        self._filters: dict[Page, RequestFilter] = {}

    async def tab(self, number: int | None = None) -> Tab:
        """The active tab, or the one with the number. Crashed tabs are replaced first."""
        async with self._lock:
            await self._sweep()
            if self._engine is None or self._context is None or self._engine.guard.broken:
                await self._begin()
            if not self.tabs and self._was_given_tabs:
                await self._await_tab()
            if not self.tabs:
                self.active = (await self._open_blank()).number
            number = self.active if number is None else number
            if number not in self.tabs:
                raise ToolError(f"There is no tab {number}. Open tabs: {', '.join(map(str, self.tabs))}.")
            if self.tabs[number].guard.broken:
                await self._replace(self.tabs[number])
            await self.tabs[number].listen(tools=self.settings.page_tools)
            await self._filter_requests(self.tabs[number])
            return self.tabs[number]

    async def open(self, url: str = "about:blank", driver: Literal["agent", "person"] = "agent") -> Tab:
        """Open an address in a new tab and make it active."""
        await self.tab()
        async with self._lock:
            tab = await self._open_blank()
            tab.driver = driver
            self.active = tab.number
        if url != "about:blank":
            await tab.goto(url)
        return tab

    async def switch(self, number: int) -> Tab:
        tab = await self.tab(number)
        self.active = number
        await tab.guard.call(tab.page.bring_to_front(), f"switching to tab {number}")
        return tab

    def choose(self, page: "Page") -> None:
        """Make the tab of a page the active one."""
        self.active = self._adopt(page).number

    async def close(self, number: int) -> None:
        """Close a tab; the last one stays, blank."""
        tab = await self.tab(number)
        if self.is_attached and tab.page not in self._own:
            raise ToolError(f"Tab {number} is the person's own; only tabs opened in this run can be closed.")
        if len(self.tabs) == 1:
            await self.open()
        self._forget(tab)
        assert self._engine is not None
        await self._engine.guard.call(tab.page.close(), f"closing tab {number}")

    async def is_browser_alive(self) -> bool:
        """Whether the browser is still there; a tab may be gone without it."""
        return self._engine is not None and await self._engine.is_alive()

    async def save(self) -> SavedSession:
        """The present state; also kept to restore the session if the browser dies."""
        state: Mapping[str, Any] = self._saved.state
        if self._context is not None and self._engine is not None and not self.is_attached:
            cookies = await self._engine.guard.call(self._context.cookies(), "saving the session")
            state = {"cookies": cookies, "origins": await read_storages(self.tabs.values(), self._saved.state)}
        ids = self.shared.element_ids.last
        self._saved = SavedSession(tabs=self._urls(), active=self.active, next=self._next, ids=ids, state=state)
        return self._saved

    def take_notices(self) -> tuple[SessionNotice, ...]:
        """The notices since the last call."""
        notices = tuple(self.notices)
        self.notices.clear()
        return notices

    async def replace_cookies(self, fits: HostTest, cookies: Sequence[Mapping[str, Any]] = ()) -> None:
        """Remove the cookies whose domain fits, then add others. The person's own browser is left as it is."""
        if self._context is not None and self._engine is not None and not self.is_attached:
            await self._engine.guard.call(change_cookies(self._context, fits, cookies), "changing the cookies")

    async def forget_sites(self, fits: HostTest) -> None:
        """Remove cookies and storage of the hosts that fit."""
        await self.replace_cookies(fits)
        stores = self._saved.state.get("origins", ())
        gone = [store["origin"] for store in stores if fits(urlsplit(store["origin"]).hostname or "")]
        left = [store for store in stores if store["origin"] not in gone]
        self._saved = self._saved.model_copy(update={"state": {**self._saved.state, "origins": left}})
        if self._context is not None and self._engine is not None and not self.is_attached:
            await self._engine.guard.call(clear_storages(self._context, fits, gone), "forgetting a site")

    async def end(self) -> None:
        """Close what this run opened. The person's own tabs stay."""
        from playwright.async_api import Error

        context, self._context = self._context, None
        if self.owner is not None:
            self.owner.end()
        if context is not None and self.is_attached:
            context.remove_listener("page", self._on_page)
        with contextlib.suppress(Error, TimeoutError):
            if self.is_attached:
                await asyncio.gather(*(hold.end() for hold in self._filters.values()))
            if self.is_attached and not (self._engine and self._engine.keeps_tabs):
                await asyncio.gather(*(page.close() for page in self._own if not page.is_closed()))
            elif context is not None and not self.is_attached:
                await asyncio.wait_for(context.close(), self.settings.timeout)
        if self.owner is not None and self._engine is not None:
            self._engine.gate.close(self.owner)
        self.tabs.clear()

    @property
    def is_attached(self) -> bool:
        """Whether the tabs are in the person's own browser."""
        return self._engine is not None and self._engine.is_attached

    def _urls(self) -> dict[int, str]:
        return {number: tab.url for number, tab in self.tabs.items()}

    async def _sweep(self) -> None:
        """Forget tabs that closed by themselves; tabs that closed because the browser died are restored."""
        doubtful = [tab for tab in self.tabs.values() if tab.guard.suspect or tab.guard.broken]
        if doubtful and self._engine is not None and await self._engine.is_alive():
            for tab in doubtful:
                tab.guard.suspect = False
                if tab.page.is_closed():
                    self._forget(tab)

    async def _begin(self) -> None:
        """Get a running browser and open the former tabs in it."""
        died = self._engine is not None
        if died:
            self._saved = self._saved.model_copy(
                update={"tabs": self._urls(), "active": self.active, "next": self._next}
            )
        self.tabs.clear()
        self._own.clear()
        self._filters.clear()
        self._engine = engine = await self._source()
        engine.guard.on_break(self._on_browser_gone)
        self._context = context = engine.own_context if engine.is_attached else await self._open_context(engine)
        context.on("page", self._on_page)
        if engine.is_attached:
            for page in context.pages:
                self._adopt(page)
            self.active = next(iter(self.tabs), 0)
            self._was_given_tabs = engine.keeps_tabs and bool(self.tabs)
            return
        await self._reopen()
        if died:
            self.notices.append(
                SessionNotice(kind="crash", text="The browser died and was started again with the same tabs.")
            )

    async def _await_tab(self) -> None:
        """Wait for a tab that the person's browser let go and gives again, as one that shows a PDF now."""
        from playwright.async_api import Error

        with contextlib.suppress(Error):
            assert self._context is not None
            await self._context.wait_for_event("page", timeout=RETURN_MILLISECONDS)
        if not self.tabs:
            raise BrowserError(TAB_GONE, "Hand a tab over again, then continue.")
        self.active = next(reversed(self.tabs))

    async def _open_context(self, engine: SessionBrowser) -> "BrowserContext":
        rules = self.shared.rules
        checked = rules.allow is not None and not rules.proxy
        context = await engine.guard.call(
            engine.chromium.new_context(
                viewport={"width": self.settings.width, "height": self.settings.height},
                storage_state=cast(Any, dict(self._saved.state)) or None,
                service_workers="block" if checked else "allow",
                proxy=await rules.find_proxy(engine.machine),
                reduced_motion="reduce",
                ignore_https_errors=self.settings.any_certificate,
            ),
            "opening a session",
        )
        context.set_default_timeout(self.settings.timeout * 1000)
        await context.grant_permissions([])
        if self.owner is not None:
            await engine.gate.open(self.owner)
            await context.add_init_script(engine.sockets.script)
            await engine.sockets.open()
        if checked:
            await context.route("**/*", self._check)
        return context

    async def _reopen(self) -> None:
        from playwright.async_api import Error

        opened: list[tuple[Tab, str]] = []
        for number, url in self._saved.tabs.items():
            self._next = number
            opened.append((await self._open_blank(), url))
        self._next = max(self._saved.next, self._next)
        self.active = self._saved.active if self._saved.active in self.tabs else next(iter(self.tabs), 0)

        async def go(tab: Tab, url: str) -> None:
            try:
                if url != "about:blank":
                    await tab.goto(url)
            except (ToolError, Error) as error:
                self.notices.append(
                    SessionNotice(kind="crash", text=f"Tab {tab.number} could not be reopened: {error}")
                )

        await asyncio.gather(*(go(tab, url) for tab, url in opened))

    async def _open_blank(self) -> Tab:
        assert self._context is not None and self._engine is not None
        self._opening = True
        try:
            page = await self._engine.guard.call(self._context.new_page(), "opening a tab")
        finally:
            self._opening = False
        self.popups.discard(page)
        self._own.add(page)
        tab = self._adopt(page)
        await tab.listen(tools=self.settings.page_tools)
        await self._filter_requests(tab)
        self.notices[:] = [notice for notice in self.notices if notice.kind != "tab" or notice.tab != tab.number]
        return tab

    async def _replace(self, dead: Tab) -> None:
        """Open a crashed tab's page again under its number."""
        following, self._next = self._next, dead.number
        self._forget(dead)
        try:
            tab = await self._open_blank()
        finally:
            self._next = max(following, self._next)
        self.active = self.active if self.active in self.tabs else tab.number
        self.notices.append(SessionNotice(kind="crash", text=f"Tab {dead.number} crashed and was opened again."))
        with contextlib.suppress(ToolError):
            await tab.goto(dead.url)

    def _on_page(self, page: "Page") -> None:
        """Handle a page that the session did not open: a popup, or the person's new tab."""
        if any(tab.page is page for tab in self.tabs.values()):
            return
        openers = [tab for tab in list(self.tabs.values()) if tab.activity.note_arrival("window")]
        if self.is_attached and not openers:
            self._adopt(page)
            return
        self.popups.add(page)
        if len(self.popups) > MOST_POPUPS and not self._opening:
            self._close(page)
            return
        tab = self._adopt(page)
        tab.inputs = max((opener.inputs for opener in openers), default=0)
        self.notices.append(
            SessionNotice(kind="tab", text=f"Tab {tab.number} was opened and is now active.", tab=tab.number)
        )
        self._before[tab.number] = self.active
        self.active = tab.number

    def _close(self, page: "Page") -> None:
        """Close a tab beyond the limit."""
        text = f"A page opened more than {MOST_POPUPS} tabs by itself; what it opens now is closed."
        if not any(notice.text == text for notice in self.notices):
            self.notices.append(SessionNotice(kind="blocked", text=text))
        closing = asyncio.ensure_future(page.close())
        closing.add_done_callback(lambda done: done.cancelled() or done.exception())

    def _adopt(self, page: "Page") -> Tab:
        for tab in self.tabs.values():
            if tab.page is page:
                return tab
        tab = Tab(self._next, page, self.shared, CallGuard(self.settings.timeout))
        self._next += 1
        self.tabs[tab.number] = tab
        page.on("close", lambda _: tab.guard.break_calls("The tab or its browser was closed"))
        return tab

    def _forget(self, tab: Tab) -> None:
        if self.tabs.get(tab.number) is not tab:
            return
        del self.tabs[tab.number]
        tab.guard.break_calls("The tab was closed")
        before = self._before.pop(tab.number, 0)
        if self.active == tab.number:
            self.active = before if before in self.tabs else next(reversed(self.tabs), 0)

    def _on_browser_gone(self, why: str) -> None:
        for tab in self.tabs.values():
            tab.guard.break_calls(why)

    async def _filter_requests(self, tab: Tab) -> None:
        """Filter the requests of a tab in an attached browser, which has no proxy."""
        checked = self.shared.rules.allow is not None or self.owner is not None
        if self.is_attached and checked and tab.page not in self._filters:
            self._filters[tab.page] = hold = RequestFilter(tab, self._permits, self.owner)
            await tab.guard.call(hold.begin(), "opening a tab")

    async def _check(self, route: "Route") -> None:
        await (route.fallback() if self._permits(route.request.url) else route.abort("blockedbyclient"))

    def _permits(self, url: str) -> bool:
        why = self.shared.rules.allow(url) if self.shared.rules.allow else None
        if why:
            self.notices.append(SessionNotice(kind="blocked", text=f"A request to {url[:120]} was refused: {why}"))
        return not why

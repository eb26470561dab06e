"""A run's own browser: an isolated context, tabs with numbers that never change, a state that can be kept."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pydantic import Field

from pilotfish.browser.download import Intake
from pilotfish.browser.guard import Guard
from pilotfish.browser.hold import Hold
from pilotfish.browser.keys import Clip
from pilotfish.browser.tab import Desk, Fence, Notice, Tab
from pilotfish.core.errors import ToolError
from pilotfish.core.settings import Browser
from pilotfish.core.values import Value

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Page, Route

    from pilotfish.browser.pool import Engine

__all__ = ["Fence", "Notice", "Saved", "Session"]


class Saved(Value):
    """A session as it can be kept: addresses of the tabs by number, the active one, ids given, cookies and storage."""

    tabs: Mapping[int, str] = Field(default_factory=dict)
    active: int = 0
    next: int = 1
    ids: int = 0
    state: Mapping[str, Any] = Field(default_factory=dict)


class Session:
    """Tabs of one run. When the browser dies, the next use opens them again in a new one."""

    def __init__(
        self,
        engine: Callable[[], Awaitable["Engine"]],
        settings: Browser,
        folder: Path,
        fence: Fence,
        saved: Saved | None = None,
    ) -> None:
        from pilotfish.browser.perceive import Counter

        self.settings = settings
        self.tabs: dict[int, Tab] = {}
        self.active = 0
        self.notices: list[Notice] = []
        self.clip = Clip()
        self._saved = saved or Saved()
        self.desk = Desk(
            folder, fence, settings.timeout, Counter(self._saved.ids), self.notices.append, Intake(folder, settings)
        )
        self._next = self._saved.next
        self._source = engine
        self._engine: Engine | None = None
        self._context: BrowserContext | None = None
        self._lock = asyncio.Lock()
        self._own: set[Page] = set()
        self._holds: dict[Page, Hold] = {}

    async def tab(self, number: int | None = None) -> Tab:
        """A living tab: the active one, or that with the number. Whatever died since is replaced first."""
        async with self._lock:
            await self._sweep()
            if self._engine is None or self._context is None or self._engine.guard.broken:
                await self._begin()
            if not self.tabs:
                self.active = (await self._fresh()).number
            number = self.active if number is None else number
            if number not in self.tabs:
                raise ToolError(f"There is no tab {number}. Open tabs: {', '.join(map(str, self.tabs))}.")
            if self.tabs[number].guard.broken:
                await self._replace(self.tabs[number])
            await self.tabs[number].listen()
            await self._hold(self.tabs[number])
            return self.tabs[number]

    async def open(self, url: str = "about:blank") -> Tab:
        """A new tab, made active, at the address."""
        await self.tab()
        async with self._lock:
            tab = await self._fresh()
            self.active = tab.number
        if url != "about:blank":
            await tab.goto(url)
        return tab

    async def switch(self, number: int) -> Tab:
        tab = await self.tab(number)
        self.active = number
        await tab.guard.call(tab.page.bring_to_front(), f"switching to tab {number}")
        return tab

    async def close(self, number: int) -> None:
        """Close a tab; the last one stays, blank."""
        tab = await self.tab(number)
        if self._attached and tab.page not in self._own:
            raise ToolError(f"Tab {number} is the person's own; only tabs opened in this run can be closed.")
        if len(self.tabs) == 1:
            await self.open()
        self._forget(tab)
        assert self._engine is not None
        await self._engine.guard.call(tab.page.close(), f"closing tab {number}")

    async def survives(self) -> bool:
        """Whether the browser is still there; a tab may be gone without it."""
        return self._engine is not None and await self._engine.alive()

    async def save(self) -> Saved:
        """The state as it is now; kept also for a new browser, should this one die."""
        state: Mapping[str, Any] = self._saved.state
        if self._context is not None and self._engine is not None and not self._attached:
            cookies = await self._engine.guard.call(self._context.cookies(), "saving the session")
            state = {"cookies": cookies, "origins": await self._stores()}
        ids = self.desk.counter.last
        self._saved = Saved(tabs=self._urls(), active=self.active, next=self._next, ids=ids, state=state)
        return self._saved

    def told(self) -> tuple[Notice, ...]:
        """What happened beside what was asked for, once."""
        notices = tuple(self.notices)
        self.notices.clear()
        return notices

    async def _stores(self) -> list[Mapping[str, Any]]:
        """What origins keep in the browser: those open now as they are, others as they were last seen.

        Playwright's own way opens a hidden page for every origin that is not open, which takes half a second each.
        """
        known = {store["origin"]: store for store in self._saved.state.get("origins", ())}
        for kept in await asyncio.gather(*(tab.storage() for tab in self.tabs.values())):
            if kept is not None and kept[0] != "null":
                items = [{"name": name, "value": value} for name, value in kept[1]]
                known[kept[0]] = {"origin": kept[0], "localStorage": items}
        return [store for store in known.values() if store["localStorage"]]

    async def end(self) -> None:
        """Close what this run opened. The person's own tabs stay."""
        from playwright.async_api import Error

        context, self._context = self._context, None
        with contextlib.suppress(Error, TimeoutError):
            if self._attached:
                await asyncio.gather(*(hold.end() for hold in self._holds.values()))
                await asyncio.gather(*(page.close() for page in self._own if not page.is_closed()))
            elif context is not None:
                await asyncio.wait_for(context.close(), self.settings.timeout)
        self.tabs.clear()

    @property
    def _attached(self) -> bool:
        return self._engine is not None and self._engine.attached

    def _urls(self) -> dict[int, str]:
        return {number: tab.url for number, tab in self.tabs.items()}

    async def _sweep(self) -> None:
        """Forget tabs that closed by themselves; unless they closed because the browser died: those come back."""
        doubtful = [tab for tab in self.tabs.values() if tab.guard.suspect or tab.guard.broken]
        if doubtful and self._engine is not None and await self._engine.alive():
            for tab in doubtful:
                tab.guard.suspect = False
                if tab.page.is_closed():
                    self._forget(tab)

    async def _begin(self) -> None:
        """Take a living browser and open in it what was open before."""
        died = self._engine is not None
        if died:
            self._saved = self._saved.model_copy(
                update={"tabs": self._urls(), "active": self.active, "next": self._next}
            )
        self.tabs.clear()
        self._own.clear()
        self._holds.clear()
        self._engine = engine = await self._source()
        engine.guard.then(self._snapped)
        self._context = context = engine.home if engine.attached else await self._isolated(engine)
        context.on("page", self._met)
        if engine.attached:
            for page in context.pages:
                self._adopt(page)
            self.active = next(iter(self.tabs), 0)
            return
        await self._reopen()
        if died:
            self.notices.append(Notice(kind="crash", text="The browser died and was started again with the same tabs."))

    async def _isolated(self, engine: "Engine") -> "BrowserContext":
        fence = self.desk.fence
        checked = fence.allow is not None and not fence.proxy
        context = await engine.guard.call(
            engine.chromium.new_context(
                viewport={"width": self.settings.width, "height": self.settings.height},
                storage_state=cast(Any, dict(self._saved.state)) or None,
                service_workers="block" if checked else "allow",
                proxy={"server": fence.proxy} if fence.proxy else None,
                reduced_motion="reduce",
                ignore_https_errors=self.settings.any_certificate,
            ),
            "opening a session",
        )
        context.set_default_timeout(self.settings.timeout * 1000)
        await context.grant_permissions([])
        if checked:
            await context.route("**/*", self._check)
        return context

    async def _reopen(self) -> None:
        from playwright.async_api import Error

        opened: list[tuple[Tab, str]] = []
        for number, url in self._saved.tabs.items():
            self._next = number
            opened.append((await self._fresh(), url))
        self._next = max(self._saved.next, self._next)
        self.active = self._saved.active if self._saved.active in self.tabs else next(iter(self.tabs), 0)

        async def go(tab: Tab, url: str) -> None:
            try:
                if url != "about:blank":
                    await tab.goto(url)
            except (ToolError, Error) as error:
                self.notices.append(Notice(kind="crash", text=f"Tab {tab.number} could not be reopened: {error}"))

        await asyncio.gather(*(go(tab, url) for tab, url in opened))

    async def _fresh(self) -> Tab:
        assert self._context is not None and self._engine is not None
        page = await self._engine.guard.call(self._context.new_page(), "opening a tab")
        self._own.add(page)
        tab = self._adopt(page)
        await self._hold(tab)
        self.notices[:] = [notice for notice in self.notices if notice.kind != "tab" or notice.tab != tab.number]
        return tab

    async def _replace(self, dead: Tab) -> None:
        """Open a crashed tab's page again under its number."""
        following, self._next = self._next, dead.number
        self._forget(dead)
        try:
            tab = await self._fresh()
        finally:
            self._next = max(following, self._next)
        self.active = self.active if self.active in self.tabs else tab.number
        self.notices.append(Notice(kind="crash", text=f"Tab {dead.number} crashed and was opened again."))
        with contextlib.suppress(ToolError):
            await tab.goto(dead.url)

    def _met(self, page: "Page") -> None:
        """A page came up that we may not have asked for: a popup, or the person's new tab."""
        if any(tab.page is page for tab in self.tabs.values()):
            return
        asked = True in [tab.activity.met("window") for tab in self.tabs.values()]
        tab = self._adopt(page)
        if self._attached and not asked:
            return
        self.notices.append(Notice(kind="tab", text=f"Tab {tab.number} was opened and is now active.", tab=tab.number))
        self.active = tab.number

    def _adopt(self, page: "Page") -> Tab:
        for tab in self.tabs.values():
            if tab.page is page:
                return tab
        tab = Tab(self._next, page, self.desk, Guard(self.settings.timeout))
        self._next += 1
        self.tabs[tab.number] = tab
        page.on("close", lambda _: tab.guard.snap("The tab or its browser was closed"))
        return tab

    def _forget(self, tab: Tab) -> None:
        if self.tabs.get(tab.number) is not tab:
            return
        del self.tabs[tab.number]
        tab.guard.snap("The tab was closed")
        if self.active == tab.number:
            self.active = next(reversed(self.tabs), 0)

    def _snapped(self, why: str) -> None:
        for tab in self.tabs.values():
            tab.guard.snap(why)

    async def _hold(self, tab: Tab) -> None:
        """A browser that is not ours has no proxy: there, the tabs in use are held to the fence."""
        if self._attached and self.desk.fence.allow is not None and tab.page not in self._holds:
            self._holds[tab.page] = hold = Hold(tab.page, self._permits)
            await tab.guard.call(hold.begin(), "opening a tab")

    async def _check(self, route: "Route") -> None:
        await (route.fallback() if self._permits(route.request.url) else route.abort("blockedbyclient"))

    def _permits(self, url: str) -> bool:
        why = self.desk.fence.allow(url) if self.desk.fence.allow else None
        if why:
            self.notices.append(Notice(kind="blocked", text=f"A request to {url[:120]} was refused: {why}"))
        return not why

"""The person's own Chrome, through the extension, as a browser for the sessions of conversations."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

from pilotfish.browser.sessions.browser_pool import BrowserProcess, attach_browser
from pilotfish.browser.sessions.extension_link import ExtensionLink, TabRefused
from pilotfish.browser.sessions.extension_relay import ExtensionRelay
from pilotfish.browser.sessions.session import TAB_GONE, BrowserSession, SavedSession, SessionRules
from pilotfish.core.errors import BrowserError
from pilotfish.core.host_limits import HostLimits
from pilotfish.core.settings import BrowserSettings

if TYPE_CHECKING:
    from playwright.async_api import Page

LOOK_PERIOD = 0.02
LinkFinder = Callable[[], Awaitable[ExtensionLink]]


class ExtensionPool:
    """Opens the session of one conversation in the tabs that the person handed over to it."""

    def __init__(self, settings: BrowserSettings, conversation: str, find_link: LinkFinder) -> None:
        self.settings = settings
        self.conversation = conversation
        self.find_link = find_link
        self.tabs: list[int] = []
        self._limits = HostLimits()
        self.address = ""
        self._engine: BrowserProcess | None = None
        self._link: ExtensionLink | None = None
        self._relay: ExtensionRelay | None = None
        self._session: BrowserSession | None = None
        self._lock = asyncio.Lock()

    @property
    def driven(self) -> frozenset[int]:
        """The tabs that can be driven now."""
        return frozenset(self._relay.targets) if self._relay else frozenset()

    @property
    def given_tabs(self) -> tuple[int, ...]:
        """The tabs that were handed over."""
        return tuple(self.tabs)

    async def limit_hosts(self, limits: HostLimits) -> None:
        """Let Chrome itself hold the tabs to these sites."""
        async with self._lock:
            changed, self._limits = limits != self._limits, limits
            if changed and self._link is not None and self._relay is not None and not self._link.is_closed:
                await self._send_limits(self._link)

    async def _send_limits(self, link: ExtensionLink) -> None:
        await link.request("limit", group=self.conversation, **self._limits.model_dump(mode="json"))

    async def lease(
        self, run: str, folder: Path, saved: SavedSession | None = None, rules: SessionRules | None = None
    ) -> BrowserSession:
        """The conversation's session: the one it has, or a new one."""
        if self._session is not None:
            await self._session.tab()
            return self._session
        self._session = session = BrowserSession(
            self.living_browser, self.settings, folder, rules or SessionRules(), saved
        )
        await session.tab()
        if self.tabs and self.tabs[0] in self.driven:
            # The driver tells of several tabs in any order.
            session.choose(await self.find_page(self.tabs[0]))
        return session

    async def hand_over(self, tab: int) -> None:
        """Let the conversation drive another tab of the person; it becomes the active one."""
        async with self._lock:
            self.tabs = [tab, *(other for other in self.tabs if other != tab)]
            if self._relay is None or self._engine is None or not await self._engine.is_alive():
                return
            self.tabs[0] = tab = await self._relay.hand_over(tab)
            if self._session is not None:
                self._session.choose(await self.find_page(tab))

    async def find_page(self, tab: int) -> "Page":
        """The page of a tab that was handed over; waits until the driver knows it."""
        assert self._relay is not None and self._engine is not None
        wanted = self._relay.targets[tab]["targetId"]
        try:
            async with asyncio.timeout(self.settings.timeout):
                while True:
                    for page in self._engine.own_context.pages:
                        if await _read_target(page) == wanted:
                            return page
                    await asyncio.sleep(LOOK_PERIOD)
        except TimeoutError:
            raise BrowserError("The tab does not answer.", "Reload it, then hand it over again.") from None

    async def living_browser(self) -> BrowserProcess:
        """The connection to the person's Chrome, made anew when it was lost."""
        async with self._lock:
            if self._engine is not None and await self._engine.is_alive():
                return self._engine
            await self._drop()
            from pilotfish.browser.perception.direct_page import offer_direct_pages

            self._link = link = await self.find_link()
            self._relay = relay = ExtensionRelay(link, self.conversation)
            link.relays[self.conversation] = relay
            self.address = await relay.start()
            await self._send_limits(link)
            await self._hand_all_over(relay)
            self._engine = engine = await attach_browser(self.address, self.settings, keeps_tabs=True)
            offer_direct_pages(engine.own_context, relay.find_page)
            return engine

    async def _hand_all_over(self, relay: ExtensionRelay) -> None:
        """Drive all tabs that were handed over, as far as they are still there."""
        found: list[int] = []
        for tab in self.tabs:
            with contextlib.suppress(TabRefused):
                found.append(await relay.hand_over(tab))
        if self.tabs and not found:
            raise BrowserError(TAB_GONE, "Hand a tab over again, then continue.")
        self.tabs = found

    async def end(self, run: str) -> None:
        """Let the tabs go; they stay open as they are. Those that the session opened belong to the next one too."""
        if self._relay is not None and self.tabs:
            self.tabs = [*self.tabs, *(tab for tab in self._relay.targets if tab not in self.tabs)]
        session, self._session = self._session, None
        if session is not None:
            await session.end()
        async with self._lock:
            await self._drop()

    async def _drop(self) -> None:
        engine, relay = self._engine, self._relay
        self._engine = self._relay = None
        if relay is not None:
            if self._link is not None and self._link.relays.get(self.conversation) is relay:
                del self._link.relays[self.conversation]
            await relay.close()
        if engine is not None:
            await engine.stop()


async def _read_target(page: "Page") -> str:
    """The id of a page's target; empty if the page is gone."""
    from playwright.async_api import Error

    try:
        session = await page.context.new_cdp_session(page)
        target = (await session.send("Target.getTargetInfo"))["targetInfo"]["targetId"]
        await session.detach()
    except Error:
        return ""
    return str(target)

"""A session in a tab of the person's Chrome for one test after the other: handing a tab over takes longer than most."""

import asyncio
from dataclasses import dataclass
from pathlib import Path

from playwright.async_api import Page

from module_sessions import BLANK, reset
from pilotfish.browser.sessions.extension_browser import ExtensionPool
from pilotfish.browser.sessions.session import BrowserSession, SessionRules
from pilotfish.core.errors import ToolError

from .person import PersonChrome

PATIENCE = 20


@dataclass
class RelaySession:
    """One connection to the person's Chrome for all tests, and one session for those of a module."""

    pool: ExtensionPool
    chrome: PersonChrome
    panel: Page
    page: Page | None = None
    session: BrowserSession | None = None
    module: str = ""

    async def take(self, module: str, folder: Path) -> BrowserSession:
        """The session of this module, with one blank tab; without a module a new one, which no other test gets."""
        if self.session is not None and (not module or module != self.module or not await self.clear()):
            await self.end()
        if self.session is None:
            self.module = module
            self.session = await self.open(folder)
        return self.session

    async def clear(self) -> bool:
        """Remove what a test left behind; false if the session cannot be used any more."""
        session, page = self.session, self.page
        if session is None or page is None or page.is_closed() or not session.tabs:
            return False
        try:
            await self.close_tabs(besides=page)
            tab = await session.tab(min(session.tabs))
            await tab.goto(BLANK)
        except (ToolError, TimeoutError):
            return False
        reset(session, tab.number)
        return page.url == tab.url == BLANK and list(session.tabs) == [tab.number]

    async def open(self, folder: Path) -> BrowserSession:
        """A session in a tab that was just handed over."""
        self.page = page = await self.chrome.context.new_page()
        await page.bring_to_front()
        await page.set_viewport_size({"width": self.pool.settings.width, "height": self.pool.settings.height})
        # The person's own driver would answer dialogs at once.
        page.on("dialog", lambda _: None)
        front = "chrome.tabs.query({active: true, lastFocusedWindow: true}).then(tabs => tabs[0].id)"
        number = int(await self.chrome.worker.evaluate(front))
        await self.panel.evaluate("tab => chrome.runtime.sendMessage({type: 'hand-over', tab})", number)
        await self.pool.living_browser()
        await self.pool.hand_over(number)
        await self.pool.find_page(number)
        session = BrowserSession(self.pool.living_browser, self.pool.settings, folder, SessionRules())
        await session.tab()
        return session

    async def end(self) -> None:
        """End the session; what it left open is closed by the person."""
        session, self.session = self.session, None
        if session is not None:
            await session.end()
            await self.close_tabs()

    async def close_tabs(self, besides: Page | None = None) -> None:
        for left in self.chrome.context.pages:
            if left not in (self.panel, besides):
                await left.close()
        async with asyncio.timeout(PATIENCE):
            while len(self.pool.driven) > (besides is not None):
                await asyncio.sleep(0.005)

"""Browsers that run elsewhere, reached by their DevTools addresses: which of them can be used, and who is in which.

A session is opened in the browser that has the fewest. If that browser dies, its sessions go on in another one. A
browser that is no longer among the addresses gets no more sessions, and is left when the last of them has ended.
"""

import asyncio
import contextlib
import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from functools import partial

from pilotfish.browser.sessions.browser_pool import BrowserPool, BrowserProcess
from pilotfish.browser.sessions.remote_browser import (
    CHECK,
    RemoteBrowser,
    RemoteInfo,
    resolve_addresses,
    show_address,
)
from pilotfish.core.errors import BrowserError
from pilotfish.core.settings import BrowserSettings

LOOK_PERIOD = 0.5
log = logging.getLogger(__name__)


class RemotePool(BrowserPool):
    """Opens each session in one of several browsers elsewhere."""

    def __init__(self, settings: BrowserSettings) -> None:
        super().__init__(settings)
        self.browsers: dict[str, RemoteBrowser] = {}
        self._looked = float("-inf")
        self._freed = asyncio.Event()
        self._looking = asyncio.Lock()

    def find_source(self, run: str) -> Callable[[], Awaitable[BrowserProcess]]:
        """A browser for the session of a run: the one that it is in, else the one that has the fewest sessions."""
        return partial(self.find_browser, run)

    async def living_browser(self) -> BrowserProcess:
        """Any browser that can be used, whoever asks."""
        return await self.find_browser("")

    async def find_browser(self, run: str) -> BrowserProcess:
        """A browser that answers and has room; waits for one as long as a call to a browser may take."""
        deadline = time.monotonic() + self.settings.timeout
        while True:
            await self._look_for_browsers()
            chosen = await self._choose(run)
            if chosen is None and not self._usable:
                await self._wait_for_answer(deadline)
                continue
            if chosen is None:
                await self._wait_for_room(deadline)
                continue
            try:
                return await chosen.connect()
            except BrowserError as error:
                chosen.fail(error.message)
                chosen.sessions.discard(run)
                log.warning("%s", error.message)

    async def _choose(self, run: str) -> RemoteBrowser | None:
        """Give a session a place in a browser; None if no browser that can be used has room."""
        for browser in [browser for browser in self.browsers.values() if run in browser.sessions]:
            if not browser.why and not await browser.is_lost():
                return browser
            browser.sessions.discard(run)
            if not browser.why:
                self.crashes += 1
                browser.fail(f"The browser at {show_address(browser.address)} died.")
                await browser.close()
        free = [browser for browser in self._usable if len(browser.sessions) < self.settings.remote_sessions]
        chosen = min(free, key=lambda browser: (bool(browser.why), len(browser.sessions)), default=None)
        if chosen is not None and run:
            chosen.sessions.add(run)
            self.starts += 1
        return chosen

    @property
    def _usable(self) -> list[RemoteBrowser]:
        return [browser for browser in self.browsers.values() if not browser.draining and browser.can_be_tried]

    async def _wait_for_answer(self, deadline: float) -> None:
        """Wait a moment for browsers that do not answer: one may be on its way up again."""
        if time.monotonic() >= deadline:
            reasons = " ".join(browser.why for browser in self.browsers.values() if browser.why)
            raise BrowserError(
                f"None of the browsers elsewhere can be used. {reasons}".rstrip(),
                "Start one of them, or correct browser.remote; `pilotfish doctor` tries each.",
            )
        await asyncio.sleep(min(LOOK_PERIOD, max(0.0, deadline - time.monotonic())))

    async def _wait_for_room(self, deadline: float) -> None:
        """Close a session that nobody uses, else wait until one ends."""
        self._freed.clear()
        if await self.make_room():
            return
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(min(CHECK, max(0.0, deadline - time.monotonic()))):
                await self._freed.wait()
        if time.monotonic() >= deadline:
            most = self.settings.remote_sessions
            raise BrowserError(
                f"All browsers elsewhere are full: {len(self.browsers)} with {most} sessions each are in use.",
                "Try again later, add one to browser.remote, or raise browser.remote_sessions.",
            )

    async def _look_for_browsers(self) -> None:
        """Resolve the addresses again now and then. Those that are gone are drained, and left when they are empty."""
        async with self._looking:
            if time.monotonic() < self._looked + CHECK:
                return
            self._looked = time.monotonic()
            found = await resolve_addresses(self.settings.remote)
            for address in found:
                if address not in self.browsers:
                    self.browsers[address] = RemoteBrowser(address, self.settings)
            for address, browser in list(self.browsers.items()):
                browser.draining = address not in found
                if browser.draining and not browser.sessions:
                    del self.browsers[address]
                    await browser.close()

    async def end(self, run: str) -> None:
        """Close the run's session, if it has one; its place is free then."""
        await super().end(run)
        for address, browser in list(self.browsers.items()):
            browser.sessions.discard(run)
            if browser.draining and not browser.sessions:
                self.browsers.pop(address, None)
                await browser.close()
        self._freed.set()

    async def adopt(self, settings: BrowserSettings) -> bool:
        """Go on with other settings. Other addresses and limits hold for what is opened from now on."""
        remote = {name: getattr(settings, name) for name in ("remote", "remote_token", "remote_sessions", "profile")}
        if not settings.remote or self.settings.model_copy(update=remote) != settings:
            return False
        self.settings, self._looked = settings, float("-inf")
        for browser in self.browsers.values():
            browser.settings = settings
        await self._look_for_browsers()
        return True

    async def list_browsers(self) -> list[RemoteInfo]:
        """The browsers, each tried if it is not connected."""
        await self._look_for_browsers()
        await asyncio.gather(*(self._try(browser) for browser in self.browsers.values() if browser.can_be_tried))
        return [
            RemoteInfo(address=show_address(one.address), state=one.state, sessions=len(one.sessions), why=one.why)
            for one in self.browsers.values()
        ]

    def count_states(self) -> Counter[str]:
        """How many browsers are in which state, as far as is known without asking them."""
        return Counter(browser.state for browser in self.browsers.values())

    async def _try(self, browser: RemoteBrowser) -> None:
        try:
            await browser.connect()
        except BrowserError as error:
            browser.fail(error.message)

    async def close(self) -> None:
        await super().close()
        for browser in self.browsers.values():
            await browser.close()
        self.browsers.clear()


def make_pool(settings: BrowserSettings) -> BrowserPool:
    """The pool that the settings ask for."""
    return RemotePool(settings) if settings.remote else BrowserPool(settings)


async def try_browsers(settings: BrowserSettings) -> list[RemoteInfo]:
    """How each of the browsers elsewhere is now."""
    pool = RemotePool(settings)
    try:
        return await pool.list_browsers()
    finally:
        await pool.close()

"""One browser process for all runs, started when first needed, replaced when it dies, gone when we are gone."""

import asyncio
import contextlib
import os
import sys
import tempfile
import threading
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pilotfish.browser import chromium
from pilotfish.browser.guard import Guard, brief
from pilotfish.browser.session import Fence, Saved, Session
from pilotfish.core.errors import BrowserError, ToolError
from pilotfish.core.settings import Browser

if TYPE_CHECKING:
    from playwright.async_api import Browser as Chromium
    from playwright.async_api import BrowserContext, CDPSession, Playwright

REAPER = Path(__file__).with_name("reaper.py")
START = 30.0
STOP = 5.0
TURN = threading.Lock()
T = TypeVar("T")


@dataclass(frozen=True)
class Engine:
    """A running browser: driver, process, and the reaper that outlives us. No reaper means: the person's own."""

    driver: "Playwright"
    chromium: "Chromium"
    line: "CDPSession"
    guard: Guard
    reaper: Process | None = None
    folder: str = ""

    @property
    def attached(self) -> bool:
        return self.reaper is None

    @property
    def home(self) -> "BrowserContext":
        """The person's own tabs, where we are attached."""
        return self.chromium.contexts[0]

    async def alive(self) -> bool:
        """Ask the browser anything; events that were on their way are then here too."""
        try:
            await self.guard.call(self.line.send("Browser.getVersion"), "asking the browser")
        except ToolError:
            self.guard.snap("The browser died")
        return not self.guard.broken

    async def stop(self) -> None:
        """End the browser, if it is ours, and everything that came with it. Bounded, whatever hangs."""
        from playwright.async_api import Error

        if self.reaper is not None:
            with contextlib.suppress(Error, TimeoutError):
                await asyncio.wait_for(self.chromium.close(), STOP)
        with contextlib.suppress(Error, TimeoutError):
            await asyncio.wait_for(self.driver.stop(), STOP)
        if self.reaper is not None:
            await bury(self.reaper)
        self.guard.snap("The browser was closed")


class Pool:
    """Leases one isolated session per run from one browser."""

    def __init__(self, settings: Browser) -> None:
        self.settings = settings
        self._engine: Engine | None = None
        self._sessions: dict[str, Session] = {}
        self._lock = asyncio.Lock()

    @property
    def home(self) -> str:
        """The folder of the running browser's profile."""
        return self._engine.folder if self._engine else ""

    async def lease(self, run: str, folder: Path, saved: Saved | None = None, fence: Fence | None = None) -> Session:
        """The run's session: the one it has, or a new one that begins where `saved` ends."""
        if run not in self._sessions:
            self._sessions[run] = Session(self.engine, self.settings, folder, fence or Fence(), saved)
        session = self._sessions[run]
        await session.tab()
        return session

    async def end(self, run: str) -> None:
        """Close the run's session, if it has one."""
        if session := self._sessions.pop(run, None):
            await session.end()

    async def engine(self) -> Engine:
        """A living browser."""
        async with self._lock:
            if self._engine is not None and not await self._engine.alive():
                await self._engine.stop()
                self._engine = None
            if self._engine is None:
                self._engine = await (attach(self.settings) if self.settings.attach else launch(self.settings))
            return self._engine

    async def close(self) -> None:
        for run in list(self._sessions):
            with contextlib.suppress(ToolError):
                await self.end(run)
        async with self._lock:
            if self._engine is not None:
                await self._engine.stop()
                self._engine = None


async def launch(settings: Browser) -> Engine:
    """Start a browser of our own, with its reaper first so that no moment is left unguarded."""
    executable = chromium.find(settings.executable)
    reaper, home = await dig()
    try:
        driver = await _driver(home)
        try:
            browser = await _start(driver, settings, executable, home)
            line = await browser.new_browser_cdp_session()
        except BaseException:
            await driver.stop()
            raise
    except BaseException:
        await bury(reaper)
        raise
    return Engine(driver, browser, line, watch(browser, settings), reaper, home)


async def attach(settings: Browser) -> Engine:
    """Use the person's own running browser, with its tabs and logins."""
    from playwright.async_api import Error

    driver = await _driver()
    try:
        browser = await driver.chromium.connect_over_cdp(settings.attach, timeout=START * 1000, no_defaults=True)
        line = await browser.new_browser_cdp_session()
    except Error as error:
        await driver.stop()
        raise BrowserError(
            f"No browser could be attached at {settings.attach}: {brief(str(error))}.",
            "Start Chrome with --remote-debugging-port=9222 and its own --user-data-dir, then try again.",
        ) from None
    return Engine(driver, browser, line, watch(browser, settings))


def watch(browser: "Chromium", settings: Browser) -> Guard:
    """A guard that breaks when the browser goes. A dead driver sends no event: see `Engine.alive`."""
    guard = Guard(settings.timeout)
    browser.on("disconnected", lambda _: guard.snap("The browser died"))
    return guard


async def dig() -> tuple[Process, str]:
    """Start a reaper; it answers with the folder that it will remove."""
    return await _finished(_dig(), lambda dug: bury(dug[0]))


async def _finished(start: Coroutine[Any, Any, T], undo: Callable[[T], Awaitable[object]]) -> T:
    """A start of a process is not given up half-way, or asyncio kills it, waits for ever, and what it made stays: it is
    finished and then undone."""
    starting = asyncio.ensure_future(start)
    try:
        return await asyncio.shield(starting)
    except asyncio.CancelledError:
        await asyncio.wait({starting}, timeout=STOP)
        if starting.done() and not starting.exception():
            await undo(starting.result())
        raise


async def _dig() -> tuple[Process, str]:
    reaper = await asyncio.create_subprocess_exec(
        sys.executable, "-I", "-S", str(REAPER), stdin=PIPE, stdout=PIPE, start_new_session=True
    )
    assert reaper.stdout is not None
    return reaper, (await reaper.stdout.readline()).decode().strip()


async def bury(reaper: Process) -> None:
    """Tell the reaper that it may clean up now, and wait until it has."""
    with contextlib.suppress(ConnectionError, TimeoutError):
        await asyncio.wait_for(reaper.communicate(b"bye\n"), STOP)


async def _driver(home: str = "") -> "Playwright":
    from playwright.async_api import Error, async_playwright

    manager = async_playwright()
    try:
        async with _within(home or tempfile.gettempdir()):
            driver = await asyncio.wait_for(_finished(manager.start(), lambda driver: driver.stop()), START)
    except (Error, TimeoutError, OSError) as error:
        raise BrowserError(
            f"The browser driver did not start: {brief(str(error))}.", "Install the package playwright again."
        ) from None
    # A driver that dies leaves its error in a future that nobody reads, and asyncio would complain of it much later.
    transport = getattr(getattr(manager, "_client", None), "_transport", None)
    fate: asyncio.Future[None] | None = getattr(transport, "on_error_future", None)
    if fate is not None:
        fate.add_done_callback(lambda end: end.cancelled() or end.exception())
    return driver


@contextlib.asynccontextmanager
async def _within(folder: str) -> AsyncGenerator[None]:
    """The driver puts profiles where its environment keeps what is temporary; it takes no other word on that.

    One at a time: a profile in another's folder would go when the other goes.
    """
    tempfile.gettempdir()  # from now on ours stays where it was
    # Other loops of this process may start browsers too, so no lock or event of asyncio's will do.
    while not TURN.acquire(blocking=False):  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    before = os.environ.get("TMPDIR")
    os.environ["TMPDIR"] = folder
    try:
        yield
    finally:
        if before is None:
            del os.environ["TMPDIR"]
        else:
            os.environ["TMPDIR"] = before
        TURN.release()


async def _start(driver: "Playwright", settings: Browser, executable: str, home: str) -> "Chromium":
    from playwright.async_api import Error

    failure = ""
    for sandbox in (True, False) if chromium.sandboxed() else (False,):
        try:
            return await driver.chromium.launch(
                executable_path=executable,
                artifacts_dir=f"{home}/artifacts",
                headless=settings.headless,
                chromium_sandbox=sandbox,
                args=chromium.flags(settings),
                timeout=START * 1000,
            )
        except Error as error:
            failure = failure or brief(str(error))
    raise BrowserError(
        f"{executable} did not start: {failure}.", "Start it by hand to see why, or name another in browser.executable."
    )

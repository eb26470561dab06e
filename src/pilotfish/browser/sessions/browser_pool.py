"""Runs one browser process for all runs: started when first needed, replaced when it dies, ended with this process.

Browsers that run elsewhere are in `remote_pool.py`.
"""

import asyncio
import contextlib
import logging
import os
import sys
import tempfile
import threading
from asyncio.subprocess import PIPE, Process
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from pilotfish.browser.sessions import chromium
from pilotfish.browser.sessions.call_guard import CallGuard, first_message_line
from pilotfish.browser.sessions.request_gate import RequestGate
from pilotfish.browser.sessions.session import BrowserSession, SavedSession, SessionRules
from pilotfish.browser.sessions.socket_gate import SocketGate
from pilotfish.core.errors import BrowserError, ToolError
from pilotfish.core.host_limits import HostLimits
from pilotfish.core.settings import BrowserSettings

if TYPE_CHECKING:
    from playwright.async_api import Browser as Chromium
    from playwright.async_api import BrowserContext, CDPSession, Playwright

REAPER = Path(__file__).with_name("reaper.py")
START_TIMEOUT = 30.0
STOP_TIMEOUT = 5.0
START_LOCK = threading.Lock()
PLAYWRIGHT = "playwright+"
T = TypeVar("T")
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class BrowserPlace:
    """Whose browser it is: started by this process, the person's own, or one elsewhere.

    `machine` is that of the browser, if it is another one. With `keeps_tabs`, what a run opened stays open when the
    run is over. One that this process started may have no sandbox; of others nobody knows.
    """

    kind: Literal["own", "person", "remote"] = "own"
    machine: str = ""
    keeps_tabs: bool = False
    sandboxed: bool = True


@dataclass(frozen=True)
class BrowserProcess:
    """A running browser: driver, process, and the reaper if this process started it."""

    driver: "Playwright"
    chromium: "Chromium"
    cdp_session: "CDPSession"
    guard: CallGuard
    sockets: SocketGate
    reaper: Process | None = None
    folder: str = ""
    place: BrowserPlace = BrowserPlace()

    @property
    def gate(self) -> RequestGate:
        return self.sockets.requests

    @property
    def is_attached(self) -> bool:
        """Whether it is the person's own."""
        return self.place.kind == "person"

    @property
    def keeps_tabs(self) -> bool:
        return self.place.keeps_tabs

    @property
    def machine(self) -> str:
        return self.place.machine

    @property
    def own_context(self) -> "BrowserContext":
        """The browser context of the person's own tabs, if attached."""
        return self.chromium.contexts[0]

    async def is_alive(self) -> bool:
        """Whether the browser answers; events that were under way have arrived then, too."""
        try:
            await self.guard.call(self.cdp_session.send("Browser.getVersion"), "asking the browser")
        except ToolError:
            self.guard.break_calls("The browser died")
        return not self.guard.broken

    async def stop(self) -> None:
        """End the browser, if this process started it, with its driver and reaper, within a time limit.

        One elsewhere is left running, without what was opened in it.
        """
        from playwright.async_api import Error

        if not self.is_attached:
            with contextlib.suppress(Error, TimeoutError):
                await asyncio.wait_for(self.chromium.close(), STOP_TIMEOUT)
        with contextlib.suppress(Error, TimeoutError):
            await asyncio.wait_for(self.driver.stop(), STOP_TIMEOUT)
        if self.reaper is not None:
            await finish_reaper(self.reaper)
        self.guard.break_calls("The browser was closed")


class BrowserPool:
    """Leases one isolated session per run from one browser."""

    def __init__(self, settings: BrowserSettings) -> None:
        self.settings = settings
        self._engine: BrowserProcess | None = None
        self._sessions: dict[str, BrowserSession] = {}
        self._lock = asyncio.Lock()
        self._retired = False
        self.starts = self.crashes = 0
        self.make_room: Callable[[], Awaitable[bool]] = _find_no_room
        """Closes a session that nobody uses, where sessions are limited; returns whether there was one."""

    @property
    def profile_folder(self) -> str:
        """The folder of the running browser's profile."""
        return self._engine.folder if self._engine else ""

    async def lease(
        self, run: str, folder: Path, saved: SavedSession | None = None, rules: SessionRules | None = None
    ) -> BrowserSession:
        """The run's session: the one it has, or a new one restored from `saved`."""
        if run not in self._sessions:
            source = self.find_source(run)
            self._sessions[run] = BrowserSession(source, self.settings, folder, rules or SessionRules(), saved)
        session = self._sessions[run]
        await session.tab()
        return session

    def find_source(self, run: str) -> Callable[[], Awaitable[BrowserProcess]]:
        """What gives the session of a run its browser, also after one has died."""
        return self.living_browser

    @property
    def given_tabs(self) -> tuple[int, ...]:
        """No tabs: nobody hands tabs over to this browser."""
        return ()

    async def limit_hosts(self, limits: HostLimits) -> None:
        """Nothing to do here: the session's proxy limits what it reaches."""

    async def end(self, run: str) -> None:
        """Close the run's session, if it has one."""
        if session := self._sessions.pop(run, None):
            await session.end()
        if self._retired:
            await self.retire()

    def count_states(self) -> Counter[str]:
        """No states: only browsers elsewhere have some."""
        return Counter()

    async def adopt(self, settings: BrowserSettings) -> bool:
        """Go on with other settings; false if another browser is needed for them."""
        same = self.settings.model_copy(update={"profile": settings.profile}) == settings
        self.settings = settings if same else self.settings
        return same

    async def retire(self) -> None:
        """Stop the browser as soon as it has no session."""
        self._retired = True
        if not self._sessions:
            await self.close()

    async def living_browser(self) -> BrowserProcess:
        """The running browser; starts one if there is none."""
        async with self._lock:
            if self._engine is not None and not await self._engine.is_alive():
                await self._engine.stop()
                self._engine = None
                self.crashes += 1
            if self._engine is None:
                self.starts += 1
                self._engine = await (
                    attach_browser(self.settings.attach, self.settings)
                    if self.settings.attach
                    else launch_browser(self.settings)
                )
            return self._engine

    async def close(self) -> None:
        for run in list(self._sessions):
            with contextlib.suppress(ToolError):
                await self.end(run)
        async with self._lock:
            if self._engine is not None:
                await self._engine.stop()
                self._engine = None


async def _find_no_room() -> bool:
    return False


async def launch_browser(settings: BrowserSettings) -> BrowserProcess:
    """Start a browser; its reaper is started first, so that a crash at any moment is cleaned up."""
    executable = chromium.find_executable(settings.executable)
    reaper, home = await start_reaper()
    try:
        driver = await _start_driver(home)
        try:
            browser, place = await _start_chromium(driver, settings, executable, home)
            line = await browser.new_browser_cdp_session()
        except BaseException:
            await driver.stop()
            raise
    except BaseException:
        await finish_reaper(reaper)
        raise
    sockets = SocketGate(RequestGate(line))
    return BrowserProcess(driver, browser, line, watch_browser(browser, settings), sockets, reaper, home, place)


async def attach_browser(address: str, settings: BrowserSettings, *, keeps_tabs: bool = False) -> BrowserProcess:
    """Use the person's own running browser, with its tabs and logins."""
    from playwright.async_api import Error

    try:
        return await connect_browser(address, settings, BrowserPlace("person", keeps_tabs=keeps_tabs))
    except Error as error:
        raise BrowserError(
            f"No browser could be attached at {address}: {first_message_line(str(error))}.",
            "Start Chrome with --remote-debugging-port=9222 and its own --user-data-dir, then try again.",
        ) from None


async def connect_browser(
    address: str, settings: BrowserSettings, place: BrowserPlace, seconds: float = START_TIMEOUT
) -> BrowserProcess:
    """Connect to a browser that runs, by its DevTools address; `playwright+ws://…` is that of a Playwright server."""
    driver = await _start_driver()
    try:
        if address.startswith(PLAYWRIGHT):
            browser = await driver.chromium.connect(address.removeprefix(PLAYWRIGHT), timeout=seconds * 1000)
        else:
            browser = await driver.chromium.connect_over_cdp(address, timeout=seconds * 1000, no_defaults=True)
        line = await browser.new_browser_cdp_session()
    except BaseException:
        await driver.stop()
        raise
    sockets = SocketGate(RequestGate(line))
    return BrowserProcess(driver, browser, line, watch_browser(browser, settings), sockets, place=place)


def watch_browser(browser: "Chromium", settings: BrowserSettings) -> CallGuard:
    """A guard that breaks when the browser disconnects. A dead driver sends no event: see `BrowserProcess.is_alive`."""
    guard = CallGuard(settings.timeout)
    browser.on("disconnected", lambda _: guard.break_calls("The browser died"))
    return guard


async def start_reaper() -> tuple[Process, str]:
    """Start a reaper; return it and the folder that it will remove."""
    return await _finish_start(_start_reaper(), lambda started: finish_reaper(started[0]))


async def _finish_start(start: Coroutine[Any, Any, T], undo: Callable[[T], Awaitable[object]]) -> T:
    """Await the start of a process even if cancelled, then undo it: asyncio would kill a half-started process, wait for
    ever, and leave what it made."""
    starting = asyncio.ensure_future(start)
    try:
        return await asyncio.shield(starting)
    except asyncio.CancelledError:
        await asyncio.wait({starting}, timeout=STOP_TIMEOUT)
        if starting.done() and not starting.exception():
            await undo(starting.result())
        raise


async def _start_reaper() -> tuple[Process, str]:
    reaper = await asyncio.create_subprocess_exec(
        sys.executable, "-I", "-S", str(REAPER), stdin=PIPE, stdout=PIPE, start_new_session=True
    )
    assert reaper.stdout is not None
    return reaper, (await reaper.stdout.readline()).decode().strip()


async def finish_reaper(reaper: Process) -> None:
    """Make the reaper clean up now, and wait until it is done."""
    with contextlib.suppress(ConnectionError, TimeoutError):
        await asyncio.wait_for(reaper.communicate(b"bye\n"), STOP_TIMEOUT)


async def _start_driver(home: str = "") -> "Playwright":
    from playwright.async_api import Error, async_playwright

    manager = async_playwright()
    try:
        async with _temporary_folder(home or tempfile.gettempdir()):
            driver = await asyncio.wait_for(_finish_start(manager.start(), lambda driver: driver.stop()), START_TIMEOUT)
    except BaseException as error:
        # Playwright raises a bare Exception where its driver ends at once.
        if type(error) is not Exception and not isinstance(error, (Error, TimeoutError, OSError)):
            raise
        raise BrowserError(
            f"The browser driver did not start: {first_message_line(str(error))}.",
            "Install the package playwright again, and libatomic (libatomic1 in Debian) where the system has none.",
        ) from None
    # A driver that dies leaves its error in a future that nobody awaits; asyncio would report it much later.
    transport = getattr(getattr(manager, "_client", None), "_transport", None)
    failure: asyncio.Future[None] | None = getattr(transport, "on_error_future", None)
    if failure is not None:
        failure.add_done_callback(lambda end: end.cancelled() or end.exception())
    return driver


@contextlib.asynccontextmanager
async def _temporary_folder(folder: str) -> AsyncGenerator[None]:
    """Set TMPDIR while the driver starts: it puts profiles there and has no other setting for that.

    One start at a time: a profile in another browser's folder would be removed with that browser.
    """
    tempfile.gettempdir()  # caches the folder, so that this process's own temporary files stay where they were
    # Other event loops of this process may start browsers too, so an asyncio lock does not work.
    while not START_LOCK.acquire(blocking=False):  # noqa: ASYNC110
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
        START_LOCK.release()


async def _start_chromium(
    driver: "Playwright", settings: BrowserSettings, executable: str, home: str
) -> "tuple[Chromium, BrowserPlace]":
    from playwright.async_api import Error

    failure, starter = "", chromium.write_starter(executable, home)
    for sandbox in (True, False) if chromium.can_sandbox() else (False,):
        try:
            browser = await driver.chromium.launch(
                executable_path=starter,
                artifacts_dir=f"{home}/artifacts",
                headless=settings.headless,
                chromium_sandbox=sandbox,
                args=chromium.launch_flags(settings),
                timeout=START_TIMEOUT * 1000,
            )
        except Error as error:
            failure = failure or first_message_line(str(error))
            continue
        if failure:
            log.warning("the browser runs without its sandbox, as it does not start with it: %s", failure)
        return browser, BrowserPlace(sandboxed=sandbox)
    raise BrowserError(
        f"{executable} did not start: {failure}.", "Start it by hand to see why, or name another in browser.executable."
    )

"""A browser that runs elsewhere: its address, the connection to it, and the flags that it was started with."""

import asyncio
import contextlib
import ipaddress
import logging
import socket
import time
from collections.abc import Iterable
from typing import Literal
from urllib.parse import urlencode, urlsplit

from pilotfish.browser.sessions.browser_pool import BrowserPlace, BrowserProcess, connect_browser
from pilotfish.browser.sessions.call_guard import first_message_line
from pilotfish.browser.sessions.chromium import FLAGS
from pilotfish.core.errors import BrowserError, ToolError
from pilotfish.core.settings import BrowserSettings
from pilotfish.core.values import Value

CHECK = 5.0
"""Seconds after which the addresses of a name are asked for again, and a browser that failed is tried again."""
LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})
RemoteState = Literal["ready", "full", "draining", "unreachable"]
log = logging.getLogger(__name__)


class RemoteInfo(Value):
    """A browser elsewhere, as it is told to people."""

    address: str
    state: RemoteState
    sessions: int = 0
    why: str = ""


class RemoteBrowser:
    """One browser elsewhere: its connection, and the sessions in it."""

    def __init__(self, address: str, settings: BrowserSettings) -> None:
        self.address = address
        self.settings = settings
        self.sessions: set[str] = set()
        self.draining = False
        self.why = ""
        self._failed = 0.0
        self._engine: BrowserProcess | None = None
        self._lock = asyncio.Lock()

    @property
    def can_be_tried(self) -> bool:
        return not self.why or time.monotonic() >= self._failed + CHECK

    @property
    def state(self) -> RemoteState:
        if self.draining:
            return "draining"
        if self.why:
            return "unreachable"
        return "full" if len(self.sessions) >= self.settings.remote_sessions else "ready"

    async def connect(self) -> BrowserProcess:
        """The connection; a new one if it was lost."""
        async with self._lock:
            if self._engine is not None and not await self._engine.is_alive():
                await self._leave()
            if self._engine is None:
                self._engine = await connect_remote(self.address, self.settings)
                self.why = ""
            return self._engine

    def fail(self, why: str) -> None:
        """Note that it cannot be used for now."""
        self.why, self._failed = why, time.monotonic()

    async def is_lost(self) -> bool:
        """Whether it was connected and does not answer any more."""
        return self._engine is not None and not await self._engine.is_alive()

    async def close(self) -> None:
        async with self._lock:
            await self._leave()

    async def _leave(self) -> None:
        engine, self._engine = self._engine, None
        if engine is not None:
            await engine.stop()


async def connect_remote(address: str, settings: BrowserSettings) -> BrowserProcess:
    """Connect to a browser elsewhere. Its address is told without what may be a secret in it."""
    from playwright.async_api import Error

    token = settings.remote_token.get_secret_value()
    full = f"{address}{'&' if urlsplit(address).query else '?'}{urlencode({'token': token})}" if token else address
    host = urlsplit(address).hostname or ""
    place = BrowserPlace("remote", "" if host in LOCAL else host)
    try:
        engine = await _connect(full, settings, place)
    except Error as error:
        said, parts = first_message_line(str(error)), urlsplit(address)
        for secret in filter(None, (full, token, parts.query, parts.path.strip("/"))):
            said = said.replace(secret, "…")
        raise BrowserError(
            f"The browser at {show_address(address)} cannot be reached: {said}.",
            "Start it with --remote-debugging-port, or correct browser.remote.",
        ) from None
    if missing := await missing_flags(engine):
        log.warning("the browser at %s was started without %s", show_address(address), " ".join(missing))
    return engine


async def _connect(address: str, settings: BrowserSettings, place: BrowserPlace) -> BrowserProcess:
    """Connect within half of the time that a session waits for a browser, so that another one can be tried.

    A browser that is just starting may leave the first connection without an answer, so that gets a part of the time.
    """
    from playwright.async_api import TimeoutError as ConnectTimeout

    try:
        return await connect_browser(address, settings, place, settings.timeout / 8)
    except ConnectTimeout:
        return await connect_browser(address, settings, place, settings.timeout * 3 / 8)


def show_address(address: str) -> str:
    """The machine and port of an address; path, query and user may be secrets."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"


async def missing_flags(engine: BrowserProcess) -> list[str]:
    """Our flags that a browser was started without, as far as it tells; see docs/operating.md."""
    try:
        call = engine.cdp_session.send("Browser.getBrowserCommandLine")
        given = (await engine.guard.call(call, "asking for the flags"))["arguments"]
    except ToolError:
        return []
    return [flag for flag in FLAGS if not any(each.startswith(flag) for each in given)]


async def resolve_addresses(addresses: Iterable[str]) -> list[str]:
    """The addresses, with each name of an http address replaced by all that it stands for.

    Chromium answers only who calls it by number, and a name of a cluster stands for all of its browsers.
    """
    found: list[str] = []
    for address in addresses:
        parts = urlsplit(address)
        if parts.scheme != "http" or not parts.hostname or _is_number(parts.hostname):
            found.append(address)
            continue
        with contextlib.suppress(OSError):
            loop = asyncio.get_running_loop()
            places = await loop.getaddrinfo(parts.hostname, parts.port or 80, type=socket.SOCK_STREAM)
            hosts = sorted({str(place[4][0]) for place in places})
            found += [parts._replace(netloc=_join(host, parts.port or 80)).geturl() for host in hosts]
    return list(dict.fromkeys(found))


def _join(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _is_number(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True

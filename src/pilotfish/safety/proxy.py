"""The one way out of a browser session: a SOCKS proxy on loopback that lets through what the limits allow.

Everything a page can start goes through it: navigation, redirects, frames, fetch, workers, WebSockets, beacons. It
resolves names itself and connects to the very address that it checked, so a name that changes its mind gains nothing.
"""

import asyncio
import contextlib
import ipaddress
from collections.abc import Callable
from dataclasses import dataclass

from pilotfish.safety.address import Address, parse
from pilotfish.safety.fence import Limits

HELLO, CONNECT, NAMED = 5, 1, 3
FINE, FORBIDDEN, UNKNOWN, SILENT = 0, 2, 4, 5
LENGTHS = {1: 4, 4: 16}
PATIENCE = 20.0
FAREWELL = 1.0
CHUNK = 65_536
KEPT = 200
# What Chromium itself calls, such as to tell which forms a page has. No page needs them, so nobody is told either.
SERVICES = frozenset(
    f"{name}.googleapis.com"
    for name in ("content-autofill", "optimizationguide-pa", "update", "clientservices", "safebrowsing")
)

Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass(frozen=True)
class Blocked:
    """A connection that was not made."""

    host: str
    port: int
    why: str


class Refused(Exception):
    """A connection that must not or cannot be made, with SOCKS's number for it."""

    def __init__(self, code: int, why: str = "") -> None:
        super().__init__(why)
        self.code = code


class Proxy:
    """One session's way out. `limits` is asked anew for each connection."""

    def __init__(self, limits: Callable[[], Limits]) -> None:
        self.limits = limits
        self.blocked: list[Blocked] = []
        self.failed: dict[str, str] = {}
        self._server: asyncio.Server | None = None
        self._opening = asyncio.Lock()
        self._open: set[asyncio.Task[None]] = set()

    async def start(self) -> str:
        """Listen; the address that a browser is told."""
        async with self._opening:
            if self._server is None:
                self._server = await asyncio.start_server(self._met, "127.0.0.1", 0)
        return f"socks5://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def close(self) -> None:
        async with self._opening:
            if self._server is not None:
                self._server.close()
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)
        self._server = None

    def drain(self) -> list[Blocked]:
        """What was refused since the last time, each place once."""
        found, self.blocked = list(dict.fromkeys(self.blocked)), []
        return found

    def _met(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(self._serve(reader, writer))
        self._open.add(task)
        task.add_done_callback(self._open.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                there = await self._wanted(*await _wish(reader, writer))
            writer.write(_answer(FINE))
            await _join((reader, writer), there)
        except Refused as no:
            writer.write(_answer(no.code))
        except (OSError, asyncio.IncompleteReadError, TimeoutError):
            pass
        finally:
            await _shut(writer)

    async def _wanted(self, host: str, port: int) -> Stream:
        """The connection, or the reason why there is none, kept for who asks."""
        self.failed.pop(host, None)
        try:
            return await self._reach(host, port)
        except Refused as no:
            self.failed = dict(list(self.failed.items())[-KEPT:]) | {host: str(no)}
            raise

    def why(self, url: str) -> str:
        """Why an address could not be reached, as far as the door knows."""
        where = parse(url)
        return self.failed.get(where.host, "") if where else ""

    async def _reach(self, host: str, port: int) -> Stream:
        """A connection to the first address of a name that answers; all of them must be allowed."""
        if host in SERVICES:
            raise Refused(FORBIDDEN, f"{host} serves browsers, not people")
        limits = self.limits()
        why = limits.name(Address("http", host, port))
        addresses = [] if why else await _resolved(host, port)
        for address in addresses:
            why = why or limits.number(address, port)
        if why:
            self.blocked = [*self.blocked[-KEPT:], Blocked(host, port, why)]
            raise Refused(FORBIDDEN, why)
        for address in addresses:
            with contextlib.suppress(OSError):
                return await asyncio.open_connection(address, port, limit=CHUNK)
        raise Refused(SILENT, "nothing answers there: the connection was refused")


async def _wish(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> tuple[str, int]:
    """The greeting, and where the browser wants to go."""
    version, count = await reader.readexactly(2)
    await reader.readexactly(count)
    if version != HELLO:
        raise Refused(SILENT)
    writer.write(bytes((HELLO, 0)))
    _, command, _, kind = await reader.readexactly(4)
    if command != CONNECT:
        raise Refused(SILENT)
    if kind == NAMED:
        name = (await reader.readexactly((await reader.readexactly(1))[0])).decode("ascii", "replace").lower()
    else:
        name = str(ipaddress.ip_address(await reader.readexactly(LENGTHS[kind])))
    port = int.from_bytes(await reader.readexactly(2), "big")
    if not name.strip("."):
        raise Refused(UNKNOWN)
    return name.rstrip("."), port


async def _resolved(host: str, port: int) -> list[str]:
    from pilotfish.web.guard import literal, system

    if given := literal(host):
        return [str(given)]
    try:
        return await system(host, port)
    except (OSError, UnicodeError):
        raise Refused(UNKNOWN, "there is no site of that name (or no network)") from None


def _answer(code: int) -> bytes:
    return bytes((HELLO, code, 0, 1, 0, 0, 0, 0, 0, 0))


async def _join(one: Stream, other: Stream) -> None:
    """Pass on both ways until both are done."""
    try:
        await asyncio.gather(_pass(one[0], other[1]), _pass(other[0], one[1]))
    finally:
        await _shut(other[1])


async def _shut(writer: asyncio.StreamWriter) -> None:
    """Close, sending what is left if the other side takes it."""
    writer.close()
    with contextlib.suppress(OSError, TimeoutError):
        await asyncio.wait_for(writer.wait_closed(), FAREWELL)


async def _pass(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(CHUNK):
            writer.write(data)
            await writer.drain()
        writer.write_eof()
    except OSError:
        writer.close()

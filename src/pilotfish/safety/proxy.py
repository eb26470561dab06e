"""A SOCKS proxy on loopback through which a browser session makes all connections, within the network limits.

Everything a page can start goes through it: navigation, redirects, frames, fetch, workers, WebSockets, beacons. It
resolves names itself and connects to the address that it checked, so a second, different resolution has no effect.
"""

import asyncio
import contextlib
import ipaddress
import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pilotfish.core.given_pages import GIVEN_HOST, given_page, http_answer
from pilotfish.core.sockets import own_address
from pilotfish.safety.address import WebPlace, parse_address
from pilotfish.safety.network_limits import NetworkLimits

SOCKS_VERSION, CONNECT_COMMAND, NAME_ADDRESS = 5, 1, 3
SUCCESS, FORBIDDEN, UNKNOWN, UNREACHABLE = 0, 2, 4, 5
"""Numbers of SOCKS 5: its version, the command, an address that is a name; and its answers."""
ADDRESS_LENGTHS = {1: 4, 4: 16}
CONNECT_TIMEOUT = 20.0
CLOSE_TIMEOUT = 1.0
CHUNK_BYTES = 65_536
KEPT_BLOCKS = 200
# Services that Chromium itself calls, such as to classify forms. No page needs them, so refusals are not reported.
BROWSER_SERVICES = frozenset(
    f"{name}.googleapis.com"
    for name in ("content-autofill", "optimizationguide-pa", "update", "clientservices", "safebrowsing")
)

Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass(frozen=True)
class BlockedConnection:
    """A connection that was not made."""

    host: str
    port: int
    why: str


class ConnectionRefused(Exception):
    """A connection that must not or cannot be made, with SOCKS's number for it."""

    def __init__(self, code: int, why: str = "") -> None:
        super().__init__(why)
        self.code = code


class LimitingProxy:
    """The proxy of one session. `limits` is called for each connection; `given` is the folder of the given files."""

    def __init__(self, limits: Callable[[], NetworkLimits], given: Path | None = None) -> None:
        self.limits = limits
        self.given = given
        self.blocked: list[BlockedConnection] = []
        self.failed: dict[str, str] = {}
        self._server: asyncio.Server | None = None
        self._away: dict[str, asyncio.Server] = {}
        self._opening = asyncio.Lock()
        self._open: set[asyncio.Task[None]] = set()
        self.address = ""
        """This machine as browsers on other machines see it; empty: found out."""

    async def start(self) -> str:
        """Listen; return the proxy's address for the browser."""
        async with self._opening:
            if self._server is None:
                self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        return f"socks5://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def open_to(self, machine: str) -> str:
        """Listen also where a browser on another machine reaches this one; nobody else may connect there."""
        async with self._opening:
            if machine not in self._away:
                loop = asyncio.get_running_loop()
                places = await loop.getaddrinfo(machine, 0, type=socket.SOCK_STREAM)
                peers = frozenset(str(place[4][0]) for place in places)
                anywhere = "::" if ":" in self.address else "0.0.0.0"
                host = anywhere if self.address else await asyncio.to_thread(own_address, machine)

                def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                    if writer.get_extra_info("peername")[0].removeprefix("::ffff:") in peers:
                        self._accept(reader, writer)
                    else:
                        writer.close()

                self._away[machine] = await asyncio.start_server(accept, host, 0)
        bound = self._away[machine].sockets[0].getsockname()
        host = self.address or str(bound[0])
        return f"socks5://[{host}]:{bound[1]}" if ":" in host else f"socks5://{host}:{bound[1]}"

    async def close(self) -> None:
        async with self._opening:
            for server in (*self._away.values(), *([self._server] if self._server is not None else [])):
                server.close()
            self._away.clear()
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)
        self._server = None

    def drain(self) -> list[BlockedConnection]:
        """The connections refused since the last call, each place once."""
        found, self.blocked = list(dict.fromkeys(self.blocked)), []
        return found

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(self._serve(reader, writer))
        self._open.add(task)
        task.add_done_callback(self._open.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(CONNECT_TIMEOUT):
                host, port = await _read_request(reader, writer)
                if host == GIVEN_HOST and self.given is not None:
                    return await _serve_given((reader, writer), self.given)
                there = await self._connect(host, port)
            writer.write(_answer(SUCCESS))
            await _copy_both((reader, writer), there)
        except ConnectionRefused as no:
            writer.write(_answer(no.code))
        except (OSError, asyncio.IncompleteReadError, TimeoutError):
            pass
        finally:
            await _close_writer(writer)

    async def _connect(self, host: str, port: int) -> Stream:
        """Connect; keep the reason for a refusal."""
        self.failed.pop(host, None)
        try:
            return await self._open_connection(host, port)
        except ConnectionRefused as no:
            self.failed = dict(list(self.failed.items())[-KEPT_BLOCKS:]) | {host: str(no)}
            raise

    def explain_block(self, url: str) -> str:
        """Why an address could not be reached; empty if the proxy did not refuse it."""
        where = parse_address(url)
        return self.failed.get(where.host, "") if where else ""

    async def _open_connection(self, host: str, port: int) -> Stream:
        """A connection to the first address of a name that answers; all of them must be allowed."""
        if host in BROWSER_SERVICES:
            raise ConnectionRefused(FORBIDDEN, f"{host} serves browsers, not people")
        limits = self.limits()
        why = limits.refuse_name(WebPlace("http", host, port))
        addresses = [] if why else await _resolve(host, port)
        for address in addresses:
            why = why or limits.refuse_address(address, port)
        if why:
            self.blocked = [*self.blocked[-KEPT_BLOCKS:], BlockedConnection(host, port, why)]
            raise ConnectionRefused(FORBIDDEN, why)
        for address in addresses:
            with contextlib.suppress(OSError):
                return await asyncio.open_connection(address, port, limit=CHUNK_BYTES)
        raise ConnectionRefused(UNREACHABLE, "nothing answers there: the connection was refused")


async def _read_request(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> tuple[str, int]:
    """Read the SOCKS greeting; return the host and port that the browser asks for."""
    version, count = await reader.readexactly(2)
    await reader.readexactly(count)
    if version != SOCKS_VERSION:
        raise ConnectionRefused(UNREACHABLE)
    writer.write(bytes((SOCKS_VERSION, 0)))
    _, command, _, kind = await reader.readexactly(4)
    if command != CONNECT_COMMAND:
        raise ConnectionRefused(UNREACHABLE)
    if kind == NAME_ADDRESS:
        name = (await reader.readexactly((await reader.readexactly(1))[0])).decode("ascii", "replace").lower()
    else:
        name = str(ipaddress.ip_address(await reader.readexactly(ADDRESS_LENGTHS[kind])))
    port = int.from_bytes(await reader.readexactly(2), "big")
    if not name.strip("."):
        raise ConnectionRefused(UNKNOWN)
    return name.rstrip("."), port


async def _resolve(host: str, port: int) -> list[str]:
    from pilotfish.web.address_guard import literal_address, system_resolver

    if given := literal_address(host):
        return [str(given)]
    try:
        return await system_resolver(host, port)
    except (OSError, UnicodeError):
        raise ConnectionRefused(UNKNOWN, "there is no site of that name (or no network)") from None


async def _serve_given(stream: Stream, folder: Path) -> None:
    """Answer one request for a given file, without any connection to elsewhere."""
    reader, writer = stream
    writer.write(_answer(SUCCESS))
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.LimitOverrunError:
        return
    method, _, rest = head.decode("latin-1").partition(" ")
    page = await asyncio.to_thread(given_page, folder, rest.partition(" ")[0]) if method == "GET" else None
    writer.write(http_answer(page))
    await writer.drain()


def _answer(code: int) -> bytes:
    return bytes((SOCKS_VERSION, code, 0, 1, 0, 0, 0, 0, 0, 0))


async def _copy_both(one: Stream, other: Stream) -> None:
    """Copy both directions until both have ended."""
    try:
        await asyncio.gather(_copy_stream(one[0], other[1]), _copy_stream(other[0], one[1]))
    finally:
        await _close_writer(other[1])


async def _close_writer(writer: asyncio.StreamWriter) -> None:
    """Close, after sending what is left if the other side still reads."""
    writer.close()
    with contextlib.suppress(OSError, TimeoutError):
        await asyncio.wait_for(writer.wait_closed(), CLOSE_TIMEOUT)


async def _copy_stream(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(CHUNK_BYTES):
            writer.write(data)
            await writer.drain()
        writer.write_eof()
    except OSError:
        writer.close()

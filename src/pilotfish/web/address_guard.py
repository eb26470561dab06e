"""Decides which addresses may be reached. The checked address is the one that is connected to.

A name is resolved here, once, and the connection goes to the address that was checked, so a name that changes
its answer between the check and the connection gains nothing.
"""

import asyncio
import ipaddress
import socket
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, cast
from urllib.parse import urlsplit

import httpcore2
import httpx2

from pilotfish.core.errors import ToolError

IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
Resolver = Callable[[str, int], Awaitable[list[str]]]

NAT64 = ipaddress.ip_network("64:ff9b::/96")
LOCAL_NAMES = ("localhost", "local", "internal", "intranet", "lan", "home.arpa", "corp", "private")
REFUSAL = "Use a public address, or allow private ones with the setting fetch.allow_private."


async def system_resolver(host: str, port: int) -> list[str]:
    """What the system's resolver answers, in its order."""
    loop = asyncio.get_running_loop()
    rows = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(row[4][0]) for row in rows))


def literal_address(host: str) -> IpAddress | None:
    """The IP address that a host spells, also in the octal, hexadecimal and one-number forms that sockets accept."""
    try:
        return ipaddress.ip_address(host.strip("[]").split("%", 1)[0])
    except ValueError:
        pass
    try:
        return ipaddress.IPv4Address(socket.inet_aton(host)) if host[:1].isdigit() else None
    except OSError:
        return None


def is_public(address: IpAddress) -> bool:
    """Whether an address, or the one hidden in it (mapped, 6to4, Teredo, NAT64), is on the public internet."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
        if address in NAT64:
            inner.append(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
        if any(each is not None and not is_public(each) for each in inner):
            return False
        if address.ipv4_mapped is not None:
            return True
    return address.is_global and not address.is_multicast


class AddressGuard:
    """Refuses addresses that are not on the public internet, unless `private` is set."""

    def __init__(self, private: bool = False, resolve: Resolver = system_resolver) -> None:
        self.private = private
        self._resolve = resolve

    def check(self, url: str) -> None:
        """Refuse a URL that is wrong in itself, before its host is resolved."""
        try:
            parts = urlsplit(url)
            host, _ = parts.hostname or "", parts.port
        except ValueError as error:
            raise ToolError(f"{url!r} is not a URL: {error}.", "Give a whole address such as https://…") from error
        if parts.scheme not in ("http", "https"):
            raise ToolError(f"{url!r} is not an http or https address.", "Give a whole address such as https://…")
        if not host:
            raise ToolError(f"{url!r} names no host.", "Give a whole address such as https://…")
        address = literal_address(host)
        named = "." not in host.rstrip(".") or host.rstrip(".").endswith(tuple(f".{name}" for name in LOCAL_NAMES))
        if not self.private and (not is_public(address) if address else named):
            raise ToolError(f"{host} is a private address, and those are not fetched.", REFUSAL)

    async def addresses(self, host: str, port: int) -> list[str]:
        """The addresses of a host, all of them allowed."""
        spelled = literal_address(host)
        try:
            answers = [str(spelled)] if spelled else await self._resolve(host, port)
        except (OSError, UnicodeError) as error:
            raise ToolError(f"The name {host} cannot be found.", "Check the spelling or try another source.") from error
        if not self.private and not all(is_public(ipaddress.ip_address(each.split("%", 1)[0])) for each in answers):
            raise ToolError(f"{host} leads to a private address, and those are not fetched.", REFUSAL)
        return answers


class PinnedBackend(httpcore2.AsyncNetworkBackend):
    """Connects to the checked address, never to a name."""

    def __init__(self, guard: AddressGuard) -> None:
        self._guard = guard
        self._inner = cast("httpcore2.AsyncNetworkBackend", httpcore2.AnyIOBackend())

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        failure: httpcore2.ConnectError | httpcore2.ConnectTimeout | None = None
        for address in await self._guard.addresses(host, port):
            try:
                return await self._inner.connect_tcp(address, port, timeout, local_address, socket_options)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
        raise failure or httpcore2.ConnectError(f"{host} has no address")


class GuardedTransport(httpx2.AsyncHTTPTransport):
    """An HTTP transport whose connections all pass the guard."""

    def __init__(self, guard: AddressGuard) -> None:
        # Reading the system's certificates is slow, so it is done once.
        trusted = httpx2.create_ssl_context()
        super().__init__(verify=trusted)
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=trusted,
            max_connections=20,
            max_keepalive_connections=10,
            keepalive_expiry=10.0,
            network_backend=PinnedBackend(guard),
        )


def guarded_client(guard: AddressGuard, timeout: float, agent: str) -> httpx2.AsyncClient:
    """A client behind the guard. It follows no redirects by itself and takes no proxy from the environment."""
    return httpx2.AsyncClient(
        transport=GuardedTransport(guard),
        timeout=timeout,
        headers={"user-agent": agent},
        follow_redirects=False,
        trust_env=False,
    )

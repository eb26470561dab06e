"""A loopback server that plays every made-up site and records each request that arrives.

Its record is the only judge of what got through: a request that was held, refused or never sent is not in it.
"""

import asyncio
import base64
import hashlib
import socket
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager
from typing import Any
from urllib.parse import unquote_plus

from pilotfish.core.values import Value

MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
HTML = "text/html; charset=utf-8"
OTHER = "<!doctype html><title>Another page</title><p>Thank you.</p>"


class Arrival(Value):
    """One request that reached a site, or one message over a WebSocket (method WS)."""

    method: str
    host: str
    target: str
    headers: Mapping[str, str] = {}
    body: str = ""

    @property
    def line(self) -> str:
        return f"{self.method} {self.host}{self.target}"

    @property
    def text(self) -> str:
        """All that it carries, decoded once and as it came."""
        told = "\n".join((self.line, self.body, *(f"{name}: {value}" for name, value in self.headers.items())))
        return f"{told}\n{unquote_plus(told)}"


class Reply(Value):
    """What a site answers."""

    body: str = ""
    status: int = 200
    type: str = HTML
    headers: Mapping[str, str] = {}


class Sites:
    """Answers for every host. `pages` maps "host/path" or "/path" to a body or the fields of a `ModelReply`."""

    def __init__(self) -> None:
        self.arrived: list[Arrival] = []
        self.pages: Mapping[str, Any] = {}
        self.port = 0

    def placed(self, text: str) -> str:
        """Put this server's port where the text says PORT."""
        return text.replace("PORT", str(self.port))

    def answer(self, arrival: Arrival) -> Reply:
        path = arrival.target.partition("?")[0]
        for key in (f"{arrival.host}{arrival.target}", f"{arrival.host}{path}", path):
            if key in self.pages:
                told = self.pages[key]
                reply = Reply(body=told) if isinstance(told, str) else Reply.model_validate(told)
                headers = {name: self.placed(value) for name, value in reply.headers.items()}
                return reply.model_copy(update={"body": self.placed(reply.body), "headers": headers})
        return Reply(body=OTHER)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await self._exchange(reader, writer):
                pass
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """One request and its answer; whether another may follow."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        method, target, _ = head[0].split(" ", 2)
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)}
        body = await _body(reader, headers)
        host = headers.get("host", "").rpartition(":")[0] or headers.get("host", "")
        arrival = Arrival(method=method, host=host, target=target, headers=headers, body=body)
        self.arrived.append(arrival)
        if headers.get("upgrade", "").lower() == "websocket":
            await self._socket(arrival, reader, writer)
            return False
        reply = self.answer(arrival)
        data = reply.body.encode()
        lines = {
            "Content-Type": reply.type,
            "Content-Length": str(len(data)),
            "Access-Control-Allow-Origin": headers.get("origin", "*"),
            "Access-Control-Allow-Headers": "*",
            "Access-Control-Allow-Methods": "*",
            **reply.headers,
        }
        told = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        writer.write(f"HTTP/1.1 {reply.status} OK\r\n{told}\r\n".encode() + data)
        await writer.drain()
        return True

    async def _socket(self, arrival: Arrival, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        digest = hashlib.sha1((arrival.headers["sec-websocket-key"] + MAGIC).encode()).digest()
        accept = base64.b64encode(digest).decode()
        told = f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n"
        writer.write(f"HTTP/1.1 101 Switching Protocols\r\n{told}".encode())
        while True:
            first, second = await reader.readexactly(2)
            size = second & 127
            if size > 125:
                size = int.from_bytes(await reader.readexactly(2 if size == 126 else 8), "big")
            mask = await reader.readexactly(4)
            data = bytes(byte ^ mask[at % 4] for at, byte in enumerate(await reader.readexactly(size)))
            if first & 15 == 8:
                return
            said = Arrival(method="WS", host=arrival.host, target=arrival.target, body=data.decode(errors="replace"))
            self.arrived.append(said)


async def _body(reader: asyncio.StreamReader, headers: Mapping[str, str]) -> str:
    if headers.get("transfer-encoding", "") == "chunked":
        parts: list[bytes] = []
        while size := int(await reader.readline(), 16):
            parts.append(await reader.readexactly(size))
            await reader.readline()
        return b"".join(parts).decode(errors="replace")
    size = int(headers.get("content-length", "0"))
    return (await reader.readexactly(size)).decode(errors="replace")


@contextmanager
def names_lead_here() -> Generator[None]:
    """Let every name lead to this machine, as if the made-up sites were known to the network."""
    before: Callable[..., Any] = socket.getaddrinfo

    def found(host: Any, port: Any, *args: Any, **how: Any) -> Any:
        name = host.decode() if isinstance(host, bytes) else host
        named = isinstance(name, str) and not name.replace(".", "").isdigit() and ":" not in name
        return before("127.0.0.1" if named else host, port, *args, **how)

    socket.getaddrinfo = found
    try:
        yield
    finally:
        socket.getaddrinfo = before


@asynccontextmanager
async def opened_sites() -> AsyncGenerator[Sites]:
    sites = Sites()
    with names_lead_here():
        server = await asyncio.start_server(sites.serve, "127.0.0.1", 0)
        sites.port = server.sockets[0].getsockname()[1]
        try:
            yield sites
        finally:
            server.close()

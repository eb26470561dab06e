"""A small web on loopback: each path is a function from a request to an answer."""

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlsplit


@dataclass(frozen=True)
class Asked:
    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes


@dataclass(frozen=True)
class Reply:
    body: bytes = b""
    status: int = 200
    media: str = "text/html; charset=utf-8"
    headers: dict[str, str] = field(default_factory=dict[str, str])


Handler = Callable[[Asked], Reply | Awaitable[Reply]]


@dataclass
class Site:
    """Where it is, what it answers, and what it was asked."""

    port: int = 0
    routes: dict[str, Handler] = field(default_factory=dict[str, Handler])
    asked: list[Asked] = field(default_factory=list[Asked])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def page(self, path: str, body: str | bytes, **more: object) -> str:
        data = body.encode() if isinstance(body, str) else body
        reply = Reply(data, **more)  # pyright: ignore[reportArgumentType]
        self.routes[path] = lambda _: reply
        return self.url + path

    def json(self, path: str, value: object) -> str:
        return self.page(path, json.dumps(value), media="application/json")

    def at(self, path: str, handler: Handler) -> str:
        self.routes[path] = handler
        return self.url + path

    def redirect(self, path: str, to: str) -> str:
        return self.page(path, "", status=302, headers={"location": to})

    def count(self, path: str) -> int:
        return sum(each.path == path for each in self.asked)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            asked = await read_request(reader)
            self.asked.append(asked)
            handler = self.routes.get(asked.path, lambda _: Reply(b"nothing here", 404))
            reply = handler(asked)
            if not isinstance(reply, Reply):
                reply = await reply
            lines = {"content-type": reply.media, "content-length": str(len(reply.body)), "connection": "close"}
            head = "".join(f"{name}: {value}\r\n" for name, value in {**lines, **reply.headers}.items())
            writer.write(f"HTTP/1.1 {reply.status} X\r\n{head}\r\n".encode() + reply.body)
            await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


async def read_request(reader: asyncio.StreamReader) -> Asked:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    method, target, _ = head[0].split(" ", 2)
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)}
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    parts = urlsplit(target)
    return Asked(method, parts.path, dict(parse_qsl(parts.query)), headers, body)


@asynccontextmanager
async def site() -> AsyncGenerator[Site]:
    """A site that is there as long as the block runs."""
    made = Site()
    server = await asyncio.start_server(made._serve, "127.0.0.1", 0)
    made.port = server.sockets[0].getsockname()[1]
    try:
        yield made
    finally:
        server.close()

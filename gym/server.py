"""Serves many sites at once on one loopback port; each has its own path and its own data."""

from collections.abc import Mapping
from html import escape
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qsl, urlencode

from gym.site import Site
from pilotfish.core.sockets import listen, socket_url
from pilotfish.practice.loopback import serve_app

CLIENT = "client.js"


class SiteServer:
    """The running server: `async with SiteServer() as server: url = server.mount(site)`."""

    def __init__(self) -> None:
        self.sites: dict[str, Site] = {}
        self._numbers = count(1)
        self._script = Path(__file__).with_name(CLIENT).read_bytes()

    async def __aenter__(self) -> Self:
        listener = listen("127.0.0.1", 0, "")
        self.url = socket_url(listener)

        async def app(scope: Mapping[str, Any], receive: Any, send: Any) -> None:
            await self._answer(scope, receive, send)

        self._serving = serve_app(app, listener)
        await self._serving.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._serving.__aexit__(kind, error, trace)

    def mount(self, site: Site) -> str:
        """The address of the site's home page."""
        key = f"{site.draw.random.choice('abcdefgh')}{next(self._numbers)}"
        self.sites[key] = site
        site.base = f"/{key}"
        return f"{self.url}/{key}/"

    def remove(self, site: Site) -> None:
        self.sites.pop(site.base.strip("/"), None)

    async def _answer(self, scope: Mapping[str, Any], receive: Any, send: Any) -> None:
        _, key, path = f"{scope['path']}/".split("/", 2)
        body = b""
        while (event := await receive())["type"] == "http.request":
            body += event.get("body", b"")
            if not event.get("more_body"):
                break
        query = scope["query_string"].decode()
        status, kind, text = self._respond(scope["method"], key, f"/{path.removesuffix('/')}", query, body)
        headers = [(b"content-type", kind.encode()), (b"cache-control", b"no-store")]
        if status == 303:
            headers.append((b"location", text))
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": b"" if status == 303 else text})

    def _respond(self, method: str, key: str, path: str, query: str, body: bytes) -> tuple[int, str, bytes]:
        if key == CLIENT:
            return 200, "text/javascript; charset=utf-8", self._script
        site = self.sites.get(key)
        if site and method == "POST" and path.startswith("/act/"):
            form = dict(parse_qsl(query, keep_blank_values=True)) | dict(
                parse_qsl(body.decode(), keep_blank_values=True)
            )
            shown = site.post(path.removeprefix("/act/"), form)
            return 303, "text/plain", (site.base + encode_address(shown)).encode()
        html = site.get(f"{path}?{query}" if query else path) if site and method == "GET" else None
        if html is None:
            return 404, "text/html; charset=utf-8", f"<title>404</title><h1>404</h1><p>{escape(path)}".encode()
        return 200, "text/html; charset=utf-8", html.encode()


def encode_address(address: str) -> str:
    """An address whose query may have any characters, for a header."""
    path, _, query = address.partition("?")
    return f"{path}?{urlencode(parse_qsl(query, keep_blank_values=True))}" if query else path

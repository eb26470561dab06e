"""A loopback server for made-up apps: shows their pages, answers their requests, and records what arrives."""

import json
import re
import tomllib
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qsl

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from pilotfish.core.sockets import listen, socket_url
from pilotfish.core.values import Value
from pilotfish.practice.loopback import serve_app

PAGES = Path(__file__).parent / "pages"
SHARED = {"access-control-allow-origin": "*", "access-control-allow-headers": "*", "access-control-allow-methods": "*"}
TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


class RequestRecord(Value):
    """A request that arrived. Pages themselves and their scripts are not recorded."""

    place: str
    method: str
    path: str
    query: str
    body: Any


@cache
def load_items() -> list[dict[str, Any]]:
    return tomllib.loads((PAGES / "items.toml").read_text("utf-8"))["item"]


def find_items(asked: dict[str, Any]) -> dict[str, Any]:
    """Ten items: those that match `q` and the filters, sorted and paged as asked for."""
    words = str(asked.get("q", "")).casefold()
    found = [item for item in load_items() if words in item["name"].casefold()]
    for name, value in asked.get("filters", {}).items():
        found = [item for item in found if not value or item.get(name) == value]
    if by := asked.get("sort"):
        found.sort(key=lambda item: item[by], reverse=bool(asked.get("down")))
    first, size = int(asked.get("cursor", 0)), int(asked.get("size", 10))
    return {"items": found[first : first + size], "total": len(found), "cursor": first + size}


def read_body(kind: str, raw: bytes) -> Any:
    """JSON as JSON, a form as its fields, files as how many bytes came."""
    if "multipart" in kind:
        return {"bytes": len(raw)}
    text = raw.decode()
    if "urlencoded" in kind:
        return dict(parse_qsl(text, keep_blank_values=True))
    try:
        return json.loads(text) if text else None
    except json.JSONDecodeError:
        return text


@cache
def read_saved(file: Path) -> bytes:
    """A saved page whose links to its own site lead to this server."""
    page = file.read_bytes()
    hosts = re.findall(rb"<link[^>]+canonical[^>]+?//([\w.-]+)", page) + re.findall(rb'og:url"[^>]+?//([\w.-]+)', page)
    own = b".".join(hosts[0].split(b".")[-2:]) if hosts else b"nothing.invalid"
    return re.sub(rb"(?:https?:)?//(?:[\w-]+\.)*%s(?=[/\"'?#])" % re.escape(own), b"", page)


class AppServer:
    """The apps on one port, and on a second one the place where they send their statistics."""

    def __init__(self, saved: Path | None = None) -> None:
        self.saved = saved
        self.arrived: list[RequestRecord] = []
        self.url = ""
        self.metrics_url = ""

    def forget(self) -> None:
        self.arrived.clear()

    async def answer(self, request: Request) -> Response:
        path, kind = request.url.path, request.headers.get("content-type", "")
        if request.method == "OPTIONS":
            return Response(headers=SHARED)
        if self.saved and path.startswith("/saved/"):
            return HTMLResponse(read_saved(self.saved / path.removeprefix("/saved/").strip("/") / "index.html"))
        file = PAGES / path.strip("/")
        if request.method in ("GET", "HEAD") and file.suffix in TYPES and file.is_file():
            return FileResponse(file, media_type=TYPES[file.suffix])
        body = read_body(kind, await request.body())
        place = "metrics" if str(request.base_url).startswith(self.metrics_url) else "app"
        query = request.url.query
        self.arrived.append(RequestRecord(place=place, method=request.method, path=path, query=query, body=body))
        if request.method == "GET":
            return self._page(path)
        if "form" in kind:
            return RedirectResponse(f"{body.get('next') or '/done'}" if "bytes" not in body else "/done", 303)
        if path.endswith(("/search", "/query", "/feed", "/suggest")):
            return JSONResponse(find_items(body), headers=SHARED)
        return JSONResponse({"ok": True}, headers=SHARED)

    def _page(self, path: str) -> Response:
        file = PAGES / f"{path.strip('/').partition('/')[0]}.html"
        if path.endswith(".csv"):
            return Response("day,value\n1,2\n", media_type="text/csv", headers={"content-disposition": "attachment"})
        if not file.is_file():
            return HTMLResponse(f"<title>{path}</title><h1>Page {path}</h1><p>Thank you.</p>")
        return HTMLResponse(file.read_text("utf-8").replace("{{metrics}}", self.metrics_url))

    async def __aenter__(self) -> Self:
        listeners = [listen("127.0.0.1", 0, "") for _ in range(2)]
        self.url, self.metrics_url = map(socket_url, listeners)
        methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
        app = Starlette(routes=[Route("/{path:path}", self.answer, methods=methods)])
        self._serving = serve_app(app, *listeners)
        await self._serving.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._serving.__aexit__(kind, error, trace)

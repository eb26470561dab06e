"""A tiny site on loopback for browser tests: pages given as text, every request remembered."""

import ssl
import threading
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from pilotfish.browser.perception.snapshot import Snapshot
from pilotfish.browser.sessions.session import BrowserSession

Answer = tuple[int, Mapping[str, str], bytes]
Page = str | Callable[[BaseHTTPRequestHandler], Answer]


class Site:
    """Pages by path; `hits` holds the requests as `METHOD path`."""

    def __init__(self) -> None:
        self.pages: dict[str, Page] = {}
        self.hits: list[str] = []
        self.bodies: dict[str, bytes] = {}
        self.url = ""

    def put(self, path: str, page: Page) -> str:
        self.pages[path] = page
        return self.url + path

    def html(self, body: str, path: str = "/page") -> str:
        return self.put(path, f"<!doctype html><html lang=en><title>Stage</title><body>{body}</body></html>")

    def answer(self, handler: BaseHTTPRequestHandler) -> Answer:
        path = handler.path.split("?")[0]
        page = self.pages.get(path)
        if page is None:
            return 404, {"content-type": "text/html"}, b"<title>NotFoundError</title><h1>No such page</h1>"
        if callable(page):
            return page(handler)
        return 200, {"content-type": "text/html; charset=utf-8"}, page.encode()


@contextmanager
def serve_site(safely: ssl.SSLContext | None = None) -> Generator[Site]:
    """Serve on a loopback port, over TLS if its context is given."""
    site = Site()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def respond(self) -> None:
            length = int(self.headers.get("content-length") or 0)
            site.bodies[f"{self.command} {self.path}"] = self.rfile.read(length)
            site.hits.append(f"{self.command} {self.path}")
            status, headers, body = site.answer(self)
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self) -> None:
            self.respond()

        def do_POST(self) -> None:
            self.respond()

        def do_PUT(self) -> None:
            self.respond()

        def do_PATCH(self) -> None:
            self.respond()

        def do_DELETE(self) -> None:
            self.respond()

        def log_message(self, format: str, *args: object) -> None:
            return

        def handle(self) -> None:
            try:
                super().handle()
            except (ConnectionError, ssl.SSLError):
                return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    if safely:
        server.socket = safely.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    site.url = f"{'https' if safely else 'http'}://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.005,), daemon=True)
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


async def visit(session: BrowserSession, site: Site, body: str, path: str = "/page") -> Snapshot:
    tab = await session.tab()
    await tab.goto(site.html(body, path))
    return await tab.look()


def number(session: BrowserSession, name: str, role: str = "") -> int:
    """The number of the element so called in the last look."""
    view = session.tabs[session.active].last_snapshot
    assert view is not None
    found = [e.id for e in view.elements if e.name == name and role in ("", e.role)]
    assert found, f"{name!r} is not in:\n{view.render(6000)}"
    return found[0]


async def js(session: BrowserSession, code: str) -> object:
    return await (await session.tab()).page.evaluate(code)

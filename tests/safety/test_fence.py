"""The fence in a real browser: whatever a page starts stays within the limits."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from pilotfish.browser.pool import Pool
from pilotfish.core.errors import ToolError
from pilotfish.core.settings import Browser, Policy, Server, Settings
from pilotfish.runtime.browsing import Browsers, Tabs
from pilotfish.safety.fence import Limits

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
TRICKS = """
const goal = location.hash.slice(1);
const frame = (url) => { const f = document.createElement("iframe"); f.src = url; document.body.append(f); };
const done = Promise.allSettled([
  fetch(goal + "/fetch", {mode: "no-cors"}),
  fetch("/to?" + goal + "/redirected", {mode: "no-cors"}),
  fetch(goal.replace("127.0.0.1", "localhost") + "/named", {mode: "no-cors"}),
  fetch(goal.replace("127.0.0.1", "[::ffff:127.0.0.1]") + "/mapped", {mode: "no-cors"}),
  fetch(goal.replace("127.0.0.1", "0x7f.1") + "/spelled", {mode: "no-cors"}),
  fetch(goal.replace("127.0.0.1", "0.0.0.0") + "/zero", {mode: "no-cors"}),
  new Promise((end) => { const s = new WebSocket(goal.replace("http", "ws") + "/socket"); s.onclose = end; }),
  new Promise((end) => { const i = new Image(); i.onload = i.onerror = end; i.src = goal + "/picture"; }),
  new Promise((end) => { const w = new Worker("/worker#" + goal); w.onmessage = w.onerror = end; }),
]);
navigator.sendBeacon(goal + "/beacon");
frame(goal + "/frame");
frame("/to?" + goal + "/frame-redirected");
done.then(() => fetch("/finished"));
"""


class Site:
    """A small server that remembers what it was asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.finished = asyncio.Event()
        loop, site = asyncio.get_running_loop(), self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.asked.append(self.path)
                if self.path == "/finished":
                    loop.call_soon_threadsafe(site.finished.set)
                if self.path.startswith("/to?"):
                    self.send_response(302)
                    self.send_header("Location", self.path[4:])
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                    return
                script = self.path.startswith("/worker")
                body = (
                    WORKER
                    if script
                    else f"<title>Site</title><body><script>{TRICKS}</script>" * (self.path == "/tricks")
                )
                self.send_response(200)
                self.send_header("Content-Type", "text/javascript" if script else "text/html")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body.encode())

            def do_POST(self) -> None:
                self.do_GET()

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        Thread(target=self._server.serve_forever, daemon=True).start()
        self.port = self._server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


WORKER = "fetch(location.hash.slice(1) + '/worker', {mode: 'no-cors'}).finally(() => postMessage(1));"


@pytest.fixture
async def sites() -> AsyncIterator[tuple[Site, Site]]:
    pair = Site(), Site()
    yield pair
    for site in pair:
        await asyncio.to_thread(site.close)


@pytest.fixture(scope="module")
async def pool() -> AsyncIterator[Pool]:
    pool = Pool(Browser(timeout=10))
    yield pool
    await pool.close()


@asynccontextmanager
async def session(pool: Pool, home: Path, **limits: object) -> AsyncGenerator[Tabs]:
    browsers = Browsers(pool, home)
    tabs = browsers.of("talk")
    tabs.limits = replace(Limits(), **limits)  # pyright: ignore[reportArgumentType]
    try:
        yield tabs
    finally:
        await tabs.close()


async def test_no_trick_reaches_our_own_server(pool: Pool, sites: tuple[Site, Site], tmp_path: Path) -> None:
    page, own = sites
    async with session(pool, tmp_path, own=frozenset({own.port})) as tabs:
        await tabs.tab(f"{page.url}/tricks#{own.url}")
        await asyncio.wait_for(page.finished.wait(), 20)
        assert own.asked == []
        assert {one.why for one in tabs.proxy.drain()} == {"agents may not reach the server that runs them"}
        with pytest.raises(ToolError):
            await (await tabs.session()).open(own.url)
        with pytest.raises(ToolError):
            await (await tabs.session()).open(f"{page.url}/to?{own.url}/typed")
        assert own.asked == []


async def test_without_limits_the_same_page_reaches_everything(
    pool: Pool, sites: tuple[Site, Site], tmp_path: Path
) -> None:
    page, other = sites
    async with session(pool, tmp_path) as tabs:
        await tabs.tab(f"{page.url}/tricks#{other.url}")
        await asyncio.wait_for(page.finished.wait(), 20)
        ways = {"/fetch", "/redirected", "/named", "/spelled", "/socket", "/picture", "/worker", "/frame", "/beacon"}
        assert ways <= set(other.asked)


async def test_only_allowed_sites_are_reached(pool: Pool, sites: tuple[Site, Site], tmp_path: Path) -> None:
    page, other = sites
    async with session(pool, tmp_path, allowed=(f"127.0.0.1:{page.port}",)) as tabs:
        await tabs.tab(f"{page.url}/tricks#{other.url}")
        await asyncio.wait_for(page.finished.wait(), 20)
        assert other.asked == []


async def test_private_networks_are_closed_where_the_settings_say_so(
    pool: Pool, sites: tuple[Site, Site], tmp_path: Path
) -> None:
    async with session(pool, tmp_path, private=False) as tabs:
        file = tmp_path / "named.html"
        file.write_text("<title>Mine</title>")
        assert await (await tabs.tab(file.as_uri())).title() == "Mine"
        with pytest.raises(ToolError):
            await tabs.tab(sites[0].url)
        assert sites[0].asked == []


@pytest.fixture
def limits() -> Iterator[Limits]:
    policy = Policy(allowed=("shop.example", "10.0.0.1:8080"), blocked=("ads.shop.example",))
    yield Limits.of(Settings(policy=policy, server=Server(port=8417), browser=Browser(allow_private=False)))


@pytest.mark.parametrize(
    ("url", "open"),
    [
        ("https://shop.example/x", True),
        ("https://www.shop.example/", True),
        ("https://ads.shop.example/", False),
        ("https://shop.example.evil.example/", False),
        ("https://evil.example/?https://shop.example", False),
        ("https://shop.example@evil.example/", False),
        ("wss://evil.example/", False),
        ("http://127.0.0.1:8417/", False),
        ("data:text/plain,x", True),
    ],
)
def test_the_limits_read_addresses_as_browsers_do(limits: Limits, url: str, open: bool) -> None:
    assert (limits.url(url) is None) == open


def test_our_own_server_is_closed_under_every_name_of_this_machine() -> None:
    limits = Limits.of(Settings())
    for name in ("127.0.0.1", "127.9.9.9", "0.0.0.0", "::1", "::", "::ffff:127.0.0.1"):
        assert limits.number(name, 8417), name
        assert not limits.number(name, 8418), name
    assert not limits.number("93.184.216.34", 8417)

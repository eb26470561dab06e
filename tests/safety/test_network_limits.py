"""The network limits in a real browser: they hold for every connection that a page can start."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from pilotfish.browser.actions.navigation import navigate
from pilotfish.browser.sessions import chromium
from pilotfish.browser.sessions.browser_pool import BrowserPool
from pilotfish.browser.sessions.held_request import HeldRequest
from pilotfish.browser.sessions.session import SessionRules
from pilotfish.core.errors import ToolError
from pilotfish.core.settings import BrowserSettings, PolicySettings, ServerSettings, Settings
from pilotfish.runtime.conversation_browser import ConversationBrowser
from pilotfish.runtime.conversation_browsers import ConversationBrowsers
from pilotfish.safety.network_limits import NetworkLimits
from pilotfish.safety.proxy import LimitingProxy

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
  new Promise((end) => { const s = new EventSource(goal + "/stream"); s.onerror = () => { s.close(); end(); }; }),
  new Promise((end) => {
    const link = Object.assign(document.createElement("link"), {rel: "prefetch", href: goal + "/prefetch"});
    link.onload = link.onerror = end;
    document.head.append(link);
  }),
  new Promise((end) => {
    const style = Object.assign(document.createElement("link"), {rel: "stylesheet", href: goal + "/style"});
    style.onload = style.onerror = end;
    document.head.append(style);
  }),
  (async () => {
    await navigator.serviceWorker.register("/service.js");
    const service = (await navigator.serviceWorker.ready).active;
    const {port1, port2} = new MessageChannel();
    const answer = new Promise((end) => { port1.onmessage = end; });
    service.postMessage(goal, [port2]);
    await answer;
  })(),
]);
navigator.sendBeacon(goal + "/beacon");
frame(goal + "/frame");
frame("/to?" + goal + "/frame-redirected");
window.open(goal + "/popup");
const form = Object.assign(document.createElement("form"), {action: goal + "/form", method: "post", target: "hidden"});
const hidden = Object.assign(document.createElement("iframe"), {name: "hidden"});
document.body.append(hidden, form);
form.submit();
done.then(() => fetch("/finished"));
"""
SERVICE = """self.onmessage = (event) => fetch(event.data + "/service", {mode: "no-cors"}).finally(
  () => event.ports[0].postMessage(1));
self.onactivate = (event) => event.waitUntil(clients.claim());"""
CALL = """async (port) => {
  const peer = new RTCPeerConnection({iceServers: [{urls: `stun:127.0.0.1:${port}`}]});
  peer.createDataChannel("x");
  const gathered = new Promise((end) => {
    peer.onicegatheringstatechange = () => peer.iceGatheringState === "complete" && end();
  });
  await peer.setLocalDescription();
  await Promise.race([gathered, new Promise((end) => setTimeout(end, 6000))]);
  peer.close();
}"""


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
                script = self.path.startswith(("/worker", "/service.js"))
                page = f"<title>Site</title><body><script>{TRICKS}</script>" * (self.path == "/tricks")
                body = (SERVICE if "service" in self.path else WORKER) if script else page
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
async def pool() -> AsyncIterator[BrowserPool]:
    pool = BrowserPool(BrowserSettings(timeout=10))
    yield pool
    await pool.close()


@asynccontextmanager
async def session(pool: BrowserPool, home: Path, **limits: object) -> AsyncGenerator[ConversationBrowser]:
    browsers = ConversationBrowsers(pool, home)
    tabs = browsers.of("talk")
    tabs.limits = replace(NetworkLimits(), **limits)  # pyright: ignore[reportArgumentType]
    try:
        yield tabs
    finally:
        await tabs.close()


async def test_no_trick_reaches_our_own_server(pool: BrowserPool, sites: tuple[Site, Site], tmp_path: Path) -> None:
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
    pool: BrowserPool, sites: tuple[Site, Site], tmp_path: Path
) -> None:
    page, other = sites
    async with session(pool, tmp_path) as tabs:
        await tabs.tab(f"{page.url}/tricks#{other.url}")
        await asyncio.wait_for(page.finished.wait(), 20)
        ways = {"/fetch", "/redirected", "/named", "/spelled", "/socket", "/picture", "/worker", "/frame", "/beacon"}
        more = {"/stream", "/prefetch", "/style", "/service", "/popup", "/form", "/frame-redirected"}
        async with asyncio.timeout(20):
            while not ways | more <= set(other.asked):
                await asyncio.sleep(0.05)


async def test_only_allowed_sites_are_reached(pool: BrowserPool, sites: tuple[Site, Site], tmp_path: Path) -> None:
    page, other = sites
    async with session(pool, tmp_path, allowed=(f"127.0.0.1:{page.port}",)) as tabs:
        await tabs.tab(f"{page.url}/tricks#{other.url}")
        await asyncio.wait_for(page.finished.wait(), 20)
        assert other.asked == []


async def test_private_networks_are_closed_where_the_settings_say_so(
    pool: BrowserPool, sites: tuple[Site, Site], tmp_path: Path
) -> None:
    async with session(pool, tmp_path, private=False) as tabs:
        file = tmp_path / "named.html"
        file.write_text("<title>Mine</title>")
        assert await (await tabs.tab(file.as_uri())).title() == "Mine"
        with pytest.raises(ToolError):
            await tabs.tab(sites[0].url)
        assert sites[0].asked == []


class DatagramListener(asyncio.DatagramProtocol):
    """Hears whether anything comes by UDP."""

    def __init__(self) -> None:
        self.heard = asyncio.Event()

    def datagram_received(self, data: bytes, addr: object) -> None:
        self.heard.set()


async def call_by_webrtc(pool: BrowserPool, tmp_path: Path, page: Site) -> bool:
    """Whether a page that makes a call by WebRTC is heard on loopback."""
    loop = asyncio.get_running_loop()
    transport, listener = await loop.create_datagram_endpoint(DatagramListener, local_addr=("127.0.0.1", 0))
    try:
        tab = await (await pool.lease("call", tmp_path)).tab()
        await tab.goto(page.url)
        await tab.page.evaluate(CALL, transport.get_extra_info("sockname")[1])
        return listener.heard.is_set()
    finally:
        transport.close()


async def test_calls_by_webrtc_leave_the_machine_by_no_side_door(
    pool: BrowserPool, sites: tuple[Site, Site], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not await call_by_webrtc(pool, tmp_path, sites[0])
    monkeypatch.setattr(chromium, "FLAGS", ())
    careless = BrowserPool(BrowserSettings(timeout=10))
    try:
        assert await call_by_webrtc(careless, tmp_path, sites[0]), "without our switches the same page is heard"
    finally:
        await careless.close()


async def test_a_name_that_changes_its_mind_gains_nothing(
    sites: tuple[Site, Site], monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = [["203.0.113.7", "127.0.0.1"], ["127.0.0.1"], ["::ffff:127.0.0.1"], ["169.254.169.254"], ["fd00::1"]]
    count = len(answers)

    async def resolver(host: str, port: int) -> list[str]:
        return answers.pop(0)

    monkeypatch.setattr("pilotfish.web.address_guard.system_resolver", resolver)
    proxy = LimitingProxy(lambda: NetworkLimits(private=False))
    door = int((await proxy.start()).rpartition(":")[2])
    try:
        for _ in range(count):
            reader, writer = await asyncio.open_connection("127.0.0.1", door)
            name = b"rebind.example"
            wish = bytes((5, 1, 0, 3, len(name))) + name + sites[0].port.to_bytes(2, "big")
            writer.write(bytes((5, 1, 0)) + wish)
            assert (await reader.read(12))[3:4] != b"\0"
            writer.close()
    finally:
        await proxy.close()
    assert {one.why.partition(" ")[2] for one in proxy.blocked} == {"is a private address"}
    assert (len(proxy.blocked), sites[0].asked) == (count, [])


async def test_what_the_browser_itself_would_call_is_refused_without_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    async def resolver(host: str, port: int) -> list[str]:
        raise AssertionError(host)

    monkeypatch.setattr("pilotfish.web.address_guard.system_resolver", resolver)
    proxy = LimitingProxy(NetworkLimits)
    door = int((await proxy.start()).rpartition(":")[2])
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", door)
        name = b"content-autofill.googleapis.com"
        writer.write(bytes((5, 1, 0, 5, 1, 0, 3, len(name))) + name + (443).to_bytes(2, "big"))
        assert (await reader.readexactly(4))[3] == 2
        writer.close()
    finally:
        await proxy.close()
    assert proxy.blocked == []


async def _held_back(theirs: BrowserPool, folder: Path, page: Site) -> list[str]:
    """The methods of requests that were held and refused, each named once."""
    asked: list[str] = []

    async def refuse(request: HeldRequest) -> str:
        asked.extend([] if request.reads else [request.method])
        return "" if request.reads else "no"

    tab = await (await theirs.lease("gate", folder, None, SessionRules(request=refuse))).open(f"{page.url}/mine")
    await tab.page.evaluate("fetch('/given-away', {method: 'POST', body: 'x'}).catch(() => 0)")
    await theirs.end("gate")
    return asked


async def _load_sent_form_again(theirs: BrowserPool, folder: Path, page: Site) -> None:
    """Send a form as the person, then load its answer again as the agent."""

    async def allow(_: HeldRequest) -> str:
        return ""

    session = await theirs.lease("again", folder, None, SessionRules(request=allow))
    tab = await session.open(f"{page.url}/mine")
    await tab.page.set_content("<form id=f method=post action=/once></form>")
    await tab.page.evaluate("f.submit()")
    await tab.page.wait_for_url("**/once")
    with pytest.raises(ToolError, match="nothing was sent"):
        await navigate(session, "reload")
    await theirs.end("again")


async def test_a_browser_of_the_persons_own_is_held_where_it_can_be(sites: tuple[Site, Site], tmp_path: Path) -> None:
    page, other = sites
    profile = tmp_path / "profile"
    flags = [
        "--headless=new",
        "--no-first-run",
        "--disable-gpu",
        f"--user-data-dir={profile}",
        "--disable-popup-blocking",
    ]
    flags += [] if chromium.can_sandbox() else ["--no-sandbox"]
    person = await asyncio.create_subprocess_exec(
        chromium.find_executable(),
        *flags,
        "--remote-debugging-port=0",
        f"{page.url}/mine",
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        async with asyncio.timeout(20):
            while not (profile / "DevToolsActivePort").exists() or "/mine" not in page.asked:
                await asyncio.sleep(0.02)
        port = (profile / "DevToolsActivePort").read_text().split()[0]
        theirs = BrowserPool(BrowserSettings(attach=f"http://127.0.0.1:{port}"))
        async with session(theirs, tmp_path, allowed=(f"127.0.0.1:{page.port}",)) as tabs:
            for tab in (await (await tabs.session()).tab(), await (await tabs.session()).open()):
                page.finished.clear()
                await tab.goto(f"{page.url}/tricks#{other.url}")
                await asyncio.wait_for(page.finished.wait(), 20)
        held_back = await _held_back(theirs, tmp_path / "gate", page)
        await _load_sent_form_again(theirs, tmp_path / "again", page)
        await theirs.close()
        assert page.asked.count("/once") == 1
        assert held_back == ["POST"] and "/given-away" not in page.asked
        held = {
            "/fetch",
            "/redirected",
            "/named",
            "/spelled",
            "/picture",
            "/frame",
            "/frame-redirected",
            "/style",
            "/form",
        }
        assert held & set(other.asked) == set()
    finally:
        person.kill()
        await person.wait()


@pytest.fixture
def limits() -> Iterator[NetworkLimits]:
    policy = PolicySettings(allowed=("shop.example", "10.0.0.1:8080"), blocked=("ads.shop.example",))
    yield NetworkLimits.of(
        Settings(policy=policy, server=ServerSettings(port=8417), browser=BrowserSettings(allow_private=False))
    )


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
def test_the_limits_read_addresses_as_browsers_do(limits: NetworkLimits, url: str, open: bool) -> None:
    assert (limits.refuse_url(url) is None) == open


def test_our_own_server_is_closed_under_every_name_of_this_machine() -> None:
    limits = NetworkLimits.of(Settings())
    for name in ("127.0.0.1", "127.9.9.9", "0.0.0.0", "::1", "::", "::ffff:127.0.0.1"):
        assert limits.refuse_address(name, 8417), name
        assert not limits.refuse_address(name, 8418), name
    assert not limits.refuse_address("93.184.216.34", 8417)

"""The sites of a run hold in the tabs that were handed over: for pages, frames, fetch, sockets, workers and windows."""

from collections.abc import AsyncGenerator, Iterator
from dataclasses import dataclass, field

import pytest
from playwright.async_api import Error, Page
from websockets.asyncio.server import Server, ServerConnection, serve

from browser.stage import Answer, Site, serve_site
from interfaces.server.running_server import RunningServer

from .chores import wait_for
from .person import PersonChrome

pytestmark = pytest.mark.slow
FETCH = "url => fetch(url, {mode: 'no-cors'}).then(() => true, () => false)"
SOCKET = """url => new Promise(end => {
  const line = new WebSocket(url);
  line.onopen = () => end(true);
  line.onerror = () => end(false);
})"""
WORKER = """url => new Promise(end => {
  const text = url.startsWith('ws')
    ? `const s = new WebSocket('${url}'); s.onopen = () => postMessage(true); s.onerror = () => postMessage(false)`
    : `fetch('${url}', {mode: 'no-cors'}).then(() => postMessage(true), () => postMessage(false))`;
  new Worker(URL.createObjectURL(new Blob([text]))).onmessage = event => end(event.data);
})"""
FRAME = """url => new Promise(end => {
  const frame = document.createElement('iframe');
  frame.onload = () => end(true);
  frame.src = url;
  document.body.append(frame);
})"""


@pytest.fixture(scope="module")
def stage() -> Iterator[Site]:
    with serve_site() as site:
        yield site


@dataclass
class Sockets:
    """A server of sockets, under a name outside the run's sites, and how often somebody came."""

    url: str = ""
    came: list[ServerConnection] = field(default_factory=list[ServerConnection])


@pytest.fixture
async def sockets() -> AsyncGenerator[Sockets]:
    known = Sockets()

    async def meet(line: ServerConnection) -> None:
        known.came.append(line)
        await line.wait_closed()

    listening: Server
    async with serve(meet, "127.0.0.1", 0) as listening:
        known.url = f"ws://localhost:{next(iter(listening.sockets)).getsockname()[1]}/"
        yield known


@dataclass(frozen=True)
class LimitedTab:
    """A tab whose run may reach 127.0.0.1 only; `outside` is the same server under another name."""

    page: Page
    run: str
    site: Site
    outside: str

    def came(self, path: str) -> bool:
        return any(hit.endswith(path) for hit in self.site.hits)


@pytest.fixture
async def tab(server: RunningServer, chrome: PersonChrome, panel: Page, stage: Site) -> AsyncGenerator[LimitedTab]:
    def away(_: object) -> Answer:
        return 302, {"location": f"{outside}/redirected"}, b""

    outside = stage.url.replace("127.0.0.1", "localhost")
    stage.put("/away", away)
    page = await chrome.open(stage.html("<h1>Inside</h1>", "/inside"))
    number = await chrome.tab_id(page)
    async with server.client() as client:
        talk = (await client.post("/api/conversations", json={"title": "Limited"})).json()["id"]
        await panel.evaluate("tab => chrome.runtime.sendMessage({type: 'hand-over', tab})", number)
        assert (await client.post(f"/api/conversations/{talk}/chrome", json={"tab": number})).status_code == 204
    run = await server.started("test-chrome-looks", conversation=talk, sites=["127.0.0.1"])
    await server.until(run, "page_seen")
    yield LimitedTab(page, run, stage, outside)
    await server.settled()
    await page.close()


async def test_fetch_redirects_and_frames_stay_within_the_sites(tab: LimitedTab) -> None:
    assert await tab.page.evaluate(FETCH, "/inside?own")
    assert not await tab.page.evaluate(FETCH, f"{tab.outside}/fetched")
    assert not await tab.page.evaluate(FETCH, "/away")
    await tab.page.evaluate(FRAME, f"{tab.outside}/framed")
    assert not [path for path in ("/fetched", "/redirected", "/framed") if tab.came(path)]


async def test_sockets_and_workers_stay_within_the_sites(tab: LimitedTab, sockets: Sockets) -> None:
    inside = sockets.url.replace("localhost", "127.0.0.1")
    assert await tab.page.evaluate(SOCKET, inside)
    assert await tab.page.evaluate(WORKER, inside)
    assert len(sockets.came) == 2
    assert not await tab.page.evaluate(SOCKET, sockets.url)
    assert not await tab.page.evaluate(WORKER, sockets.url)
    assert not await tab.page.evaluate(WORKER, f"{tab.outside}/worked")
    assert len(sockets.came) == 2
    assert not tab.came("/worked")


async def test_a_window_that_the_page_opens_and_the_page_itself_stay_within_the_sites(
    chrome: PersonChrome, tab: LimitedTab
) -> None:
    async with chrome.context.expect_page() as opened:
        await tab.page.evaluate("url => void window.open(url)", f"{tab.outside}/popped")
    popup = await opened.value

    async def has_ended() -> bool:
        return popup.is_closed() or popup.url.startswith("chrome-error:")

    await wait_for(has_ended)
    with pytest.raises(Error):
        await tab.page.goto(f"{tab.outside}/gone")
    assert not [path for path in ("/popped", "/gone") if tab.came(path)]
    await popup.close()


async def test_other_tabs_of_the_person_have_no_limits_and_none_stay_after_the_run(
    server: RunningServer, chrome: PersonChrome, tab: LimitedTab
) -> None:
    await tab.page.bring_to_front()
    other = await chrome.open(f"{tab.site.url}/inside?other")
    opener = "async url => (await chrome.tabs.query({})).find(tab => tab.url === url).openerTabId"
    assert await chrome.worker.evaluate(opener, other.url) == await chrome.tab_id(tab.page)
    assert await other.evaluate(FETCH, f"{tab.outside}/person")
    await server.fish.command(tab.run, "stop")
    await server.until(tab.run, "run_finished")

    async def is_free() -> bool:
        return bool(await tab.page.evaluate(FETCH, f"{tab.outside}/after"))

    await wait_for(is_free)
    rules = await chrome.worker.evaluate("chrome.declarativeNetRequest.getSessionRules().then(all => all.length)")
    assert rules == 0
    await other.close()

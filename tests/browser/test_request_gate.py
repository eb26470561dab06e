"""Every request of a page that could change something waits for a check. The server's record is the truth."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from browser.stage import Site
from pilotfish.browser.actions.navigation import navigate
from pilotfish.browser.sessions import request_event
from pilotfish.browser.sessions.browser_pool import BrowserPool
from pilotfish.browser.sessions.held_request import HeldRequest
from pilotfish.browser.sessions.session import MOST_POPUPS, BrowserSession, SessionRules
from pilotfish.browser.sessions.waiting import wait_until_settled
from pilotfish.core.errors import ToolError

pytestmark = [pytest.mark.slow, pytest.mark.whole_browser]


@dataclass
class Check:
    """Answers each request that it is asked about, and remembers it."""

    decide: Callable[[HeldRequest], str] = lambda request: "" if request.reads else "no"
    asked: list[HeldRequest] = field(default_factory=list[HeldRequest])
    gate: asyncio.Event | None = None

    async def __call__(self, request: HeldRequest) -> str:
        self.asked.append(request)
        if self.gate is not None and not request.reads:
            await self.gate.wait()
        return self.decide(request)

    def of(self, path: str) -> HeldRequest:
        return next(one for one in self.asked if path in one.url)


@pytest.fixture
def check() -> Check:
    return Check()


@pytest.fixture
async def watched_session(pool: BrowserPool, tmp_path: Path, check: Check) -> AsyncIterator[BrowserSession]:
    yield await pool.lease(tmp_path.name, tmp_path, None, SessionRules(request=check))
    await pool.end(tmp_path.name)


async def until(met: Callable[[], bool], seconds: float = 8.0) -> None:
    async with asyncio.timeout(seconds):
        while not met():
            await asyncio.sleep(0.02)


def script(site: Site, path: str, text: str) -> str:
    return site.put(path, lambda _: (200, {"content-type": "text/javascript"}, text.encode()))


SENDERS = """
fetch('/fetch', {method: 'POST', body: 'a'}).catch(() => 0);
fetch('/keep', {method: 'PUT', keepalive: true, body: 'a'}).catch(() => 0);
fetch('/gone', {method: 'DELETE'}).catch(() => 0);
const x = new XMLHttpRequest(); x.open('PATCH', '/xhr'); x.send('a');
navigator.sendBeacon('/beacon', 'a');
new Worker('/worker.js');
const blank = document.createElement('iframe'); document.body.append(blank);
blank.contentWindow.fetch('/blank', {method: 'POST'}).catch(() => 0);
const form = document.createElement('form'); form.method = 'post'; form.action = '/framed'; form.target = 'inner';
document.body.append(form); form.submit();
"""
PATHS = ("/fetch", "/keep", "/gone", "/xhr", "/beacon", "/dedicated", "/blank", "/framed", "/far", "/nested")


async def test_a_refused_request_never_reaches_the_server_however_it_was_sent(
    watched_session: BrowserSession, site: Site, check: Check
) -> None:
    far = site.url.replace("127.0.0.1", "far.localhost")
    script(site, "/worker.js", "fetch('/dedicated', {method: 'POST', body: 'a'}).catch(() => 0)")
    site.html("<script>fetch('/far', {method: 'POST'}).catch(() => 0)</script><iframe src=/deep></iframe>", "/frame")
    site.html("<script>fetch('/nested', {method: 'POST'}).catch(() => 0)</script>", "/deep")
    url = site.html(f"<iframe name=inner></iframe><iframe src='{far}/frame'></iframe><script>{SENDERS}</script>")
    tab = await watched_session.tab()
    await tab.goto(url)
    await until(lambda: all(any(path in one.url for one in check.asked) for path in PATHS))
    await asyncio.sleep(0.2)
    assert [hit for hit in site.hits if not hit.startswith("GET")] == []
    assert {one.tab for one in check.asked} == {tab.number}


WORKERS = """() => Promise.all([
  new Promise((told) => { new Worker('/early.js').onmessage = (e) => told(e.data) }),
  new Promise((told) => { new Worker('/outer.js').onmessage = (e) => told(e.data) }),
  new Promise((told) => { new Worker(URL.createObjectURL(new Blob([EARLY]))).onmessage = (e) => told(e.data) }),
])"""
EARLY = "postMessage(String(WebSocket.prototype.send).includes('native'))"


async def test_sockets_are_held_in_every_worker_before_its_first_line_runs(
    watched_session: BrowserSession, site: Site, check: Check
) -> None:
    script(site, "/early.js", EARLY)
    script(site, "/outer.js", "new Worker('/early.js').onmessage = (e) => postMessage(e.data)")
    far = site.url.replace("127.0.0.1", "far.localhost")
    sender = f"<script>const EARLY = {EARLY!r}; (({WORKERS})()).then((told) => parent.postMessage(told, '*'))</script>"
    site.html(sender, "/inner")
    tab = await watched_session.tab()
    await tab.goto(site.html(f"<script>const EARLY = {EARLY!r}</script>"))
    assert await tab.page.evaluate(WORKERS) == [False] * 3
    framed = "(url) => new Promise((told) => { onmessage = (e) => told(e.data); const frame = "
    framed += "document.createElement('iframe'); frame.src = url; document.body.append(frame) })"
    assert await tab.page.evaluate(framed, f"{far}/inner") == [False] * 3, "a frame of another site"
    assert await tab.page.evaluate("typeof SharedWorker + typeof WebTransport") == "undefined" * 2


async def test_workers_that_end_as_they_begin_hold_up_nothing(
    watched_session: BrowserSession, site: Site, check: Check
) -> None:
    script(site, "/early.js", EARLY)
    tab = await watched_session.tab()
    await tab.goto(site.html("<p>Workers</p>"))
    await tab.page.evaluate("() => { for (let n = 0; n < 20; n++) new Worker('/early.js').terminate() }")
    assert await tab.page.evaluate("new Promise((told) => { new Worker('/early.js').onmessage = () => told(1) })") == 1
    await tab.page.evaluate("() => { for (let n = 0; n < 5; n++) new Worker('/early.js') }")
    async with asyncio.timeout(8):
        await tab.goto(site.html("<p>Next</p>", "/next"))


async def test_what_was_held_is_sent_unchanged_when_it_is_allowed(
    watched_session: BrowserSession, site: Site, check: Check
) -> None:
    check.gate, check.decide = asyncio.Event(), lambda _: ""
    page = """<form id=f method=post enctype=multipart/form-data action=/upload><input name=note value='größer & <b>'>
    <input type=file name=file></form><script>
    fetch('/json', {method: 'POST', headers: {'x-own': 'kept', 'content-type': 'application/json'}, body: '{"a": "ü"}'})
    fetch('/bytes', {method: 'PUT', body: new Uint8Array([0, 255, 1, 254])})
    fetch('/blob', {method: 'POST', body: new Blob(['x'.repeat(300000)])})
    </script>"""
    tab = await watched_session.tab()
    await tab.goto(site.html(page))
    big = bytes(range(256)) * 1000
    await tab.page.set_input_files("input[type=file]", {"name": "a.bin", "mimeType": "x/y", "buffer": big})
    await tab.page.evaluate("setTimeout(() => f.submit())")
    await until(lambda: len([one for one in check.asked if not one.reads]) == 4)
    assert not [hit for hit in site.hits if not hit.startswith("GET")]
    check.gate.set()
    await until(lambda: len([hit for hit in site.hits if not hit.startswith("GET")]) == 4)
    assert site.bodies["POST /json"] == '{"a": "ü"}'.encode()
    assert site.bodies["PUT /bytes"] == bytes([0, 255, 1, 254])
    assert site.bodies["POST /blob"] == b"x" * 300000
    assert big in site.bodies["POST /upload"] and "größer & <b>".encode() in site.bodies["POST /upload"]
    assert check.of("/json").body == '{"a": "ü"}'.encode() and check.of("/json").headers["x-own"] == "kept"
    assert b'filename="a.bin"' in check.of("/upload").body


async def test_a_request_that_waits_holds_up_neither_the_page_nor_others_nor_the_action(
    watched_session: BrowserSession, site: Site, check: Check
) -> None:
    check.gate = asyncio.Event()
    site.put("/other", "fine")
    page = """<p id=out>idle</p><button onclick="fetch('/slow', {method: 'POST'}).catch(() => 0);
    fetch('/other').then(r => r.text()).then(t => out.textContent = t)">Go</button>"""
    tab = await watched_session.tab()
    await tab.goto(site.html(page))
    mark, visits = tab.activity.mark, tab.activity.visits
    await tab.page.click("button")
    rest = asyncio.ensure_future(wait_until_settled(tab, mark, visits))
    await until(lambda: tab.activity.is_holding)
    await tab.page.wait_for_function("out.textContent == 'fine'")
    assert (await tab.look()).url == tab.url and not rest.done()
    check.gate.set()
    await asyncio.wait_for(rest, 8)
    assert "POST /slow" not in site.hits


async def test_the_end_of_a_session_refuses_what_waits(
    pool: BrowserPool, tmp_path: Path, site: Site, check: Check
) -> None:
    check.gate, check.decide = asyncio.Event(), lambda _: ""
    session = await pool.lease("ends", tmp_path, None, SessionRules(request=check))
    tab = await session.tab()
    await tab.goto(site.html("<script>fetch('/late', {method: 'POST', keepalive: true}).catch(() => 0)</script>"))
    await until(lambda: any("/late" in one.url for one in check.asked))
    await pool.end("ends")
    check.gate.set()
    await asyncio.sleep(0.3)
    assert "POST /late" not in site.hits


async def test_a_visit_waits_for_the_answer_about_where_it_is_sent_on_to(
    watched_session: BrowserSession, site: Site, check: Check
) -> None:
    gate = asyncio.Event()
    site.html("<h1>There</h1>", "/there")
    site.put("/out", lambda _: (307, {"location": "/there"}, b""))

    async def slow(request: HeldRequest) -> str:
        check.asked.append(request)
        if request.redirected:
            await gate.wait()
        return ""

    assert watched_session.owner is not None
    watched_session.owner.check = slow
    tab = await watched_session.tab()
    object.__setattr__(tab.shared, "limit", 2.0)
    going = asyncio.ensure_future(tab.goto(site.url + "/out"))
    await asyncio.sleep(3.0)
    assert not going.done() and "GET /there" not in site.hits
    gate.set()
    await asyncio.wait_for(going, 15)
    assert tab.url.endswith("/there") and check.of("/there").first.endswith("/out")


async def test_redirects_and_the_first_request_of_a_popup_are_seen_before_they_leave(
    watched_session: BrowserSession, site: Site, check: Check
) -> None:
    far = site.url.replace("127.0.0.1", "far.localhost")
    check.decide = lambda request: "no" if "far.localhost" in request.url else ""
    site.put("/out", lambda _: (302, {"location": f"{far}/landed"}, b""))
    url = site.html(f"<button onclick=\"window.open('{far}/window')\">Go</button>")
    tab = await watched_session.tab()
    await tab.goto(url)
    await tab.page.click("button")
    await until(lambda: any("/window" in one.url for one in check.asked))
    popup = check.of("/window")
    assert popup.popup and popup.main and popup.tab == tab.number
    await tab.page.evaluate("setTimeout(() => location = '/out')")
    await until(lambda: any("/landed" in one.url for one in check.asked))
    assert check.of("/landed").redirected and check.of("/landed").main
    await asyncio.sleep(0.2)
    assert not {"GET /window", "GET /landed"} & set(site.hits)


@pytest.mark.parametrize("opening", ["window.open('/one')", "window.open('').location = '/one'"])
async def test_a_refused_popup_is_closed_and_the_tab_before_it_is_active_again(
    watched_session: BrowserSession, site: Site, check: Check, opening: str
) -> None:
    check.decide = lambda request: "no" if "/one" in request.url else ""
    tab = await watched_session.tab()
    await tab.goto(site.html("<p>Page</p>"))
    await watched_session.open()
    await watched_session.switch(tab.number)
    await tab.page.evaluate(f"{{ {opening} }}")
    await until(lambda: any("/one" in one.url for one in check.asked))
    await asyncio.sleep(0.5)
    assert (await watched_session.tab()).number == tab.number
    assert list(watched_session.tabs) == [tab.number, tab.number + 1]


async def test_nobody_is_asked_about_what_the_pages_of_another_session_sent_as_they_were_closed(
    watched_session: BrowserSession, pool: BrowserPool, tmp_path: Path, site: Site, check: Check
) -> None:
    await (await watched_session.tab()).goto(site.html("<p>Here</p>").replace("127.0.0.1", "here.localhost"))
    other = Check(decide=lambda _: "")
    session = await pool.lease("other", tmp_path / "other", None, SessionRules(request=other))
    sending = "<script>setInterval(() => fetch('/rate', {method: 'POST', keepalive: true}).catch(() => 0), 5)</script>"
    await (await session.tab()).goto(site.html(sending, "/sending"))
    await until(lambda: len([one for one in other.asked if one.method == "POST"]) > 20)
    await pool.end("other")
    await asyncio.sleep(0.3)
    assert not [one for one in check.asked if one.method == "POST"]


async def test_a_popup_without_a_document_of_its_own_stays(watched_session: BrowserSession, site: Site) -> None:
    tab = await watched_session.tab()
    await tab.goto(site.html("<p>Page</p>"))
    await tab.page.evaluate("window.open('').document.write('<p>Written</p>')")
    await until(lambda: len(watched_session.popups) == 1)
    assert (await watched_session.tab()).number == tab.number + 1


async def test_what_service_workers_send_is_held_too(watched_session: BrowserSession, site: Site, check: Check) -> None:
    script(site, "/sw.js", "fetch('/fromservice', {method: 'POST', body: 'a'}).catch(() => 0)")
    tab = await watched_session.tab()
    await tab.goto(site.html("<script>navigator.serviceWorker.register('/sw.js').catch(() => 0)</script>"))
    await until(lambda: any("/fromservice" in one.url for one in check.asked))
    await asyncio.sleep(0.1)
    assert "POST /fromservice" not in site.hits


async def test_a_page_that_opens_forty_tabs_gets_ten(watched_session: BrowserSession, site: Site, check: Check) -> None:
    url = site.html("<button onclick=\"for (let n = 0; n < 40; n++) window.open('/page?' + n)\">Go</button>")
    tab = await watched_session.tab()
    await tab.goto(url)
    await tab.page.evaluate("for (let n = 0; n < 40; n++) window.open('/page?' + n)")
    await until(lambda: len(watched_session.popups) == 40 and len(tab.page.context.pages) == 1 + MOST_POPUPS, 30)
    assert len(watched_session.tabs) == 1 + MOST_POPUPS
    told = [notice.text for notice in watched_session.take_notices() if notice.kind == "blocked"]
    assert len(told) == 1 and "more than 10 tabs" in told[0]


async def test_a_document_answers_for_what_it_sends_before_the_agent_touches_it(
    watched_session: BrowserSession, site: Site, check: Check
) -> None:
    site.html("<script>fetch('/boot', {method: 'POST'}).catch(() => 0)</script>", "/second")
    url = site.html("<script>setTimeout(() => fetch('/first', {method: 'POST'}).catch(() => 0))</script>")
    tab = await watched_session.tab()
    await tab.goto(url)
    await until(lambda: any("/first" in one.url for one in check.asked))
    tab.inputs, tab.last_input = 1, asyncio.get_running_loop().time()
    await tab.page.evaluate("fetch('/touched', {method: 'POST'}).catch(() => 0)")
    await tab.goto(site.url + "/second")
    await until(lambda: any("/boot" in one.url for one in check.asked))
    assert [check.of(path).after_input for path in ("/first", "/touched", "/boot")] == [False, True, False]


async def test_a_link_into_a_new_tab_and_a_frame_of_another_site_open_as_ever(
    watched_session: BrowserSession, site: Site, check: Check
) -> None:
    check.decide = lambda _: ""
    site.html("<p>Opened</p>", "/opened")
    far = site.url.replace("127.0.0.1", "far.localhost")
    url = site.html(f"<a href='{site.url}/opened' target=_blank>New tab</a><iframe src='{far}/opened'></iframe>")
    tab = await watched_session.tab()
    await tab.goto(url)
    await tab.page.click("a")
    await until(lambda: any(one.url.endswith("/opened") for one in watched_session.tabs.values()))
    await until(lambda: any(frame.url == f"{far}/opened" for frame in tab.page.frames))


async def test_what_a_left_document_sends_counts_as_after_input_however_late_it_comes(
    watched_session: BrowserSession, site: Site, check: Check, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_event, "LEAVING", 0.0)
    leaves = "<script>addEventListener('pagehide', () => navigator.sendBeacon('/leave', 'x'))</script>"
    first, second = site.html(leaves, "/first"), site.html("<p>Second</p>", "/second")
    tab = await watched_session.tab()
    await tab.goto(first)
    tab.count_input()
    await tab.goto(second)
    await until(lambda: any("/leave" in one.url for one in check.asked))
    assert check.of("/leave").after_input


async def test_a_form_that_the_person_sent_is_not_sent_again_by_the_agents_reload_or_way_back(
    watched_session: BrowserSession, site: Site, check: Check
) -> None:
    check.decide = lambda _: ""
    answer = (200, {"content-type": "text/html", "cache-control": "no-store"}, b"<p>Thanks</p>")
    site.put("/sent", lambda _: answer)
    url = site.html("<form id=f method=post action=/sent><input name=comes value=yes></form>")
    tab = await watched_session.tab()
    await tab.goto(url)
    await tab.page.evaluate("f.submit()")
    await tab.page.wait_for_url("**/sent")
    with pytest.raises(ToolError, match="nothing was sent") as caught:
        await navigate(watched_session, "reload")
    assert f"{site.url}/sent with goto" in caught.value.fix
    assert check.of("/sent").resent is False and check.asked[-1].resent
    await tab.goto(site.html("<p>Other</p>", "/other"))
    with contextlib.suppress(ToolError):
        await navigate(watched_session, "back")
    with contextlib.suppress(ToolError):
        await navigate(watched_session, "reload")
    assert site.hits.count("POST /sent") == 1
    await navigate(watched_session, "goto", f"{site.url}/sent")
    await navigate(watched_session, "reload")
    assert site.hits.count("POST /sent") == 1 and site.hits.count("GET /sent") == 2


async def test_a_page_that_sends_a_form_as_it_opens_does_so_after_a_reload_too(
    watched_session: BrowserSession, site: Site, check: Check
) -> None:
    check.decide = lambda _: ""
    site.html("<p>Signed in</p>", "/in")
    url = site.html("<form id=f method=post action=/in></form><script>location.hash || f.submit()</script>")
    tab = await watched_session.tab()
    await tab.goto(f"{url}#stay")
    await tab.page.evaluate("history.replaceState(0, '', '/page')")
    await navigate(watched_session, "reload")
    await until(lambda: site.hits.count("POST /in") == 1)
    assert not any(one.resent for one in check.asked)


async def test_pages_and_workers_cannot_let_the_browser_send_for_them_unseen(
    watched_session: BrowserSession, site: Site, check: Check
) -> None:
    script(site, "/sw.js", "onmessage = (e) => e.source.postMessage(typeof registration.backgroundFetch)")
    tab = await watched_session.tab()
    await tab.goto(site.html("<p>Page</p>"))
    ways = """async () => {
      await navigator.serviceWorker.register('/sw.js');
      const { active, backgroundFetch } = await navigator.serviceWorker.ready;
      const told = new Promise((done) => { navigator.serviceWorker.onmessage = (e) => done(e.data); });
      active.postMessage('x');
      const link = document.createElement('a'), { runAdAuction, joinAdInterestGroup } = navigator;
      const ads = [runAdAuction, joinAdInterestGroup, window.fence, link.attributionSrc].map((one) => typeof one);
      return [typeof backgroundFetch, await told, typeof IdentityCredential, ...ads];
    }"""
    assert await tab.page.evaluate(ways) == ["undefined"] * 7

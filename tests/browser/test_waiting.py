"""Waiting ends with the thing waited for, and always ends."""

import threading
import time

import pytest

from browser.stage import Answer, Site
from pilotfish.browser.actions import navigation, pointer
from pilotfish.browser.sessions import tab as tab_module
from pilotfish.browser.sessions import timed_requests, waiting
from pilotfish.browser.sessions.session import BrowserSession
from pilotfish.browser.sessions.timed_requests import TimedRequests

pytestmark = [pytest.mark.slow, pytest.mark.whole_browser]


async def visit(session: BrowserSession, site: Site, body: str) -> dict[str, int]:
    tab = await session.tab()
    await tab.goto(site.html(body))
    return {element.name: element.id for element in (await tab.look()).elements}


async def test_a_page_that_never_rests_is_taken_as_it_is(session: BrowserSession, site: Site) -> None:
    ids = await visit(
        session,
        site,
        """<p id=out></p><script>setInterval(() => out.textContent = Math.random(), 5)</script><button>Go</button>""",
    )
    start = time.perf_counter()
    await pointer.click(session, ids["Go"])
    assert time.perf_counter() - start < 5


def put_hanging_answer(site: Site) -> threading.Event:
    """Let requests to /hang wait for the event that is returned."""
    gate = threading.Event()

    def hang(_: object) -> Answer:
        gate.wait(30)
        return 200, {}, b""

    site.put("/hang", hang)
    return gate


async def test_a_request_that_never_ends_does_not_hold_us(session: BrowserSession, site: Site) -> None:
    gate = put_hanging_answer(site)
    ids = await visit(session, site, "<button onclick=\"fetch('/hang')\">Go</button>")
    start = time.perf_counter()
    await pointer.click(session, ids["Go"])
    spent = time.perf_counter() - start
    gate.set()
    assert 2.5 < spent < 10


async def test_an_old_request_is_nobodys_business(
    session: BrowserSession, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "REQUESTS_TIMEOUT", 25.0)
    gate = put_hanging_answer(site)
    ids = await visit(session, site, "<script>fetch('/hang')</script><button>Go</button>")
    start = time.perf_counter()
    await pointer.click(session, ids["Go"])
    spent = time.perf_counter() - start
    gate.set()
    assert spent < 10


def test_requests_at_equal_intervals_are_recognised_as_those_of_a_timer() -> None:
    now = 100.0
    requests = TimedRequests(lambda: now)
    told: list[bool] = []
    for _ in range(5):
        told.append(requests.is_timed("GET", f"http://x/news?at={now}"))
        now += 1.01
    assert told == [False, False, False, True, True]
    now -= 0.5
    requests.count_input()
    assert not requests.is_timed("GET", "http://x/news"), "what a click asks for comes between two beats"
    now += 0.5
    assert requests.is_timed("GET", "http://x/news"), "and the timer is still known"


def test_requests_for_keys_or_for_clicks_are_not_taken_for_those_of_a_timer() -> None:
    now = 100.0
    requests = TimedRequests(lambda: now)
    for pause in (0.01, 1.0):
        for _ in range(6):
            requests.count_input()
            now += 0.02
            assert not requests.is_timed("GET", "http://x/search?q=te")
            now += pause


async def test_requests_of_a_timer_do_not_hold_an_action(
    session: BrowserSession, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "REQUESTS_TIMEOUT", 25.0)
    monkeypatch.setattr(timed_requests, "JITTER_SECONDS", 0.2)
    gate = threading.Event()

    def hang(_: object) -> Answer:
        gate.wait(30)
        return 200, {}, b""

    site.put("/poll", hang)
    ids = await visit(session, site, "<script>setInterval(() => fetch('/poll'), 400)</script><button>Go</button>")
    await (await session.tab()).page.wait_for_timeout(1800)
    start = time.perf_counter()
    await pointer.click(session, ids["Go"])
    spent = time.perf_counter() - start
    gate.set()
    assert spent < 10


async def test_an_animation_is_waited_for(session: BrowserSession, site: Site) -> None:
    ids = await visit(
        session,
        site,
        """<button onclick="box.animate([{height: 0}, {height: '60px'}], 200).onfinish =
        () => box.innerHTML = '<button>Inside</button>'">Open</button><div id=box></div>""",
    )
    assert "Inside" in (await pointer.click(session, ids["Open"])).text()


async def test_requests_that_follow_each_other_are_waited_for(session: BrowserSession, site: Site) -> None:
    site.put("/one", "1")
    site.put("/two", "The second answer")
    ids = await visit(
        session,
        site,
        """<button onclick="fetch('/one').then(() => fetch('/two')).then(r => r.text())
        .then(t => out.textContent = t)">Go</button><p id=out></p>""",
    )
    assert "The second answer" in (await pointer.click(session, ids["Go"])).text()


async def test_a_redirect_by_script_is_followed(session: BrowserSession, site: Site) -> None:
    site.html("<script>location.replace('/last')</script>", "/next")
    site.html("<h1>Arrived</h1>", "/last")
    ids = await visit(session, site, "<button onclick=\"setTimeout(() => location = '/next', 10)\">Go</button>")
    assert (await pointer.click(session, ids["Go"])).url.endswith("/last")


async def test_a_page_that_closes_its_own_window_leads_back(session: BrowserSession, site: Site) -> None:
    site.html("<button onclick='window.close()'>Close me</button>", "/child")
    ids = await visit(session, site, "<a href=/child target=_blank rel=opener>Open</a>")
    opened = await pointer.click(session, ids["Open"])
    assert opened.tab == 2
    inside = {element.name: element.id for element in opened.view.elements}
    closed = await pointer.click(session, inside["Close me"])
    assert closed.tab == 1 and 'link "Open"' in closed.text()


async def test_waiting_for_the_network_says_whether_it_became_quiet(session: BrowserSession, site: Site) -> None:
    await visit(session, site, "<p>Ticking</p><script>setInterval(() => fetch('/page'), 50)</script>")
    change = await navigation.wait_for(session, "network_idle", timeout=300)
    assert "still loading after 0.3 s" in change.action


async def test_what_an_action_saw_is_shown_once_with_marks_on_what_is_new(
    session: BrowserSession, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tab_module, "RECENT_SECONDS", 60)
    ids = await visit(session, site, "<button onclick=\"this.after(document.createElement('input'))\">Go</button>")
    tab, change = await session.tab(), await pointer.click(session, ids["Go"])
    seen = await tab.recent_snapshot()
    assert seen is change.view and "*[" in seen.text and "*[" not in seen.without_new_marks().text
    assert await tab.recent_snapshot() is not seen


async def test_what_an_action_saw_is_old_after_a_moment_or_once_something_begins(
    session: BrowserSession, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = await visit(session, site, "<button>Go</button>")
    monkeypatch.setattr(tab_module, "RECENT_SECONDS", 60)
    tab, change = await session.tab(), await pointer.click(session, ids["Go"])
    with tab.activity.count_as_pending("something"):
        assert await tab.recent_snapshot() is not change.view
    monkeypatch.setattr(tab_module, "RECENT_SECONDS", 0)
    change = await pointer.click(session, ids["Go"])
    assert await tab.recent_snapshot() is not change.view


SPINNER = """<style>@keyframes turn { to { transform: rotate(360deg) } }
svg { animation: turn 1s linear infinite }</style>
<ul style="width:300px;height:200px"><li style="height:100px"></li><li style="height:100px"></li></ul>
<svg width=40 height=40><circle cx=20 cy=20 r=15></circle></svg>"""


async def test_a_page_that_shows_nothing_yet_is_looked_at_when_it_shows_something(
    session: BrowserSession, site: Site
) -> None:
    fill = "setTimeout(() => document.body.innerHTML = '<button>Sign in</button>', 2000)"
    assert "Sign in" in await visit(session, site, f"<div id=app>{SPINNER}</div><script>{fill}</script>")


async def test_a_screen_that_is_swapped_for_another_is_looked_at_when_the_other_is_there(
    session: BrowserSession, site: Site
) -> None:
    swap = f"""app.innerHTML = `{SPINNER}`;
    setTimeout(() => app.innerHTML = '<a href="/members">Members</a>', 2000)"""
    button = "<div id=app><button onclick='enter()'>Sign in</button></div>"
    ids = await visit(session, site, f"{button}<script>const enter = () => {{ {swap} }}</script>")
    await pointer.click(session, ids["Sign in"])
    tab = await session.tab()
    assert [element.name for element in (await tab.recent_snapshot()).elements] == ["Members"]


async def test_a_page_that_stays_empty_is_waited_for_once(
    session: BrowserSession, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[object] = []

    async def count(tab: object, _: float) -> bool:
        waits.append(tab)
        return False

    monkeypatch.setattr(tab_module, "wait_until_filled", count)
    await visit(session, site, "<script></script>")
    await (await session.tab()).look()
    assert len(waits) == 1


SPLASH = """<div id=splash style="position:fixed;inset:0;background:#246;color:#fff"><b>Acme</b><svg width=80 height=80>
<circle cx=40 cy=40 r=30 fill=#fff></circle></svg></div><main><h1>Inbox</h1><a href="#1">First mail</a></main>"""


async def test_an_app_behind_its_splash_is_looked_at_when_the_splash_is_gone(
    session: BrowserSession, site: Site
) -> None:
    ids = await visit(session, site, SPLASH + "<script>setTimeout(() => splash.remove(), 1000)</script>")
    assert list(ids) == ["First mail"]


async def test_a_splash_that_stays_is_told_as_one(
    session: BrowserSession, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tab_module, "FILLING_TIMEOUT", 0.3)
    await visit(session, site, SPLASH + "<script></script>")
    view = (await session.tab()).last_snapshot
    assert view is not None and "still shows that it is loading" in view.text


async def test_a_short_page_is_not_taken_for_a_splash(session: BrowserSession, site: Site) -> None:
    start = time.perf_counter()
    await visit(session, site, "<div style='position:absolute;top:20px'><h1>Thank you</h1></div><script></script>")
    view = (await session.tab()).last_snapshot
    assert view is not None and "loading" not in view.text
    assert time.perf_counter() - start < waiting.FILLING_TIMEOUT


async def test_what_came_while_the_page_was_quiet_is_waited_for_until_it_is_drawn(
    session: BrowserSession, site: Site
) -> None:
    def soon(_: object) -> Answer:
        time.sleep(0.02)
        return 200, {"content-type": "text/html"}, b"<p>fetched</p>"

    site.put("/data", soon)
    load = "fetch('/data').then(r => r.text()).then(t => setTimeout(() => out.innerHTML = t, 35))"
    ids = await visit(session, site, f'<button onclick="{load}">Load</button><div id=out></div>')
    assert "fetched" in (await pointer.click(session, ids["Load"])).text()


async def test_an_answer_that_the_page_draws_late_is_waited_for_where_nothing_has_changed(
    session: BrowserSession, site: Site
) -> None:
    site.put("/data", "<p>fetched</p>")
    load = "fetch('/data').then(r => r.text()).then(t => setTimeout(() => out.innerHTML = t, 150))"
    ids = await visit(session, site, f'<button onclick="{load}">Load</button><div id=out></div>')
    assert "fetched" in (await pointer.click(session, ids["Load"])).text()

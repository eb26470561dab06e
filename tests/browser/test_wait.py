"""Waiting ends with the thing waited for, and always ends."""

import threading
import time

import pytest

from browser.stage import Answer, Site
from pilotfish.browser import act, act_move, wait
from pilotfish.browser import tab as tab_module
from pilotfish.browser.session import Session

pytestmark = pytest.mark.slow


async def visit(session: Session, site: Site, body: str) -> dict[str, int]:
    tab = await session.tab()
    await tab.goto(site.html(body))
    return {element.name: element.id for element in (await tab.look()).elements}


async def test_a_page_that_never_rests_is_taken_as_it_is(session: Session, site: Site) -> None:
    ids = await visit(
        session,
        site,
        """<p id=out></p><script>setInterval(() => out.textContent = Math.random(), 5)</script><button>Go</button>""",
    )
    start = time.perf_counter()
    await act.click(session, ids["Go"])
    assert time.perf_counter() - start < 5


async def test_a_request_that_never_ends_does_not_hold_us(session: Session, site: Site) -> None:
    gate = threading.Event()

    def hang(_: object) -> Answer:
        gate.wait(30)
        return 200, {}, b""

    site.put("/hang", hang)
    ids = await visit(session, site, "<button onclick=\"fetch('/hang')\">Go</button>")
    start = time.perf_counter()
    await act.click(session, ids["Go"])
    spent = time.perf_counter() - start
    gate.set()
    assert 2.5 < spent < 10


async def test_an_old_request_is_nobodys_business(
    session: Session, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wait, "REQUESTS", 25.0)
    gate = threading.Event()

    def hang(_: object) -> Answer:
        gate.wait(30)
        return 200, {}, b""

    site.put("/hang", hang)
    ids = await visit(session, site, "<script>fetch('/hang')</script><button>Go</button>")
    start = time.perf_counter()
    await act.click(session, ids["Go"])
    spent = time.perf_counter() - start
    gate.set()
    assert spent < 10


async def test_an_animation_is_waited_for(session: Session, site: Site) -> None:
    ids = await visit(
        session,
        site,
        """<button onclick="box.animate([{height: 0}, {height: '60px'}], 200).onfinish =
        () => box.innerHTML = '<button>Inside</button>'">Open</button><div id=box></div>""",
    )
    assert "Inside" in (await act.click(session, ids["Open"])).text()


async def test_requests_that_follow_each_other_are_waited_for(session: Session, site: Site) -> None:
    site.put("/one", "1")
    site.put("/two", "The second answer")
    ids = await visit(
        session,
        site,
        """<button onclick="fetch('/one').then(() => fetch('/two')).then(r => r.text())
        .then(t => out.textContent = t)">Go</button><p id=out></p>""",
    )
    assert "The second answer" in (await act.click(session, ids["Go"])).text()


async def test_a_redirect_by_script_is_followed(session: Session, site: Site) -> None:
    site.html("<script>location.replace('/last')</script>", "/next")
    site.html("<h1>Arrived</h1>", "/last")
    ids = await visit(session, site, "<button onclick=\"setTimeout(() => location = '/next', 10)\">Go</button>")
    assert (await act.click(session, ids["Go"])).url.endswith("/last")


async def test_a_page_that_closes_its_own_window_leads_back(session: Session, site: Site) -> None:
    site.html("<button onclick='window.close()'>Close me</button>", "/child")
    ids = await visit(session, site, "<a href=/child target=_blank rel=opener>Open</a>")
    opened = await act.click(session, ids["Open"])
    assert opened.tab == 2
    inside = {element.name: element.id for element in opened.view.elements}
    closed = await act.click(session, inside["Close me"])
    assert closed.tab == 1 and 'link "Open"' in closed.text()


async def test_waiting_for_the_network_says_whether_it_became_quiet(session: Session, site: Site) -> None:
    await visit(session, site, "<script>setInterval(() => fetch('/page'), 50)</script>")
    change = await act_move.wait_for(session, "network_idle", timeout=300)
    assert "still loading after 0.3 s" in change.did


async def test_what_an_action_saw_is_shown_once_with_marks_on_what_is_new(
    session: Session, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tab_module, "MOMENT", 60)
    ids = await visit(session, site, "<button onclick=\"this.after(document.createElement('input'))\">Go</button>")
    tab, change = await session.tab(), await act.click(session, ids["Go"])
    seen = await tab.glimpse()
    assert seen is change.view and "*[" in seen.text and "*[" not in seen.unmarked().text
    assert await tab.glimpse() is not seen


async def test_what_an_action_saw_is_old_after_a_moment_or_once_something_begins(
    session: Session, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = await visit(session, site, "<button>Go</button>")
    monkeypatch.setattr(tab_module, "MOMENT", 60)
    tab, change = await session.tab(), await act.click(session, ids["Go"])
    with tab.activity.busy("something"):
        assert await tab.glimpse() is not change.view
    monkeypatch.setattr(tab_module, "MOMENT", 0)
    change = await act.click(session, ids["Go"])
    assert await tab.glimpse() is not change.view

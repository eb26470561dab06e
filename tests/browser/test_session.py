"""Sessions: tabs, state, dialogs, downloads, rules."""

import asyncio
import socket
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from browser.stage import Answer, Site
from pilotfish.browser.sessions.addresses import complete_address, explain_failure
from pilotfish.browser.sessions.browser_pool import BrowserPool
from pilotfish.browser.sessions.downloads import find_free_path
from pilotfish.browser.sessions.session import BrowserSession, SavedSession, SessionRules
from pilotfish.browser.sessions.tab import Tab
from pilotfish.core.errors import ToolError

pytestmark = [pytest.mark.slow, pytest.mark.own_session, pytest.mark.whole_browser]


async def until(check: object, seconds: float = 5) -> None:
    """Wait, bounded, until a condition holds."""
    assert callable(check)
    async with asyncio.timeout(seconds):
        while not check():
            await asyncio.sleep(0.01)


async def test_tabs_keep_their_numbers_and_numbers_are_never_used_again(session: BrowserSession, site: Site) -> None:
    first = await session.tab()
    second = await session.open(site.html("two"))
    await session.close(second.number)
    third = await session.open(site.html("three"))
    assert [first.number, second.number, third.number] == [1, 2, 3]
    assert session.active == 3
    with pytest.raises(ToolError, match=r"There is no tab 2\. Open tabs: 1, 3"):
        await session.switch(2)


async def test_sessions_do_not_share_cookies(pool: BrowserPool, tmp_path: Path, site: Site) -> None:
    url = site.html("<script>document.cookie='who=me'</script>")
    a, b = await pool.lease("a", tmp_path), await pool.lease("b", tmp_path)
    await (await a.tab()).goto(url)
    await (await b.tab()).goto(site.html("plain", "/plain"))
    assert await (await a.tab()).page.evaluate("document.cookie") == "who=me"
    assert await (await b.tab()).page.evaluate("document.cookie") == ""
    await pool.end("a")
    await pool.end("b")


async def test_a_saved_session_comes_back_with_tabs_cookies_and_storage(
    pool: BrowserPool, tmp_path: Path, site: Site
) -> None:
    url = site.html("<script>document.cookie ||= 'who=me; max-age=999'; localStorage.seen ||= 'yes'</script>")
    first = await pool.lease("first", tmp_path)
    await first.open(url)
    await first.switch(1)
    text = (await first.save()).model_dump_json()
    await pool.end("first")

    second = await pool.lease("second", tmp_path, SavedSession.model_validate_json(text))
    assert second.active == 1
    assert {number: tab.url for number, tab in second.tabs.items()} == {1: "about:blank", 2: url}
    page = second.tabs[2].page
    assert await page.evaluate("[document.cookie, localStorage.seen]") == ["who=me", "yes"]
    assert (await second.open()).number == 3
    await pool.end("second")


async def test_a_popup_becomes_the_active_tab(session: BrowserSession, site: Site) -> None:
    tab = await session.open(site.html("<script>window.open('/child')</script>"))
    await until(lambda: session.active != tab.number)
    assert session.notices[-1].kind == "tab"
    assert (await session.tab()).number == tab.number + 1


async def test_a_page_that_closes_itself_gives_way_to_another_tab(session: BrowserSession, site: Site) -> None:
    site.html("<script>window.close()</script>", "/child")
    tab = await session.open(site.html("<script>window.open('/child')</script>"))
    await until(lambda: session.active != tab.number)
    await until(lambda: session.tabs[session.active].page.is_closed())
    assert (await session.tab()).number == tab.number


@pytest.mark.parametrize(
    ("script", "answer", "value", "said"),
    [
        ("alert('Saved')", None, None, "OK"),
        ("confirm('Delete?')", None, False, "Cancel"),
        ("confirm('Delete?')", "ok", True, "OK"),
        ("confirm('Delete?')", "cancel", False, "Cancel"),
        ("prompt('Name?')", "Ada", "Ada", '"Ada"'),
        ("prompt('Name?')", None, None, "Cancel"),
    ],
)
async def test_dialogs_are_answered_and_told(
    session: BrowserSession, script: str, answer: str | None, value: object, said: str
) -> None:
    tab = await session.tab()
    tab.answer = answer
    assert await tab.page.evaluate(script) == value
    assert session.notices[-1].kind == "dialog"
    assert f"answered with {said}" in session.notices[-1].text


async def test_a_download_lands_in_the_folder_under_a_safe_name(
    session: BrowserSession, site: Site, tmp_path: Path
) -> None:
    def file(_: BaseHTTPRequestHandler) -> Answer:
        return 200, {"content-disposition": 'attachment; filename="..%2f re:port.csv"'}, b"a,b\n1,2\n"

    tab = await session.tab()
    await tab.goto(site.put("/file", file))
    await until(lambda: session.notices)
    (saved,) = (tmp_path / "downloads").iterdir()
    assert saved.read_bytes() == b"a,b\n1,2\n"
    assert "/" not in saved.name and ":" not in saved.name and not saved.name.startswith(".")
    assert session.notices[-1].text == f"Downloaded {saved.name} (8 bytes)."


async def test_permissions_are_denied_without_asking(session: BrowserSession, site: Site) -> None:
    tab = await session.open(site.html("x"))
    query = "navigator.permissions.query({name: 'geolocation'}).then(p => p.state)"
    assert await tab.page.evaluate(query) == "denied"


async def test_a_basic_login_is_answered_for_its_origin(pool: BrowserPool, tmp_path: Path, site: Site) -> None:
    def private(handler: BaseHTTPRequestHandler) -> Answer:
        if handler.headers.get("authorization") == "Basic YWRhOmxvdmU=":
            return 200, {"content-type": "text/html"}, b"<title>Inside</title>"
        return 401, {"www-authenticate": 'Basic realm="x"', "content-type": "text/html"}, b"<title>No</title>"

    asked: list[str] = []

    def login(origin: str) -> tuple[str, str]:
        asked.append(origin)
        return "ada", "love"

    session = await pool.lease("login", tmp_path, rules=SessionRules(login=login))
    tab = await session.open(site.put("/private", private))
    assert await tab.title() == "Inside"
    assert asked == [site.url]
    assert session.notices == []
    await pool.end("login")


async def test_rules_refuse_requests_and_say_why(pool: BrowserPool, tmp_path: Path, site: Site) -> None:
    url = site.html("<img src='/picture.png'>hello")
    rules = SessionRules(allow=lambda url: "no pictures here" if url.endswith(".png") else None)
    session = await pool.lease("rules", tmp_path, rules=rules)
    await session.open(url)
    await until(lambda: session.notices)
    assert "no pictures here" in session.notices[0].text
    assert "GET /picture.png" not in site.hits
    await pool.end("rules")


async def test_a_refused_address_is_a_clear_error(session: BrowserSession) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(ToolError, match="nothing answers there: the connection was refused"):
        await (await session.tab()).goto(f"http://127.0.0.1:{port}/")


async def test_a_bad_status_is_noted_and_the_page_still_read(session: BrowserSession, site: Site) -> None:
    tab = await session.open(site.url + "/nowhere")
    assert await tab.title() == "NotFoundError"
    assert "status 404" in session.notices[-1].text


async def test_a_page_that_hangs_ends_within_the_limit(session: BrowserSession, site: Site) -> None:
    tab = await session.open(site.html("x"))
    with pytest.raises(ToolError, match=r"did not answer within 0\.3 s while counting"):
        await tab.guard.call(tab.page.evaluate("new Promise(() => {})"), "counting", 0.3)


def test_addresses_are_completed_as_a_person_would() -> None:
    assert complete_address("example.org/a") == "https://example.org/a"
    assert complete_address("localhost:8000") == "http://localhost:8000"
    assert complete_address(" http://x.y ") == "http://x.y"
    for bad in ("javascript:alert(1)", "chrome://settings"):
        with pytest.raises(ToolError, match="cannot be opened"):
            complete_address(bad)


def test_failures_are_explained_in_words() -> None:
    told = explain_failure("Page.goto: net::ERR_CERT_AUTHORITY_INVALID at https://x", "https://x")
    assert told.startswith("https://x could not be opened: its certificate cannot be trusted")
    assert "browser.any_certificate" in told and "ERR_CERT_AUTHORITY_INVALID" in told


def test_names_that_are_taken_get_a_number(tmp_path: Path) -> None:
    assert [find_free_path(tmp_path, "a.csv").name for _ in range(3)] == ["a.csv", "a (2).csv", "a (3).csv"]
    assert find_free_path(tmp_path, "../../etc/passwd").parent == tmp_path
    assert find_free_path(tmp_path, "...").name == "download"


async def test_a_tab_reports_its_own_address(session: BrowserSession, site: Site) -> None:
    tab: Tab = await session.open(site.html("x", "/deep"))
    assert tab.url == site.url + "/deep"

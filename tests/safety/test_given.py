"""Files that a person gives are read in a browser that cannot reach this machine's files."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import nullcontext
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import ClassVar

import pytest

from pilotfish.browser.sessions.browser_pool import BrowserPool
from pilotfish.browser.sessions.session import SessionRules
from pilotfish.core.errors import ToolError
from pilotfish.core.given_pages import GIVEN_ORIGIN, given_address, given_page, page_file
from pilotfish.runtime.conversation_browser import ConversationBrowser
from pilotfish.safety.network_limits import NetworkLimits

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
SECRET = "harbour-code-7731"
SAVED = """<title>Ferry</title><h1>Ferry</h1><p>A ticket costs 14 crowns.</p><script>document.title = "ran"</script>
<body onload="document.title = 'ran'"><iframe src="{secret}"></iframe><object data="{secret}"></object>
<svg width=90 height=30><a xlink:href="{secret}" href="{secret}"><text y=20>Timetable</text></a></svg>
<a href="{secret}">Prices</a><img src="{site}/spy.png"><link rel=stylesheet href="{site}/spy.css">
<style>h1 {{ background: url({site}/spy-style.png) }}</style><a href="{site}/plain">Quay</a>
<form action="{site}/form"><input value=x><button onclick="document.title = 'ran'">Send</button></form>"""


class Harbour(BaseHTTPRequestHandler):
    """A site that tries to open a file of the machine, in every way that it can."""

    asked: ClassVar[list[str]] = []
    goal = ""

    def do_GET(self) -> None:
        Harbour.asked.append(self.path)
        if self.path == "/redirect":
            self.send_response(302)
            self.send_header("Location", Harbour.goal)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        page = {
            "/frame": f'<title>Site</title><iframe src="{Harbour.goal}"></iframe><embed src="{Harbour.goal}">',
            "/popup": f'<title>Site</title><script>window.open("{Harbour.goal}"); location = "{Harbour.goal}"</script>',
            "/given": f'<title>Site</title><iframe src="{GIVEN_ORIGIN}letter.txt"></iframe>',
        }.get(self.path, "<title>Site</title><p>Plain</p>")
        body = page.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[str]:
    (tmp_path / "secret.txt").write_text(SECRET)
    Harbour.asked, Harbour.goal = [], (tmp_path / "secret.txt").as_uri()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Harbour)
    server.daemon_threads = True
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


@pytest.fixture
async def tabs(pool: BrowserPool, tmp_path: Path) -> AsyncIterator[ConversationBrowser]:
    tabs = ConversationBrowser(pool, "given", tmp_path / "conversation", NetworkLimits())
    yield tabs
    await tabs.close()


def save_page(folder: Path, site: str) -> str:
    file = folder / "ferry.html"
    file.write_text(SAVED.format(secret=Harbour.goal, site=site))
    return file.as_uri()


async def test_a_saved_page_is_read_but_runs_nothing_and_reaches_nothing(
    tabs: ConversationBrowser, tmp_path: Path, site: str
) -> None:
    tab = await tabs.tab(save_page(tmp_path, site))
    assert tab.url.startswith(GIVEN_ORIGIN)
    assert await tab.title() == "Ferry"
    assert "14 crowns" in (await tab.text()).text
    view = (await tab.look()).render()
    assert "Timetable" in view and 'button "Send"' in view
    for words in ("Timetable", "Prices"):
        await tab.page.get_by_text(words).click()
    await tab.page.get_by_role("button").click()
    assert (tab.url.startswith(GIVEN_ORIGIN), await tab.title()) == (True, "Ferry")
    assert SECRET not in await tab.page.content()
    assert Harbour.asked == []
    await tab.page.get_by_text("Quay").click()
    await tab.page.wait_for_url(f"{site}/plain")


async def test_a_script_that_is_served_there_all_the_same_does_not_run(tabs: ConversationBrowser, site: str) -> None:
    file = page_file(tabs.folder, "raw")
    file.parent.mkdir(parents=True)
    file.write_text(SAVED.format(secret=Harbour.goal, site=site))
    tab = await tabs.tab(given_address("raw"))
    assert await tab.title() == "Ferry"
    await tab.page.get_by_role("button").click()
    assert await tab.title() == "Ferry"
    assert [SECRET in await frame.content() for frame in tab.page.frames if frame.url.startswith("file:")] == []
    assert Harbour.asked == [], "the header alone keeps it from the network"


@pytest.mark.parametrize("path", ["/redirect", "/frame", "/popup"])
async def test_no_page_leads_to_a_file(tabs: ConversationBrowser, site: str, path: str) -> None:
    session = await tabs.session()
    with pytest.raises(ToolError) if path == "/redirect" else nullcontext():
        await (await session.tab()).goto(f"{site}{path}")
    await asyncio.sleep(0.5)
    for tab in session.tabs.values():
        assert [frame.url for frame in tab.page.frames if frame.url.startswith("file:")] == []
        assert SECRET not in (await tab.text()).text


async def test_another_site_cannot_show_a_given_file_within_its_own_page(tabs: ConversationBrowser, site: str) -> None:
    file = page_file(tabs.folder, "letter.txt")
    file.parent.mkdir(parents=True)
    file.write_text(SECRET)
    tab = await tabs.tab(f"{site}/given")
    await asyncio.sleep(0.3)
    assert SECRET not in (await tab.text()).text


async def test_the_browser_opens_no_address_of_a_file(tabs: ConversationBrowser, site: str) -> None:
    tab = await (await tabs.session()).tab()
    for url in (Harbour.goal, Harbour.goal.upper().replace("FILE", "FiLe"), "\tfi\nle:///etc/passwd"):
        with pytest.raises(ToolError, match="opens no files"):
            await tab.goto(url)


async def test_a_browser_without_a_proxy_shows_given_files_in_the_same_way(
    pool: BrowserPool, tmp_path: Path, site: str
) -> None:
    file = page_file(tmp_path, "raw")
    file.parent.mkdir()
    file.write_text(SAVED.format(secret=Harbour.goal, site=site))
    session = await pool.lease("bare", tmp_path, None, SessionRules())
    tab = await session.tab()
    await tab.goto(given_address("raw"))
    assert "14 crowns" in (await tab.text()).text
    assert (await tab.title(), Harbour.asked) == ("Ferry", [])
    await pool.end("bare")


def test_only_pages_of_the_conversation_are_answered(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "a.txt.html").write_text("a")
    (tmp_path / "b.html").write_text("b")
    assert given_page(tmp_path, "/a.txt") == b"a"
    assert given_page(tmp_path, f"{GIVEN_ORIGIN}a.txt?x#y") == b"a"
    for target in ("/", "", "/../b", "/..%2Fb", "/%2e%2e%2fb", "/a.txt%00", "//a.txt/../../b", f"/{'x' * 5000}"):
        assert given_page(tmp_path, target) is None, target

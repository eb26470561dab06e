"""The pool: a dead browser is replaced, attaching leaves the person's browser alone, closing leaves nothing."""

import asyncio
import os
import signal
import tempfile
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from browser.running_browser import run_browser
from browser.stage import Site
from pilotfish.browser.sessions.browser_pool import BrowserPool
from pilotfish.browser.sessions.call_guard import BrowserGone
from pilotfish.browser.sessions.session import BrowserSession
from pilotfish.browser.sessions.tab import Tab
from pilotfish.core.errors import BrowserError
from pilotfish.core.settings import BrowserSettings

pytestmark = [pytest.mark.slow, pytest.mark.whole_browser]


@pytest.fixture
async def own_pool() -> AsyncIterator[BrowserPool]:
    """A pool whose browser may be killed."""
    pool = BrowserPool(BrowserSettings(timeout=10))
    yield pool
    await pool.close()


def commands() -> dict[int, str]:
    found: dict[int, str] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                found[int(entry.name)] = (entry / "cmdline").read_bytes().decode(errors="replace")
            except OSError:
                continue
    return found


def children(word: str) -> list[int]:
    """Our own child processes with the word on their command line."""
    mine: list[int] = []
    for pid, command in commands().items():
        try:
            parent = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1]
        except OSError:
            continue
        if word in command and int(parent) == os.getpid():
            mine.append(pid)
    return mine


async def await_death(tab: Tab, pid: int = 0) -> tuple[BrowserGone, float]:
    """A call that would wait for ever, the error that ended it, and how long after the death."""
    waiting = asyncio.ensure_future(tab.guard.call(tab.page.evaluate("new Promise(() => {})"), "waiting"))
    await tab.page.evaluate("1")
    start = time.perf_counter()
    if pid:
        os.kill(pid, signal.SIGKILL)
    else:
        crash = asyncio.ensure_future(tab.page.goto("chrome://crash"))
        crash.add_done_callback(lambda done: done.exception())
    with pytest.raises(BrowserGone) as caught:
        await waiting
    return caught.value, time.perf_counter() - start


async def test_a_crashed_page_is_noticed_and_opened_again_under_its_number(session: BrowserSession, site: Site) -> None:
    tab = await session.open(site.html("alive"))
    error, seconds = await await_death(tab)
    assert "The page crashed while waiting" in error.message and seconds < 3
    again = await session.tab()
    assert (again.number, again.url) == (tab.number, site.url + "/page")
    assert await again.page.inner_text("body") == "alive"
    assert "crashed and was opened again" in session.notices[-1].text


async def test_a_killed_browser_is_noticed_and_replaced_with_tabs_and_logins(
    own_pool: BrowserPool, tmp_path: Path, site: Site
) -> None:
    session = await own_pool.lease("run", tmp_path)
    tab = await session.open(site.html("<script>document.cookie ||= 'who=me'</script>"))
    await session.save()
    mark = f"--user-data-dir={own_pool.profile_folder}"
    pid = next(pid for pid, command in commands().items() if mark in command and "--type=" not in command)
    error, seconds = await await_death(tab, pid=pid)
    assert isinstance(error, BrowserGone) and seconds < 3
    again = await session.tab()
    assert (again.number, again.url) == (2, site.url + "/page")
    assert await again.page.evaluate("document.cookie") == "who=me"


async def test_a_killed_driver_is_noticed_and_replaced(own_pool: BrowserPool, tmp_path: Path, site: Site) -> None:
    drivers = set(children("run-driver"))
    session = await own_pool.lease("run", tmp_path)
    (driver,) = set(children("run-driver")) - drivers
    tab = await session.open(site.html("alive"))
    error, seconds = await await_death(tab, pid=driver)
    assert isinstance(error, BrowserGone) and seconds < 3
    again = await session.tab()
    assert (again.number, again.url) == (2, site.url + "/page")


async def test_closing_leaves_no_process_and_no_profile(own_pool: BrowserPool, tmp_path: Path) -> None:
    await own_pool.lease("run", tmp_path)
    home = own_pool.profile_folder
    assert any(home in command for command in commands().values())
    await own_pool.close()
    assert not any(home in command for command in commands().values())
    assert not Path(home).exists()


async def test_the_persons_own_browser_is_used_and_left_as_it_was(tmp_path: Path, site: Site) -> None:
    async with run_browser(tmp_path / "profile", site.html("mine", "/mine")) as (person, address):
        async with asyncio.timeout(20):
            while "GET /mine" not in site.hits:
                await asyncio.sleep(0.02)
        pool = BrowserPool(BrowserSettings(attach=address))
        session = await pool.lease("run", tmp_path)
        assert [tab.url for tab in session.tabs.values()] == [site.url + "/mine"]
        await session.open(site.html("ours", "/ours"))
        await pool.close()
        assert person.returncode is None
        later = BrowserPool(BrowserSettings(attach=address))
        assert [tab.url for tab in (await later.lease("run", tmp_path)).tabs.values()] == [site.url + "/mine"]
        await later.close()


async def test_nothing_to_attach_to_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(BrowserError, match="No browser could be attached") as caught:
        await BrowserPool(BrowserSettings(attach="http://127.0.0.1:9")).lease("run", tmp_path)
    assert "--remote-debugging-port" in caught.value.fix


async def test_a_browser_that_is_not_there_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(BrowserError, match="cannot be started") as caught:
        await BrowserPool(BrowserSettings(executable="no-such-browser")).lease("run", tmp_path)
    assert "browser.executable" in caught.value.fix


async def test_a_driver_that_does_not_start_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAYWRIGHT_NODEJS_PATH", "/bin/false")
    with pytest.raises(BrowserError, match="driver did not start") as caught:
        await BrowserPool(BrowserSettings()).lease("run", tmp_path)
    assert "libatomic" in caught.value.fix


async def test_a_browser_that_does_not_start_leaves_nothing(tmp_path: Path) -> None:
    before = set(children("reaper.py"))
    with pytest.raises(BrowserError, match="did not start"):
        await BrowserPool(BrowserSettings(executable="false")).lease("run", tmp_path)
    assert set(children("reaper.py")) <= before


async def test_a_browser_starts_also_where_temporary_things_lie_deep(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep = tmp_path / ("deep" * 20)
    deep.mkdir()
    monkeypatch.setenv("TMPDIR", str(deep))
    pool = BrowserPool(BrowserSettings())
    try:
        session = await pool.lease("run", tmp_path)
        assert (await session.tab()).page.url == "about:blank"
    finally:
        await pool.close()


async def test_a_start_that_is_given_up_ends_at_once_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = set(children("reaper.py"))
    with tempfile.TemporaryDirectory(dir="/tmp") as shallow:
        monkeypatch.setenv("TMPDIR", shallow)
        for moment in (0.0, 0.005, 0.02, 0.1, 0.3):
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(BrowserPool(BrowserSettings()).lease("run", tmp_path), moment)
        assert set(children("reaper.py")) <= before
        assert list(Path(shallow).iterdir()) == []

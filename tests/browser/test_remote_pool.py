"""Browsers elsewhere: sessions are spread over them, outlive one that dies, keep to limits, leave one that drains."""

import asyncio
import os
import socket
import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from browser.running_browser import run_browser
from browser.stage import Site
from pilotfish.app import Pilotfish, loop
from pilotfish.browser.sessions import chromium
from pilotfish.browser.sessions.browser_pool import BrowserProcess
from pilotfish.browser.sessions.call_guard import BrowserGone
from pilotfish.browser.sessions.remote_browser import connect_remote, missing_flags, resolve_addresses
from pilotfish.browser.sessions.remote_pool import RemotePool, make_pool
from pilotfish.core.errors import BrowserError, ToolError
from pilotfish.core.events import InputRequested, RunFinished
from pilotfish.core.settings import BrowserSettings, ModelSettings, Settings
from pilotfish.runtime.run import Run
from pilotfish.safety.network_limits import NetworkLimits
from pilotfish.safety.proxy import LimitingProxy

pytestmark = [pytest.mark.slow, pytest.mark.whole_browser]
SCRIPT = Path(__file__).parents[2] / "deploy/browser.sh"
Started = tuple[asyncio.subprocess.Process, str]
COOKIE = "<script>document.cookie ||= 'who=' + Math.random()</script>"


@pytest.fixture
async def pair(tmp_path: Path) -> AsyncIterator[list[Started]]:
    """Two browsers that somebody else started."""
    async with AsyncExitStack() as stack:
        starts = (run_browser(tmp_path / name, "--enable-automation") for name in ("profile-a", "profile-b"))
        yield list(await asyncio.gather(*(stack.enter_async_context(start) for start in starts)))


def settings_for(pair: list[Started], **more: object) -> BrowserSettings:
    remote = tuple(address for _, address in pair)
    return BrowserSettings.model_validate({"remote": remote, "timeout": 30, **more})


def open_pool(settings: BrowserSettings) -> RemotePool:
    pool = make_pool(settings)
    assert isinstance(pool, RemotePool)
    return pool


async def test_sessions_are_spread_and_go_on_in_the_other_browser_when_theirs_is_killed(
    pair: list[Started], tmp_path: Path, site: Site
) -> None:
    pool = open_pool(settings_for(pair))
    try:
        one, two = [await pool.lease(run, tmp_path / run) for run in ("one", "two")]
        assert [len(browser.sessions) for browser in pool.browsers.values()] == [1, 1]
        tabs = [await session.open(site.html(COOKIE)) for session in (one, two)]
        cookies = [await tab.page.evaluate("document.cookie") for tab in tabs]
        assert cookies[0] != cookies[1], "each has its own cookies"
        await one.save()
        (engine,) = {await pool.find_browser("one")}
        assert "--disable-quic" in await missing_flags(engine), "what it was started without is told"
        process, address = next(start for start in pair if "one" in pool.browsers[start[1]].sessions)
        process.kill()
        with pytest.raises(BrowserGone):
            await tabs[0].guard.call(tabs[0].page.evaluate("new Promise(() => {})"), "waiting")
        again = await one.tab()
        assert (again.number, again.url) == (tabs[0].number, site.url + "/page")
        assert await again.page.evaluate("document.cookie") == cookies[0]
        assert await tabs[1].page.evaluate("document.cookie") == cookies[1], "the other one noticed nothing"
        (alive,) = (other for _, other in pair if other != address)
        assert pool.browsers[alive].sessions == {"one", "two"} and pool.crashes == 1
        states = {info.address: info.state for info in await pool.list_browsers()}
        assert states == {address: "unreachable", alive: "ready"}
    finally:
        await pool.close()
    (_, left) = pair
    assert left[0].returncode is None or pair[0][0].returncode is None, "those of others are left running"


async def test_a_full_browser_gets_no_session_until_one_ends_or_nobody_uses_one(
    pair: list[Started], tmp_path: Path
) -> None:
    pool = open_pool(settings_for(pair[:1], remote_sessions=1, timeout=12))
    try:
        await pool.lease("one", tmp_path)
        with pytest.raises(BrowserError, match=r"full: 1 with 1 sessions"):
            await pool.lease("two", tmp_path)
        waiting = asyncio.create_task(pool.lease("two", tmp_path))
        await asyncio.sleep(0)
        await pool.end("one")
        await waiting
        assert [info.state for info in await pool.list_browsers()] == ["full"]

        async def make_room() -> bool:
            await pool.end("two")
            return True

        pool.make_room = make_room
        await pool.lease("three", tmp_path)
        assert [browser.sessions for browser in pool.browsers.values()] == [{"three"}]
    finally:
        await pool.close()


async def test_a_browser_that_is_no_longer_named_keeps_its_sessions_and_gets_no_more(
    pair: list[Started], tmp_path: Path, site: Site
) -> None:
    pool = open_pool(settings_for(pair[:1]))
    try:
        session = await pool.lease("one", tmp_path)
        tab = await session.open(site.html("here"))
        assert await pool.adopt(settings_for(pair[1:], remote_sessions=3))
        await pool.lease("two", tmp_path)
        former, later = (address for _, address in pair)
        assert {info.address: info.state for info in await pool.list_browsers()} == {former: "draining", later: "ready"}
        assert pool.browsers[later].sessions == {"two"}
        assert await tab.page.inner_text("body") == "here"
        await pool.end("one")
        assert list(pool.browsers) == [later]
        assert not await pool.adopt(BrowserSettings(timeout=10)), "a browser of this machine is another pool"
    finally:
        await pool.close()


@loop("test-remote")
async def look(run: Run) -> None:
    """Open the page, wait for somebody, then say what it is called."""
    await run.browser.tab(run.options["page"])
    await run.browser.save()
    await run.request_input("Seen?")
    session = await run.browser.session()
    try:
        title = await (await session.tab()).title()
    except ToolError:
        title = await (await session.tab()).title()
    await run.finish(title)


async def test_a_run_goes_on_when_its_browser_is_killed_and_a_resting_conversation_makes_room(
    pair: list[Started], tmp_path: Path, site: Site
) -> None:
    browser = settings_for(pair, remote_sessions=1)
    settings = Settings(home=tmp_path / "home", models=ModelSettings(main="scripted"), browser=browser)
    page = site.html(COOKIE)
    async with Pilotfish(settings) as fish:
        pool = fish.browsers.pool
        assert isinstance(pool, RemotePool)
        for answer in ("rest", "kill"):
            run = await fish.start("Look", loop="test-remote", page=page)
            async for event in fish.follow(run.id):
                if isinstance(event, InputRequested):
                    if answer == "kill":
                        # The conversation before rests in the other browser, which has room for one.
                        assert [len(one.sessions) for one in pool.browsers.values()] == [1, 1]
                        used = next(one.address for one in pool.browsers.values() if run.conversation in one.sessions)
                        next(process for process, address in pair if address == used).kill()
                    await fish.command(run.id, "answer", text="yes", request=event.request)
                if isinstance(event, RunFinished):
                    assert (event.outcome, event.text) == ("completed", "Stage")
        assert [one.sessions for one in pool.browsers.values() if one.sessions] == [{run.conversation}]


async def test_the_script_for_a_browser_elsewhere_starts_one_with_our_flags_and_leaves_nothing() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"http://127.0.0.1:{free.getsockname()[1]}"
    flags = [] if chromium.can_sandbox() else ["--no-sandbox"]
    # A short path: Chromium puts a socket below it.
    with tempfile.TemporaryDirectory(prefix="pf") as folder:
        env = {"PORT": address.rpartition(":")[2], "CHROMIUM": chromium.find_executable(), "TMPDIR": folder}
        script = await asyncio.create_subprocess_exec(
            "sh", str(SCRIPT), *flags, env={**os.environ, **env}, stderr=asyncio.subprocess.DEVNULL
        )
        try:
            engine = await connect_soon(address)
            assert await missing_flags(engine) == []
            await engine.stop()
            assert script.returncode is None, "it is left running"
            script.terminate()
            await asyncio.wait_for(script.wait(), 30)
        finally:
            if script.returncode is None:
                script.kill()
        assert not list(Path(folder).iterdir())


async def connect_soon(address: str) -> BrowserProcess:
    """The connection to a browser that is starting."""
    async with asyncio.timeout(30):
        while True:
            try:
                return await connect_remote(address, BrowserSettings(timeout=10))
            except BrowserError:
                await asyncio.sleep(0.2)


async def test_an_address_is_told_without_its_token_and_a_name_stands_for_all_its_browsers(tmp_path: Path) -> None:
    settings = BrowserSettings.model_validate(
        {
            "remote": ["http://127.0.0.1:9", "ws://127.0.0.1:9/own-guid?key=k-secret"],
            "remote_token": "fish-secret",
            "timeout": 1,
        }
    )
    pool = open_pool(settings)
    with pytest.raises(BrowserError, match="None of the browsers elsewhere") as caught:
        await pool.lease("run", tmp_path)
    await pool.close()
    said = caught.value.message
    assert "http://127.0.0.1:9 " in said and "ws://127.0.0.1:9 " in said
    assert not any(secret in said for secret in ("fish-secret", "own-guid", "k-secret"))
    found = await resolve_addresses(["http://localhost:9222", "http://127.0.0.1:9222", "wss://host.example/?a=b"])
    assert "http://127.0.0.1:9222" in found and "wss://host.example/?a=b" in found
    assert not any("localhost" in address for address in found) and len(found) == len(set(found))


async def test_only_the_machine_of_the_browser_may_use_the_proxy_that_is_opened_to_it() -> None:
    proxy = LimitingProxy(lambda: NetworkLimits.of(Settings()))
    try:
        host, _, port = (await proxy.open_to("127.0.0.1")).removeprefix("socks5://").rpartition(":")
        for source, answer in (("127.0.0.1", b"\5\0"), ("127.0.0.2", b"")):
            reader, writer = await asyncio.open_connection(host, int(port), local_addr=(source, 0))
            writer.write(b"\5\1\0")
            assert await reader.read(2) == answer
            writer.close()
    finally:
        await proxy.close()

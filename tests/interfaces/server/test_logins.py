"""Logins that are remembered across conversations, and the browser that new runs use, with a real browser."""

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest

from pilotfish.app import loop
from pilotfish.browser.sessions import chromium
from pilotfish.core.gestures import KeyGesture, MouseGesture, PasteGesture
from pilotfish.practice.server import Practice
from pilotfish.runtime.run import Run
from pilotfish.runtime.session_logins import SessionLogins
from pilotfish.services.login_window import open_login_window

from .running_server import PATIENCE, RunningServer

pytestmark = [pytest.mark.slow, pytest.mark.whole_browser]


@loop("test-page-titles")
async def titles(run: Run) -> None:
    """Say the title of the page, and the addresses of the tabs."""
    page = await run.observe()
    session = await run.browser.session()
    await run.finish(f"{page.title} | {' '.join(tab.url for tab in session.tabs.values())}")


@pytest.fixture(scope="module")
async def site() -> AsyncGenerator[Practice]:
    async with Practice() as site:
        yield site


async def title(running: RunningServer, site: Practice, **how: Any) -> str:
    """The title of the account page as a new run sees it."""
    run = await running.started("test-page-titles", tabs=[f"{site.url}/account"], **how)
    return str((await running.until(run, "run_finished")).text)


async def sign_in(running: RunningServer, site: Practice, token: str | None = None) -> str:
    """Sign in by the live view, as a person does; returns the conversation."""
    async with running.client(token) as client:
        made = await client.post("/api/logins", json={"url": f"{site.url}/account/login"})
        assert made.status_code == 201, made.text
        conversation = str(made.json()["id"])
    window = running.fish.views.of(conversation)
    page = (await (await window.tabs.session()).tab()).page
    for name, text in (("user", "mira"), ("password", "lantern-42")):
        box = await page.locator(f"[name={name}]").bounding_box()
        assert box
        await window.apply_gesture(MouseGesture(type="mouse", action="click", x=box["x"] + 5, y=box["y"] + 5))
        await window.apply_gesture(PasteGesture(type="paste", text=text))
    async with page.expect_navigation(url="**/account"):
        await window.apply_gesture(KeyGesture(type="key", action="press", key="Enter"))
    await window.end()
    return conversation


@pytest.fixture
async def signed_in(running: RunningServer, site: Practice) -> AsyncGenerator[str]:
    yield await sign_in(running, site)
    await running.fish.logins.forget("local", "127.0.0.1")
    await running.fish.browsers.save()


async def test_a_run_chooses_the_remembered_logins_or_none(
    running: RunningServer, site: Practice, signed_in: str
) -> None:
    assert "Sign in" in await title(running, site)
    assert "Your account" in await title(running, site, profile="remembered")
    assert "Sign in" in await title(running, site, profile="fresh")
    async with running.client() as client:
        [listed] = (await client.get("/api/logins")).json()
        assert (listed["site"], set(listed)) == ("127.0.0.1", {"site", "cookies", "items", "saved"})
    home = running.fish.settings.home
    token = site.state()["token"].encode()
    kept = [path for path in home.rglob("*") if path.is_file() and token in path.read_bytes()]
    assert kept == []


async def test_another_user_has_none_of_them(running: RunningServer, site: Practice, signed_in: str) -> None:
    other, token = await running.member("otto")
    async with running.client(token) as client:
        assert (await client.get("/api/logins")).json() == []
        assert (await client.delete("/api/logins/127.0.0.1")).status_code == 404
    assert "Sign in" in await title(running, site, user=other, profile="remembered")


async def test_a_conversation_can_change_between_remembered_and_fresh(
    running: RunningServer, site: Practice, signed_in: str
) -> None:
    async with running.client() as client:
        talk = (await client.post("/api/conversations", json={"title": "Both"})).json()["id"]
    for profile, expected in (("fresh", "Sign in"), ("remembered", "Your account"), ("fresh", "Sign in")):
        assert expected in await title(running, site, conversation=talk, profile=profile)


async def test_a_site_that_is_forgotten_is_forgotten_in_open_conversations(
    running: RunningServer, site: Practice, signed_in: str
) -> None:
    session = await running.fish.browsers.of(signed_in).session()
    page = (await session.tab()).page
    await page.evaluate("localStorage.setItem('kept', 'yes')")
    await running.fish.browsers.save()
    async with running.client() as client:
        assert (await client.get("/api/logins")).json()[0]["items"] == 1
        assert (await client.delete("/api/logins/127.0.0.1")).status_code == 204
        assert (await client.get("/api/logins")).json() == []
        assert (await client.delete("/api/logins/127.0.0.1")).status_code == 404
    assert await page.evaluate("[localStorage.length, document.cookie]") == [0, ""]
    await page.reload()
    assert "Sign in" in await page.title()


async def test_signing_in_elsewhere_holds_for_the_next_run_of_an_open_conversation(
    running: RunningServer, site: Practice
) -> None:
    async with running.client() as client:
        talk = (await client.post("/api/conversations", json={"title": "Open"})).json()["id"]
    assert "Sign in" in await title(running, site, conversation=talk, profile="remembered")
    await sign_in(running, site)
    run = await running.started("test-page-titles", conversation=talk)
    await running.until(run, "run_finished")
    page = (await (await running.fish.browsers.of(talk).session()).tab()).page
    await page.goto(f"{site.url}/account")
    assert "Your account" in await page.title()
    await running.fish.logins.forget("local", "127.0.0.1")


async def test_a_window_remembers_until_it_is_closed(running: RunningServer, site: Practice) -> None:
    logins = SessionLogins(running.fish.logins, "local")
    async with open_login_window(running.fish.settings.browser, logins, f"{site.url}/account/login") as window:
        page = (await window.session.tab()).page
        waiting = asyncio.create_task(window.wait_closed())
        await page.fill("[name=user]", "mira")
        await page.fill("[name=password]", "lantern-42")
        async with page.expect_navigation(url="**/account"):
            await page.press("[name=password]", "Enter")
        await page.close()
        assert await asyncio.wait_for(waiting, PATIENCE) == ["127.0.0.1"]
    assert "Your account" in await title(running, site, profile="remembered")
    await running.fish.logins.forget("local", "127.0.0.1")


async def test_a_browser_that_is_attached_later_is_used_by_the_next_run(
    running: RunningServer, tmp_path: Path, site: Practice
) -> None:
    profile = tmp_path / "profile"
    flags = ["--headless=new", "--no-first-run", "--disable-gpu", f"--user-data-dir={profile}"]
    flags += [] if chromium.can_sandbox() else ["--no-sandbox"]
    person = await asyncio.create_subprocess_exec(
        chromium.find_executable(), *flags, "--remote-debugging-port=0", f"{site.url}/news",
        stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    try:
        async with running.client() as client, asyncio.timeout(3 * PATIENCE):
            talk = (await client.post("/api/conversations", json={"title": "Attach"})).json()["id"]
            first = await running.started("test-page-titles", conversation=talk, tabs=[f"{site.url}/shop"])
            assert "/news" not in (await running.until(first, "run_finished")).text
            while not (profile / "DevToolsActivePort").exists():
                await asyncio.sleep(0.05)
            port = (profile / "DevToolsActivePort").read_text().split()[0]
            change = {"path": "browser.attach", "value": f"http://127.0.0.1:{port}"}
            assert (await client.put("/api/settings", json=change)).is_success
            second = await running.started("test-page-titles", conversation=talk)
            assert (await running.until(second, "run_finished")).text.endswith(f"{site.url}/news")
            assert (await client.put("/api/settings", json={**change, "value": None})).is_success
            third = await running.started("test-page-titles", conversation=talk, tabs=[f"{site.url}/shop"])
            assert "/news" not in (await running.until(third, "run_finished")).text
    finally:
        person.kill()
        await person.wait()

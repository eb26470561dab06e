"""Chores for tests in the person's Chrome: loops that do what their names say, and how a person begins them."""

import asyncio
import re
from collections.abc import Awaitable, Callable

from playwright.async_api import Page, expect

from interfaces.server.running_server import PATIENCE, RunningServer
from pilotfish.app import loop
from pilotfish.core.errors import BrowserError, ToolError
from pilotfish.core.messages import ToolCall
from pilotfish.runtime.run import Run

from .person import PersonChrome


def number(page: str, name: str) -> int:
    """The number of the element so called."""
    found = re.search(rf'\[(\d+)\] \w+ "{re.escape(name)}', page)
    assert found, page
    return int(found[1])


@loop("test-chrome-phone")
async def phone(run: Run) -> None:
    """Change the phone number in the account of the person."""
    seen = await run.observe()
    await run.act(ToolCall(id="t", tool="type", args={"id": number(seen.text, "Phone"), "text": "0123 456"}))
    seen = await run.observe()
    [done] = await run.act(ToolCall(id="c", tool="click", args={"id": number(seen.text, "Save profile")}))
    await run.finish(done.output[:200])


@loop("test-chrome-looks")
async def looks(run: Run) -> None:
    """Look again and again, until told to stop; a lost connection is waited for."""
    while run.open:
        try:
            await run.observe()
        except (BrowserError, ToolError) as error:
            if "Hand a tab over" in error.fix:
                raise
        await asyncio.sleep(0.2)


@loop("test-chrome-thinks")
async def thinks(run: Run) -> None:
    """Look once, then be as busy as with a slow model until told to stop."""
    await run.observe()
    while run.open:
        run.control.check()
        await asyncio.sleep(0.1)


@loop("test-chrome-reads")
async def reads(run: Run) -> None:
    """Say what the tab is called."""
    await run.finish((await run.observe()).title)


@loop("test-chrome-writes")
async def writes(run: Run) -> None:
    """Click into a field and type into it, again and again."""
    while run.open:
        seen = await run.observe()
        field = number(seen.text, "Name")
        await run.act(ToolCall(id="c", tool="click", args={"id": field}))
        await run.act(ToolCall(id="t", tool="type", args={"id": field, "text": "Ada"}))


@loop("test-chrome-opens")
async def opens(run: Run) -> None:
    """Click the link of the page, then say what is in front."""
    seen = await run.observe()
    await run.act(ToolCall(id="c", tool="click", args={"id": number(seen.text, "Open it")}))
    await run.finish((await run.observe()).title)


@loop("test-chrome-paper")
async def paper(run: Run) -> None:
    """Click the link to a PDF, read that, then go to the page that the task names."""
    seen = await run.observe()
    [clicked] = await run.act(ToolCall(id="c", tool="click", args={"id": number(seen.text, "Paper")}))
    [read] = await run.act(ToolCall(id="r", tool="get_text", args={}))
    [gone] = await run.act(ToolCall(id="g", tool="navigate", args={"url": run.record.task}))
    await run.finish(f"{clicked.output} | {read.output} | {gone.output}")


@loop("test-chrome-points")
async def points(run: Run) -> None:
    """Click into a field, then be as busy as with a slow model until told to stop."""
    seen = await run.observe()
    await run.act(ToolCall(id="c", tool="click", args={"id": number(seen.text, "Name")}))
    while run.open:
        run.control.check()
        await asyncio.sleep(0.1)


async def work_panel(chrome: PersonChrome, page: Page, loop: str) -> Page:
    """A panel with a new conversation that works in the tab of a page, with a loop of this file."""
    panel = await chrome.panel()
    await panel.evaluate("loop => localStorage.setItem('pilotfish.mode', JSON.stringify(loop))", loop)
    await panel.reload()
    await panel.get_by_role("button", name="New conversation").click()
    await page.bring_to_front()
    await expect(panel.locator(".front")).to_contain_text(await page.title())
    await panel.get_by_role("button", name="Work in").click()
    return panel


async def send(server: RunningServer, panel: Page, task: str) -> str:
    """Send a task from the panel; returns its run."""
    await panel.get_by_label("Your message").fill(task)
    await panel.get_by_role("button", name="Send", exact=True).click()
    await expect(panel.locator(".thread")).to_contain_text(task)
    [run] = await server.fish.runs(text=task)
    return run.id


async def begin(server: RunningServer, chrome: PersonChrome, page: Page, loop: str, task: str) -> tuple[Page, str]:
    """Begin a chore in the tab of a page; returns the panel, and the run after its first look."""
    panel = await work_panel(chrome, page, loop)
    run = await send(server, panel, task)
    await server.until(run, "page_seen")
    return panel, run


async def wait_for(holds: Callable[[], Awaitable[object]]) -> None:
    """Wait until something holds, with a bound."""
    async with asyncio.timeout(PATIENCE):
        while not await holds():
            await asyncio.sleep(0.05)

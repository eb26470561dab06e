"""Pictures and files of runs in the panel, which came from another origin than the server's."""

import re

import pytest
from playwright.async_api import Page, expect

from interfaces.server.running_server import RunningServer
from pilotfish.app import loop
from pilotfish.core.messages import ToolCall
from pilotfish.practice.server import Practice
from pilotfish.runtime.run import Run

from .chores import send, wait_for, work_panel
from .person import PersonChrome

pytestmark = pytest.mark.slow


@loop("test-chrome-pictures")
async def pictures(run: Run) -> None:
    """Take a picture of the tab."""
    await run.act(ToolCall(id="s", tool="screenshot", args={}))
    await run.finish("Taken.")


async def test_pictures_are_shown_and_files_are_downloaded_with_the_panel_s_token(
    server: RunningServer, chrome: PersonChrome, panel: Page, site: Practice
) -> None:
    page = await chrome.open(f"{site.url}/news")
    work = await work_panel(chrome, page, "test-chrome-pictures")
    run = await send(server, work, "Take a picture of this")
    await server.until(run, "run_finished")
    for closed in await work.locator("details:not([open]) > summary").all():
        await closed.click()
    picture = work.locator(".thumb img").first
    await expect(picture).to_have_attribute("src", re.compile(f"^blob:{chrome.origin}"))
    await picture.scroll_into_view_if_needed()

    async def is_shown() -> bool:
        return bool(await picture.evaluate("image => image.naturalWidth > 0"))

    await wait_for(is_shown)
    # What is only heard is placed within the box that scrolls, or the panel itself would scroll too.
    placed = "all => all.every(each => each.closest('.thread').contains(each.offsetParent))"
    assert await work.locator(".thread .unseen").evaluate_all(placed)
    async with work.expect_download() as begun:
        link = "href => document.body.append(Object.assign(document.createElement('a'), {href, download: '', id: 'l'}))"
        await work.evaluate(link, f"/api/runs/{run}/export?format=markdown")
        await work.locator("#l").evaluate("link => link.click()")
    assert run in (await begun.value).suggested_filename
    await work.close()
    await page.close()

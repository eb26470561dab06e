"""A person with two browsers that are both paired: a chore works in the one whose tab was handed over."""

import pytest
from playwright.async_api import Page, expect

from interfaces.server.running_server import RunningServer
from pilotfish.practice.server import Practice
from pilotfish.services.extensions import make_pairing_code

from .chores import send, wait_for, work_panel
from .person import PersonChrome, person_chrome

pytestmark = pytest.mark.slow


async def test_a_chore_works_in_the_browser_whose_tab_was_handed_over(
    server: RunningServer, chrome: PersonChrome, panel: Page, site: Practice, tmp_path_factory: pytest.TempPathFactory
) -> None:
    async with person_chrome(tmp_path_factory.mktemp("second")) as second:
        code = await make_pairing_code(server.fish.store, "local")
        other = await second.pair(server.url.removeprefix("http://"), code.code)
        await expect(other.get_by_label("Your message")).to_be_visible()

        async def are_both_connected() -> bool:
            return len(server.fish.extensions.connected("local")) == 2

        await wait_for(are_both_connected)
        for browser, path in ((chrome, "news"), (second, "forum"), (chrome, "shop")):
            page = await browser.open(f"{site.url}/{path}")
            work = await work_panel(browser, page, "test-chrome-reads")
            run = await send(server, work, f"Read the {path}")
            ended = await server.until(run, "run_finished")
            assert (ended.outcome, ended.text) == ("completed", await page.title())
            await work.close()
            await page.close()

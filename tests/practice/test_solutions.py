"""Every task can be done in a real browser, and its check sees it."""

from collections.abc import AsyncIterator

import anyio
import pytest
from playwright.async_api import Browser, async_playwright

from pilotfish.browser.sessions.chromium import find_executable
from pilotfish.practice.server import Practice
from pilotfish.practice.tasks import PracticeTask, tasks

from .moves import carry
from .solutions import SOLUTIONS

pytestmark = pytest.mark.slow
SUITE = [pytest.param(task, id=task.name) for task in tasks()]


@pytest.fixture(scope="module")
async def browser(started_browser: None) -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        running = await playwright.chromium.launch(executable_path=find_executable(), args=["--no-sandbox"])
        yield running
        await running.close()


def test_every_task_has_its_solution() -> None:
    assert set(SOLUTIONS) == {task.name for task in tasks()}


@pytest.mark.parametrize("task", SUITE)
async def test_a_person_who_does_it_passes_the_check(site: Practice, browser: Browser, task: PracticeTask) -> None:
    site.reset(task.name)
    context = await browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(15_000)
    faults: list[str] = []
    try:
        page = await context.new_page()
        page.on("pageerror", lambda error: faults.append(error.message))
        await page.goto(site.address(task.start, task.name))
        assert not task.check(site.log(task.name), site.state(task.name))
        for move in SOLUTIONS[task.name]:
            await carry(page, move)
        with anyio.fail_after(10):
            while not task.check(site.log(task.name), site.state(task.name)):
                await anyio.sleep(0.02)
    finally:
        await context.close()
    assert faults == []

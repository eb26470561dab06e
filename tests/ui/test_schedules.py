"""Schedules on the web page: made with what they may do, paused, run, deleted; history, calendar and notices."""

import re

import pytest
from playwright.async_api import Page, expect

from pilotfish.core.schedule_progress import make_notices

from .stage import Stage
from .test_screens import look

pytestmark = pytest.mark.slow


async def test_what_was_and_what_comes_stand_in_history_and_calendar(stage: Stage, page: Page) -> None:
    made = await stage.fish.schedule("Read the tides", "every day at 6:30", name="tides", options={"loop": "story"})
    await stage.open(page, "/schedules")
    await page.get_by_role("button", name="Run now: tides").click()
    await expect(page.locator(".notices")).to_contain_text("It begins now.")
    [fire] = await stage.fish.schedules.history(made.id)
    await stage.ended(fire.run)
    await page.get_by_role("button", name="History: tides").click()
    await expect(page.get_by_role("dialog").locator("li").first).to_contain_text(re.compile("done|at work"))
    await page.keyboard.press("Escape")
    await page.get_by_role("button", name="Calendar").click()
    await expect(page.locator(".calendar .entry.planned").first).to_contain_text("tides")
    await look(page, "schedules-calendar")
    await page.set_viewport_size({"width": 1280, "height": 800})
    await page.locator(".calendar .today").focus()
    await page.keyboard.press("ArrowDown")
    await expect(page.locator(".calendar .today")).not_to_be_focused()
    await stage.fish.schedules.delete(made.id)


async def test_a_notice_is_shown_and_marked_as_read(stage: Stage, page: Page) -> None:
    made = await stage.fish.schedule("Read the tides", "every day at 6:30", name="high water")
    await stage.fish.store.add_notices(make_notices(made, "result", "one", "High at noon.", "", made.created))
    await stage.open(page, "/schedules")
    await page.get_by_role("button", name=re.compile(r"Notices \(\d\)")).click()
    notice = page.locator(".plainlist li", has_text="High at noon.")
    await expect(notice).to_have_class(re.compile("unread"))
    await page.get_by_role("button", name="Mark as read: high water").click()
    await expect(notice).not_to_have_class(re.compile("unread"))
    await look(page, "schedules-notices")
    await stage.fish.schedules.delete(made.id)

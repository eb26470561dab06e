"""Schedules on the web page: made with what they may do, paused, run, deleted; history, calendar and notices."""

import re

import anyio
import pytest
from playwright.async_api import Page, expect

from pilotfish.core.schedule_progress import make_notices
from scripted_app import script
from serving import PATIENCE
from turned_clock import wait_for_fires

from .stage import Stage
from .test_screens import look

pytestmark = pytest.mark.slow


async def test_a_schedule_is_made_with_its_grants_and_controlled_by_keyboard(stage: Stage, page: Page) -> None:
    await stage.open(page, "/schedules")
    await expect(page.locator("#main .hint")).to_contain_text("No schedules yet")
    await page.get_by_role("button", name="New schedule").focus()
    await page.keyboard.press("Enter")
    form = page.get_by_role("dialog")
    await form.get_by_label("What is to be done").fill("Read the front page")
    await form.get_by_label("When", exact=True).fill("now and then")
    await expect(form.locator(".times")).to_contain_text("does not surely say when")
    await expect(form.get_by_role("button", name="Make it")).to_be_disabled()
    await form.get_by_label("When", exact=True).fill("every day at 6:30")
    await form.get_by_role("button", name="Grant something").click()
    await form.get_by_role("textbox", name="Site").fill("shop.example")
    await form.get_by_label("send a form").check()
    await expect(form.locator(".preview")).to_contain_text("On shop.example it may: send a form.")
    await expect(form.locator(".times")).to_contain_text("06:30")
    await look(page, "schedule-form")
    await page.set_viewport_size({"width": 1280, "height": 800})
    await form.get_by_role("button", name="Make it").click()
    entry = page.locator(".schedulelist > li")
    await expect(entry).to_contain_text("every day at 6:30")
    await expect(entry).to_contain_text("On shop.example it may: send a form.")
    await page.get_by_role("button", name="Change: Read the front page").click()
    await form.get_by_label("When", exact=True).fill("every day at 7:15")
    await form.get_by_role("button", name="Save").click()
    await expect(entry).to_contain_text("every day at 7:15")
    await expect(entry).to_contain_text("On shop.example it may: send a form.")
    await page.get_by_role("button", name="Pause: Read the front page").click()
    await expect(entry).to_contain_text("paused")
    await page.get_by_role("button", name="Resume: Read the front page").click()
    await expect(entry).to_contain_text("next")
    await page.get_by_role("button", name="Delete: Read the front page").click()
    await page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    await expect(page.locator("#main .hint")).to_contain_text("No schedules yet")


async def test_what_was_and_what_comes_stand_in_history_and_calendar(stage: Stage, page: Page) -> None:
    made = await stage.fish.schedule(
        "Read the tides", "every day at 6:30", name="tides", options={"loop": "test-story"}
    )
    await stage.open(page, "/schedules")
    await page.get_by_role("button", name="Run now: tides").click()
    await expect(page.locator(".notices")).to_contain_text("It begins now.")
    await wait_for_fires(stage.fish, made.id, 1)
    await page.get_by_role("button", name="History: tides").click()
    await expect(page.get_by_role("dialog").locator("li").first).to_contain_text("done")
    await page.keyboard.press("Escape")
    await page.get_by_role("button", name="Calendar").click()
    await expect(page.locator(".calendar .entry.planned").first).to_contain_text("tides")
    await expect(page.locator(".calendar .entry.completed")).to_contain_text("tides")
    await look(page, "schedules-calendar")
    await page.set_viewport_size({"width": 1280, "height": 800})
    far = await stage.fish.schedule("Look", "every day at 5:45", zone="Pacific/Kiritimati", name="island")
    await page.get_by_role("button", name="Calendar").click()
    await page.get_by_role("button", name="The month after").click()
    await expect(page.locator(".calendar .entry", has_text="island").first).to_contain_text("05:45")
    await expect(page.locator(".calendar .entry", has_text="island").first).to_have_attribute(
        "title", re.compile("Pacific/Kiritimati")
    )
    await stage.fish.schedules.delete(far.id)
    await page.get_by_role("button", name="The month before").click()
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


async def test_words_that_are_not_surely_known_are_read_by_the_model_and_shown_before_anything_is_made(
    stage: Stage, page: Page
) -> None:
    script(stage.fish, ['{"when": "mon-sat at 9:00", "zone": ""}'])
    await stage.open(page, "/schedules")
    await page.get_by_role("button", name="New schedule").click()
    form = page.get_by_role("dialog")
    await form.get_by_label("What is to be done").fill("Read the front page")
    await form.get_by_label("When", exact=True).fill("every day but Sundays at nine")
    await form.get_by_role("button", name="Ask the model what it means").click()
    await expect(form.locator(".times")).to_contain_text("is taken for “mon-sat at 9:00”")
    await expect(form.get_by_label("When", exact=True)).to_have_value("mon-sat at 9:00")
    await expect(form.locator(".times")).to_contain_text("09:00")
    await form.get_by_label("Time zone").fill("Asia/Tokyo")
    await expect(form.locator(".times")).to_contain_text("09:00")
    await look(page, "schedule-said-time")
    assert await stage.fish.schedules.list() == []


async def test_the_link_of_a_notice_is_answered_in_a_browser_that_is_not_signed_in(stage: Stage, page: Page) -> None:
    made = await stage.fish.schedule("Order a lamp", "every day at 6:30", name="lamp", options={"loop": "test-asks"})
    await stage.fish.schedules.run_now(made.id)
    for choice in ("Red", "Refuse"):
        await page.goto(f"{stage.url}{await find_link(stage, choice)}")
        await expect(page.get_by_role("heading")).to_have_text("A run asks")
        await page.get_by_role("button", name=choice).click()
        await expect(page.get_by_role("heading")).to_have_text("Answered")
    [fire] = await wait_for_fires(stage.fish, made.id, 1)
    assert fire.text == "You said Red and Refuse."
    await stage.fish.schedules.delete(made.id)


async def find_link(stage: Stage, choice: str) -> str:
    """The link of the notice that offers a choice."""
    with anyio.fail_after(PATIENCE):
        while True:
            for notice in await stage.fish.notices.list():
                if notice.kind == "question" and f"- {choice}" in notice.text:
                    return notice.link
            await anyio.sleep(0.05)

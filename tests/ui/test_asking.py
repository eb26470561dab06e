"""Waiting for you: questions, permissions, money; and holding a run."""

import pytest
from playwright.async_api import Page, expect

from .stage import Stage, release

pytestmark = pytest.mark.slow


async def test_a_question_flashes_shows_its_choices_and_takes_an_answer(stage: Stage, page: Page) -> None:
    run, talk = await stage.start("asks", "Order a lamp")
    await stage.open(page, f"/c/{talk}")
    banner = page.get_by_role("alertdialog")
    await expect(banner).to_contain_text("Which colour should the lamp have?")
    await expect(banner.locator(".countdown")).to_contain_text("gives up in")
    await expect(page).to_have_title("Waiting for you · Order a lamp")
    assert await banner.evaluate("e => getComputedStyle(e).animationName") == "flash"
    assert "%23b45309" in await page.locator("#icon").evaluate("e => e.href")
    await banner.get_by_label("Your answer").fill("Green")
    await banner.get_by_role("button", name="Answer").click()
    await expect(banner).to_contain_text("May I place the order?")
    for fact in ("Buy the lamp for 48.90 €", "shop.example", "It spends money"):
        await expect(banner).to_contain_text(fact)
    await banner.get_by_role("button", name="Allow for this run").click()
    await expect(page.locator(".said.theirs .markdown")).to_have_text("You said Green and Allow for this run.")
    await expect(banner).to_have_count(0)
    assert (await stage.fish.record(run)).outcome == "completed"


async def test_at_the_limit_of_the_budget_it_asks(stage: Stage, page: Page) -> None:
    _, talk = await stage.start("money", "Spend it all", budget_cents=10)
    await stage.open(page, f"/c/{talk}")
    banner = page.get_by_role("alertdialog", name="The budget is used up")
    await expect(banner).to_contain_text("10 of 10 cents are spent")
    await expect(page.get_by_role("meter", name="Cost")).to_have_attribute("aria-valuetext", "0.31 ¢ of 10.0 ¢")
    await banner.get_by_role("button", name="Answer with what there is").click()
    await expect(page.locator(".said.theirs .markdown")).to_have_text("You said Answer with what there is.")


async def test_a_run_can_be_paused_and_go_on(stage: Stage, page: Page) -> None:
    run, talk = await stage.start("held", "hold on")
    await stage.open(page, f"/c/{talk}")
    async with page.expect_response("**/pause"):
        await page.get_by_role("button", name="Pause", exact=True).click()
    assert (await stage.fish.store.commands(run))[0].verb == "pause"
    release("hold on")
    await expect(page.locator(".said.theirs .markdown")).to_contain_text("second half")


async def test_an_answer_in_one_window_clears_the_question_in_the_other(stage: Stage, page: Page) -> None:
    other = await page.context.new_page()
    _, talk = await stage.start("asks", "Two of us")
    for window in (page, other):
        await stage.open(window, f"/c/{talk}")
        await expect(window.get_by_role("alertdialog")).to_contain_text("Which colour")
    await page.get_by_role("button", name="Red", exact=True).click()
    await expect(other.get_by_role("alertdialog")).to_contain_text("May I place the order?")
    await other.get_by_role("button", name="Refuse").click()
    await expect(page.locator(".said.theirs .markdown")).to_have_text("You said Red and Refuse.")

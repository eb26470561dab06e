"""Secrets, rules tried out, and what a run was allowed: all on the page."""

import pytest
from playwright.async_api import Page, expect

from .stage import Stage

pytestmark = pytest.mark.slow


async def test_a_secret_is_kept_listed_without_its_value_replaced_and_deleted(stage: Stage, page: Page) -> None:
    await stage.open(page, "/settings/secrets")
    await expect(page.get_by_text("No secrets yet")).to_be_visible()
    await page.get_by_label("Name", exact=True).fill("shop-password")
    await page.get_by_label("Value").fill("correct horse")
    await page.get_by_label("Sites").fill("shop.example, https://pay.example")
    await page.get_by_role("button", name="Keep").click()
    line = page.locator(".plainlist li")
    await expect(line).to_contain_text("https://shop.example, https://pay.example")
    await expect(page.locator("body")).not_to_contain_text("correct horse")
    await page.get_by_label("Name", exact=True).fill("shop-password")
    await expect(page.get_by_role("heading", name="Replace a secret")).to_be_visible()
    await page.get_by_label("Kind").select_option("totp")
    await page.get_by_label("Seed of the codes").fill("JBSWY3DPEHPK3PXP")
    await page.get_by_label("Sites").fill("shop.example")
    await page.get_by_role("button", name="Keep").click()
    await expect(line).to_contain_text("One-time code")
    await page.get_by_role("button", name="Delete shop-password").click()
    await page.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()
    await expect(page.get_by_text("No secrets yet")).to_be_visible()


async def test_a_rule_can_be_tried_before_it_is_needed(stage: Stage, page: Page) -> None:
    await stage.open(page, "/settings/policy")
    await page.get_by_role("button", name="See").click()
    await expect(page.locator(".verdict.ask")).to_contain_text("buy")
    await page.get_by_label("It wants to").select_option("navigate")
    await page.get_by_label("Address").fill("file:///etc/passwd")
    await page.get_by_role("button", name="See").click()
    await expect(page.locator(".verdict.deny")).to_be_visible()


async def test_the_audit_of_a_run_tells_what_was_refused(stage: Stage, page: Page) -> None:
    run, _ = await stage.start("story")
    await stage.ended(run)
    await stage.open(page, f"/runs/{run}")
    await page.get_by_role("main").get_by_role("button", name="More", exact=True).click()
    await page.get_by_role("button", name="Audit").click()
    dialog = page.get_by_role("dialog", name="Audit")
    await expect(dialog.locator("tbody tr")).to_have_count(1)
    await expect(dialog).to_contain_text("refused")
    async with page.expect_download() as saved:
        await dialog.get_by_role("link", name="Signed export").click()
    assert (await saved.value).suggested_filename == f"{run}.audit.jsonl"

"""Shortcuts on the web page: saved from a run, used, renamed, exported, imported and deleted."""

import json
import re
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from .stage import Stage
from .test_screens import look

pytestmark = pytest.mark.slow


async def test_a_run_is_saved_and_managed_as_a_shortcut(stage: Stage, page: Page, tmp_path: Path) -> None:
    await stage.open(page, "/shortcuts")
    await expect(page.locator("#main .hint")).to_contain_text("No shortcuts yet")
    await look(page, "shortcuts-empty")
    await page.set_viewport_size({"width": 1280, "height": 800})
    run, _ = await stage.start("story")
    await stage.ended(run)
    await stage.open(page, f"/runs/{run}")
    await page.get_by_role("button", name="More", exact=True).click()
    await page.get_by_role("button", name="Save as shortcut").click()
    form = page.get_by_role("dialog")
    await form.get_by_label("Name", exact=True).fill("Big Arm")
    await expect(form.get_by_role("button", name="Save")).to_be_disabled()
    await form.get_by_label("Name", exact=True).fill("arm")
    await form.get_by_role("checkbox").first.check()
    await form.locator(".pairrow input[required]").fill("which")
    await look(page, "shortcut-form")
    await page.set_viewport_size({"width": 1280, "height": 800})
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("status").filter(has_text="Type /arm in the message box")).to_be_visible()
    await page.get_by_role("link", name="Shortcuts").click()
    entry = page.locator(".schedulelist > li")
    await expect(entry).to_contain_text('/arm which=""')
    await look(page, "shortcuts")
    await page.set_viewport_size({"width": 1280, "height": 800})
    async with page.expect_download() as saved:
        await page.get_by_role("link", name="Export: /arm").click()
    file = tmp_path / "arm.json"
    await (await saved.value).save_as(file)
    assert list(json.loads(file.read_text())["parameters"]) == ["which"]
    await page.get_by_role("button", name="Rename: /arm").click()
    await page.get_by_role("dialog").get_by_label("Name").fill("pelican")
    await page.keyboard.press("Enter")
    await expect(entry).to_contain_text('/pelican which=""')
    await page.locator("input[type=file]").set_input_files(file)
    await expect(entry).to_have_count(2)
    await page.get_by_role("button", name="Delete: /arm").click()
    await page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    await expect(entry).to_have_count(1)
    await page.get_by_role("button", name="Use: /pelican").click()
    await expect(page.get_by_label("Your message")).to_have_value('/pelican which=""')
    await page.get_by_label("Your message").fill('/pelican which="Sparrow"')
    await page.keyboard.press("Enter")
    await expect(page).to_have_url(re.compile("/c/"))
    [used] = [run for run in await stage.fish.store.runs() if run.options.get("shortcut")]
    assert "Sparrow" in str(used.options), used.options

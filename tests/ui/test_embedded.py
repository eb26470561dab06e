"""The page with a real model in the package: its words appear as they are made, and stop ends them."""

from pathlib import Path

import pytest
from playwright.async_api import Browser, FilePayload, expect

from llm.smol import NAME, find_shared_folder
from pilotfish.llm.catalog import SHARED_FOLDER_VARIABLE

from .conftest import window
from .stage import open_stage

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]


async def test_an_embedded_model_streams_and_stops(
    tmp_path: Path, chromium: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SHARED_FOLDER_VARIABLE, str(find_shared_folder()))
    notes = FilePayload(
        name="ferry.txt", mimeType="text/plain", buffer=b"The ferry leaves at nine and comes back at five."
    )
    async with open_stage(tmp_path, f"embedded:{NAME}") as stage, window(stage, chromium) as page:
        await stage.open(page)
        await page.locator("input[type=file]").set_input_files(notes)
        await page.get_by_role("button", name="Mode", exact=False).first.click()
        await page.get_by_role("button", name="Ask Answers").click()
        await page.get_by_label("Your message").fill("Tell a very long story about the ferry.")
        await page.keyboard.press("Enter")
        draft = page.locator(".said.draft .markdown")
        await expect(draft).to_contain_text(" ", timeout=60_000)
        first = await draft.inner_text()
        await expect(draft).not_to_have_text(first)
        await page.get_by_role("button", name="Stop").click()
        await expect(page.locator(".work .state")).to_have_text("Stopped")
        await expect(draft).to_contain_text(first.split()[0])

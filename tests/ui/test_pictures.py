"""Pictures that a run made, in the page."""

import json

import pytest
from playwright.async_api import Page, expect

from pilotfish.core.messages import ModelReply, ToolCall
from scripted_app import script

from .stage import Stage

pytestmark = [pytest.mark.slow, pytest.mark.whole_browser]
CIRCLE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4" cy="4" r="3" fill="red"/></svg>'


async def test_a_picture_that_was_drawn_stands_with_the_answer_and_opens(stage: Stage, page: Page) -> None:
    call = ToolCall(id="1", tool="image_generate", args={"description": "a red circle"})
    script(stage.fish, [ModelReply(calls=(call,)), json.dumps({"svg": CIRCLE}), "Here is your red circle."])
    run = await stage.fish.start("Draw a red circle", loop="react")
    await stage.ended(run.id)

    await stage.open(page, f"/c/{run.conversation}")

    answer = page.locator(".said.theirs").last
    await expect(answer).to_contain_text("Here is your red circle.")
    picture = answer.locator(".thumb img")
    await expect(picture).to_have_count(1)
    await expect(picture).to_have_js_property("complete", True)
    assert await picture.evaluate("e => e.naturalWidth") == 512
    whole = "e => Math.abs(e.clientWidth / e.clientHeight - e.naturalWidth / e.naturalHeight) < 0.05"
    assert await picture.evaluate(whole), "nothing of it is cut off"
    await picture.click()
    await expect(page.get_by_role("dialog").locator("img")).to_be_visible()

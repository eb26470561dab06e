"""The browser beside the conversation: watch it, take over, type and click, hand back."""

import asyncio

import pytest
from playwright.async_api import Page, expect

from .stage import Stage, release

pytestmark = [pytest.mark.slow, pytest.mark.whole_browser]

# It shines for a moment only, so it is looked for in every frame.
BRIGHT = """new Promise(seen => {
    const look = () => document.querySelector(".agent-cursor.bright") ? seen() : requestAnimationFrame(look);
    look();
})"""


async def spot(page: Page, x: float, y: float) -> tuple[float, float]:
    """A place of the shown page, as a place of ours."""
    box = await page.locator("canvas").bounding_box()
    assert box
    return box["x"] + x * box["width"] / 1280, box["y"] + y * box["height"] / 800


async def test_a_person_takes_over_fills_a_form_and_hands_back(stage: Stage, page: Page) -> None:
    world = "takeover"
    where = stage.site.address("/forms/newsletter", world=world)
    _, talk = await stage.start("looks", "subscribe me", tabs=[where])
    await stage.open(page, f"/c/{talk}")
    await expect(page.locator("canvas[data-frames]")).to_be_visible()
    await expect(page.locator(".tablist li.active")).to_be_visible()
    await expect(page.locator(".thumb img").first).to_be_visible()
    await page.get_by_role("button", name="Take over").click()
    await expect(page.get_by_text("You are in control")).to_be_visible()
    tab = await (await stage.fish.views.of(talk).tabs.session()).tab()
    field = await tab.page.locator("input[type=email]").first.bounding_box()
    send = await tab.page.locator("form button").first.bounding_box()
    assert field
    assert send
    await page.mouse.click(*await spot(page, field["x"] + 20, field["y"] + 10))
    await page.keyboard.type("ann@harbour.example")
    value = tab.page.locator("input[type=email]").first
    await expect(value).to_have_value("ann@harbour.example")
    await page.keyboard.press("Escape")
    back = page.get_by_role("button", name="Hand back")
    await expect(back).to_be_focused()
    await expect(page.locator(".work .state")).not_to_have_text("Stopped")
    await back.press("Enter")
    await expect(page.get_by_text("You are in control")).to_have_count(0)
    release("subscribe me")
    await expect(page.locator(".said.theirs .markdown")).to_have_text("I looked twice.")


async def test_a_finger_scrolls_taps_and_types_after_taking_over(stage: Stage, page: Page) -> None:
    hand = await page.context.new_cdp_session(page)
    await hand.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    await hand.send("Emulation.setEmitTouchEventsForMouse", {"enabled": False})
    await stage.open(page)
    await page.get_by_label("Address of the page").fill(stage.site.address("/shop"))
    await page.get_by_label("Address of the page").press("Enter")
    await expect(page.locator("canvas[data-frames]")).to_be_visible()
    await page.get_by_role("button", name="Take over").click()
    await expect(page.get_by_text("You are in control")).to_be_visible()

    async def touch(kind: str, *at: float) -> None:
        await hand.send(
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": at[0], "y": at[1]}] if at else []}
        )

    tab = await (await stage.fish.views.of(page.url.rpartition("/")[2]).tabs.session()).tab()
    field = await tab.page.get_by_placeholder("Search the shop").bounding_box()
    assert field
    await touch("touchStart", *await spot(page, field["x"] + 20, field["y"] + 10))
    await touch("touchEnd")
    await expect(tab.page.get_by_placeholder("Search the shop")).to_be_focused()
    await page.get_by_label("Text for the page").fill("kettle")
    await page.get_by_role("button", name="Type it").click()
    await expect(tab.page.get_by_placeholder("Search the shop")).to_have_value("kettle")
    await touch("touchStart", *await spot(page, 700, 700))
    for y in (600, 450, 300):
        await page.wait_for_timeout(60)  # a finger takes its time; quicker moves are one
        await touch("touchMove", *await spot(page, 700, y))
    await touch("touchEnd")
    await tab.page.wait_for_function("scrollY > 100")


async def test_a_page_is_opened_from_the_empty_screen_and_offers_things_to_try(stage: Stage, page: Page) -> None:
    await stage.open(page)
    await page.get_by_label("Address of the page").fill(stage.site.address("/shop"))
    await page.get_by_label("Address of the page").press("Enter")
    await expect(page.locator("canvas[data-frames]")).to_be_visible()
    await expect(page.get_by_role("button", name="Summarize this page")).to_be_visible()
    await page.get_by_role("button", name="Tabs", exact=False).first.click()
    await expect(page.get_by_role("checkbox").first).to_be_visible()
    icon = page.locator(".panel .favicon")
    await expect(icon).to_have_js_property("complete", True)
    assert await icon.evaluate("e => e.naturalWidth") > 0
    assert str(await icon.get_attribute("src")).startswith("/api/conversations/")
    await page.keyboard.press("Escape")
    await page.get_by_label("Address of the page").fill(stage.site.address("/town"))
    await page.get_by_label("Address of the page").press("Enter")
    await expect(page.get_by_label("Address of the page")).to_have_value(stage.site.address("/town"))
    await page.get_by_role("button", name="Back").click()
    await expect(page.get_by_label("Address of the page")).to_have_value(stage.site.address("/shop"))


async def test_freezing_keeps_the_picture_still(stage: Stage, page: Page) -> None:
    await stage.open(page)
    await page.get_by_label("Address of the page").fill(stage.site.address("/"))
    await page.get_by_label("Address of the page").press("Enter")
    canvas = page.locator("canvas[data-frames]")
    await expect(canvas).to_be_visible()
    await page.get_by_role("button", name="Freeze the picture").click()
    await expect(page.get_by_role("button", name="Follow again")).to_have_attribute("aria-pressed", "true")


async def test_the_cursor_and_a_frame_show_what_the_agent_touches(stage: Stage, page: Page) -> None:
    run, talk = await stage.start("points", "point at it", tabs=[stage.site.address("/shop")], attended=True)
    await stage.open(page, f"/c/{talk}")
    await expect(page.locator("canvas[data-frames]")).to_be_visible()
    await expect(page.locator(".agent-cursor")).to_have_count(0)
    bright = asyncio.create_task(page.evaluate(BRIGHT))
    release("point at it")
    await asyncio.wait_for(bright, 30)
    tab = await (await stage.fish.views.of(talk).tabs.session()).tab()
    link = await tab.page.get_by_role("link", name="Tide kettle").first.bounding_box()
    assert link
    x, y = await spot(page, link["x"], link["y"])
    frame = await page.locator(".agent-cursor rect").bounding_box()
    assert frame
    assert abs(frame["x"] - x) < 5
    assert abs(frame["y"] - y) < 5
    await stage.ended(run)
    done = [each for each in await stage.fish.store.events(run) if each.type == "tool_finished"]
    (left, top), box = done[0].data["aim"]["point"], done[0].data["aim"]["box"]
    assert box[0] <= left <= box[0] + box[2]
    assert box[1] <= top <= box[1] + box[3]
    await stage.open(page, f"/runs/{run}")
    await page.get_by_role("button", name="Replay", exact=True).click()
    await expect(page.locator(".replay figure img")).to_have_js_property("complete", True)
    assert await page.locator(".replay figure img").evaluate("e => e.naturalWidth") == 1280


async def test_what_a_run_did_is_taken_away_as_a_script_and_done_again_without_a_model(
    stage: Stage, page: Page
) -> None:
    task = "open the kettle"
    release(task)
    run, talk = await stage.start("shops", task, tabs=[stage.site.address("/shop")])
    await stage.ended(run)
    await stage.open(page, f"/c/{talk}")
    await page.get_by_role("button", name="More about this answer").click()
    async with page.expect_download() as saved:
        await page.get_by_role("link", name="As a Playwright script").click()
    assert 'name="Tide kettle"' in (await (await saved.value).path()).read_text()
    await stage.open(page, f"/runs/{run}")
    await page.get_by_role("main").get_by_role("button", name="More", exact=True).click()
    await expect(page.get_by_role("link", name="As a Playwright script")).to_be_visible()
    await page.get_by_role("button", name="Replay without a model").click()
    await expect(page.locator(".turn")).to_have_count(2)
    await expect(page.locator(".turn").nth(1).locator(".said.theirs .markdown")).to_have_text("Done again: 1 step.")


async def test_the_tools_that_a_page_offers_are_listed_beside_it(stage: Stage, page: Page) -> None:
    await stage.open(page)
    await page.get_by_label("Address of the page").fill(stage.site.address("/widgets/tools"))
    await page.keyboard.press("Enter")
    offered = page.locator(".pagetools")
    await expect(offered.locator("summary")).to_have_text("This page offers 5 tools")
    await offered.locator("summary").click()
    await expect(offered.locator("li")).to_contain_text(
        ["page.add_to_cart may change something", "page.list_goods says that it only reads"]
    )
    await page.get_by_label("Address of the page").fill(stage.site.address("/shop"))
    await page.keyboard.press("Enter")
    await expect(offered).to_have_count(0)

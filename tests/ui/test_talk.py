"""Talking: send, stream, stop, lose the line, two windows, runs begun elsewhere; and being asked."""

import asyncio
import base64
from pathlib import Path

import pytest
from playwright.async_api import FilePayload, Page, Route, expect

from pilotfish.core.recipe import ActionRecipe, RecordedAction
from pilotfish.core.shortcut import make_shortcut

from .stage import Stage, release

pytestmark = pytest.mark.slow

GUIDE = Path(__file__).parents[2] / "src/pilotfish/practice/pages/files/harbour-guide.pdf"
DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="


async def test_a_question_is_sent_answered_and_kept_in_the_list(stage: Stage, page: Page) -> None:
    await stage.open(page)
    await page.get_by_label("Your message").fill("Hello there")
    await page.get_by_role("button", name="Mode", exact=False).first.click()
    await page.get_by_role("button", name="test-story").click()
    await page.get_by_role("button", name="Send").click()
    await expect(page.locator(".said.mine")).to_contain_text("Hello there")
    await expect(page.locator(".said.theirs table")).to_contain_text("1,290 €")
    await expect(page.locator(".sources li")).to_have_count(2)
    await expect(page.locator(".markdown li")).to_have_text("☑ both compared")
    await expect(page.locator(".work .state")).to_have_text("Done")
    await expect(page.locator(".threads")).to_contain_text("Hello there")
    assert "/c/" in page.url


async def test_each_turn_of_a_long_conversation_is_read_once_and_keeps_its_answer(stage: Stage, page: Page) -> None:
    talk, many, read = "", 34, list[str]()
    for number in range(many):
        run, talk = await stage.start("nasty", f"turn {number}", conversation=talk)
        await stage.ended(run)
    page.on("request", lambda request: read.append(request.url) if "/journal" in request.url else None)
    await stage.open(page, f"/c/{talk}")
    await expect(page.locator(".said.theirs")).to_have_count(many)
    # The list is read again in between; that is no reason to read the turns again.
    async with page.expect_response(lambda answer: "/api/runs?limit=50" in answer.url):
        pass
    async with page.expect_response(lambda answer: "/api/runs?limit=50" in answer.url):
        pass
    await expect(page.locator(".said.theirs")).to_have_count(many)
    assert len(read) == len(set(read)) == many


async def test_what_is_written_while_a_message_is_sent_stays(stage: Stage, page: Page) -> None:
    await stage.open(page)
    held = asyncio.Event()

    async def hold(route: Route) -> None:
        await held.wait()
        await route.continue_()

    await page.route("**/api/runs", hold)
    field = page.get_by_label("Your message")
    await field.fill("The first")
    await field.press("Enter")
    await expect(page.locator("button.send")).to_be_disabled()
    await field.fill("The second")
    held.set()
    await expect(page.locator(".said.mine")).to_contain_text("The first")
    await expect(field).to_have_value("The second")


async def test_text_appears_while_it_is_written_and_stop_ends_it(stage: Stage, page: Page) -> None:
    run, talk = await stage.start("held", "stop me")
    await stage.open(page, f"/c/{talk}")
    await expect(page.locator(".state").first).to_have_text("Working")
    await page.locator("form.composer .stop").click()
    await expect(page.locator(".work .state")).to_have_text("Stopped")
    assert (await stage.fish.record(run)).outcome == "stopped"


async def test_what_is_sent_while_it_works_goes_to_the_run(stage: Stage, page: Page) -> None:
    run, talk = await stage.start("held", "steer me")
    await stage.open(page, f"/c/{talk}")
    await expect(page.locator(".work .state")).to_have_text("Working")
    await page.get_by_label("Your message").fill("Take the red one.")
    await page.get_by_role("button", name="Send").click()
    await expect(page.get_by_text("It reads that before its next step.")).to_be_visible()
    await expect(page.get_by_label("Your message")).to_have_value("")
    assert [command.text for command in await stage.fish.store.commands(run)] == ["Take the red one."]
    await page.locator("form.composer .stop").click()
    await expect(page.locator(".said.mine").last).to_contain_text("Take the red one.")
    await expect(page.locator(".turn")).to_have_count(1)


async def test_where_a_small_model_failed_one_key_goes_on_with_a_larger_one(stage: Stage, page: Page) -> None:
    run, talk = await stage.start("weak", "too hard")
    await stage.ended(run)
    await stage.open(page, f"/c/{talk}")
    await expect(page.get_by_role("button", name="Go on with scripted")).to_be_visible()
    await page.locator("#main").press("g")
    await expect(page.locator(".said.theirs")).to_contain_text(f"after {run}.")
    await expect(page.locator(".turn")).to_have_count(2)


async def test_an_answer_is_tried_again_with_another_model(stage: Stage, page: Page) -> None:
    run, talk = await stage.start("story", "Which way?")
    await stage.ended(run)
    await stage.open(page, f"/c/{talk}")
    await page.get_by_role("button", name="More about this answer").click()
    await expect(page.get_by_role("link", name="As JSON")).to_be_in_viewport(ratio=1)
    await page.get_by_role("button", name="Try again with scripted").click()
    await expect(page.locator(".turn")).to_have_count(2)
    [again] = [one for one in await stage.fish.runs() if one.conversation == talk and one.id != run]
    assert again.options["model"] == "scripted"


async def test_a_second_task_says_that_it_waits_and_then_goes_by_itself(stage: Stage, page: Page) -> None:
    _, talk = await stage.start("held", "first of two")
    _, _ = await stage.start("story", "second of two", conversation=talk)
    await stage.open(page, f"/c/{talk}")
    await expect(page.locator(".work").last).to_contain_text("starts when the task before it is done")
    release("first of two")
    await expect(page.locator(".work .state").last).to_have_text("Done")


async def test_a_lost_line_is_taken_up_again_and_nothing_is_missed(stage: Stage, page: Page) -> None:
    await stage.open(page)
    run, talk = await stage.start("held", "lose me")
    await stage.open(page, f"/c/{talk}")
    await expect(page.locator(".step")).to_contain_text("the cart shows 1")
    await page.context.set_offline(True)
    await expect(page.get_by_text("The server does not answer")).to_be_visible()
    release("lose me")
    await stage.ended(run)
    await page.context.set_offline(False)
    whole = "The first half is here and the second half follows."
    await expect(page.locator(".said.theirs .markdown")).to_have_text(whole)
    await expect(page.locator(".said.theirs")).to_have_count(1)
    await expect(page.get_by_text("The server does not answer")).to_have_count(0)


async def test_two_windows_show_the_same_run_as_it_goes(stage: Stage, page: Page) -> None:
    other = await page.context.new_page()
    _, talk = await stage.start("held", "both of us")
    for window in (page, other):
        await stage.open(window, f"/c/{talk}")
        await expect(window.locator(".work .state")).to_have_text("Working")
    release("both of us")
    for window in (page, other):
        await expect(window.locator(".said.theirs")).to_contain_text("the second half follows.")
        await expect(window.locator(".work .state")).to_have_text("Done")


async def test_a_run_begun_elsewhere_appears_by_itself(stage: Stage, page: Page) -> None:
    await stage.open(page)
    _, talk = await stage.start("held", "from the command line")
    await expect(page.locator(".threads")).to_contain_text("from the command line")
    await page.get_by_role("link", name="from the command line").click()
    await expect(page.locator(".work .state")).to_have_text("Working")
    await expect(page).to_have_title("Working · from the command line")
    await stage.start("story", "and another", conversation=talk)
    await expect(page.locator(".turn")).to_have_count(2)
    release("from the command line")


async def test_a_message_can_be_edited_and_sent_again(stage: Stage, page: Page) -> None:
    run, talk = await stage.start("story", "first words")
    await stage.ended(run)
    await stage.open(page, f"/c/{talk}")
    await page.locator(".said.mine").hover()
    await page.get_by_role("button", name="Edit and send again").click()
    await page.get_by_role("textbox", name="Edit and send again").fill("better words")
    await page.get_by_role("button", name="Send", exact=True).first.click()
    await expect(page.locator(".turn")).to_have_count(2)
    await expect(page.locator(".said.mine").last).to_contain_text("better words")
    await page.locator(".turn").nth(1).get_by_role("button", name="Try again").click()
    await expect(page.locator(".turn")).to_have_count(3)


async def test_a_message_that_would_fill_the_screen_is_cut_until_it_is_wanted(stage: Stage, page: Page) -> None:
    run, talk = await stage.start("story", "A long request with many words in it. " * 80)
    await stage.ended(run)
    await stage.open(page, f"/c/{talk}")
    words = page.locator(".said.mine .words")
    await expect(words).to_be_visible()
    cut = await words.evaluate("e => e.offsetHeight")
    await page.locator(".said.mine").get_by_role("button", name="Show everything").click()
    await expect(page.get_by_role("button", name="Show less")).to_be_visible()
    assert await words.evaluate("e => e.offsetHeight") > 2 * cut


async def test_a_failure_says_what_happened_and_what_to_do(stage: Stage, page: Page) -> None:
    _, talk = await stage.start("fails")
    await stage.open(page, f"/c/{talk}")
    await expect(page.get_by_role("alert")).to_contain_text("did not answer in 120 seconds")
    await expect(page.get_by_role("alert")).to_contain_text("choose another model")
    await expect(page.locator(".work .state")).to_have_text("Failed")


async def test_after_a_failure_halfway_it_goes_on_with_what_was_done(stage: Stage, page: Page) -> None:
    run, talk = await stage.start("halfway")
    await stage.open(page, f"/c/{talk}")
    await expect(page.locator(".said.theirs")).to_contain_text("What was done until then:")
    await page.get_by_role("button", name="Go on from here").click()
    await expect(page.locator(".said.theirs").last).to_contain_text(f"Done, after {run}.")


async def test_conversations_are_found_renamed_and_deleted(stage: Stage, page: Page) -> None:
    run, talk = await stage.start("story", "about pelicans")
    await stage.ended(run)
    await stage.open(page, f"/c/{talk}")
    await page.get_by_label("Search conversations").fill("pelicans")
    await expect(page.locator(".threads li")).to_have_count(1)
    await page.locator(".threads li").hover()
    await page.get_by_role("button", name="More: about pelicans").click()
    await page.get_by_role("button", name="Rename").click()
    await page.get_by_label("New title").fill("On large birds")
    await page.get_by_role("button", name="Save").click()
    await page.get_by_label("Search conversations").fill("")
    await expect(page.get_by_role("link", name="On large birds")).to_be_visible()
    await page.locator(".threads li.open").hover()
    await page.get_by_role("button", name="More: On large birds").click()
    await page.get_by_role("button", name="Delete").click()
    await page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    await expect(page.get_by_role("link", name="On large birds")).to_have_count(0)
    assert await stage.fish.store.conversation(talk) is None


async def test_what_a_model_writes_can_never_run_script(stage: Stage, page: Page) -> None:
    run, talk = await stage.start("nasty", "be nasty")
    await stage.ended(run)
    await stage.open(page, f"/c/{talk}")
    answer = page.locator(".said.theirs .markdown")
    await expect(answer).to_be_visible()
    assert await answer.locator("img, script, [onerror], [style], [href^=javascript], [href^='data:']").count() == 0
    assert "owned" not in await page.title()
    policy = await page.evaluate("fetch('/').then(r => r.headers.get('content-security-policy'))")
    assert "default-src 'self'" in policy
    assert "unsafe-inline" not in policy


async def test_files_that_are_attached_can_be_read_by_the_run(stage: Stage, page: Page) -> None:
    async def played(route: Route) -> None:
        sent = route.request.post_data_json if route.request.method == "POST" else None
        await route.continue_(post_data={**sent, "loop": "test-reads"} if sent else None)

    await stage.open(page)
    await page.route("**/api/runs", played)
    given = [
        FilePayload(name="tides.csv", mimeType="text/csv", buffer=b"place,high\nQuay,06:12\n"),
        FilePayload(name="guide.pdf", mimeType="application/pdf", buffer=GUIDE.read_bytes()),
        FilePayload(name="sea.png", mimeType="image/png", buffer=base64.b64decode(DOT)),
    ]
    await page.locator("input[type=file]").set_input_files(given)
    await expect(page.locator(".composer .attached li")).to_have_count(3)
    await page.get_by_label("Your message").fill("When is high water?")
    await page.keyboard.press("Enter")
    answer = page.locator(".said.theirs .markdown").last
    await expect(answer).to_contain_text("Quay")
    await expect(answer).to_contain_text("harbour")
    await expect(answer).to_contain_text("pictures: 1")
    await expect(page.locator(".said.mine .attached li")).to_have_text(["tides.csv", "guide.pdf", "sea.png"])
    await expect(page.locator(".said.mine .words")).to_have_text("When is high water?")
    await page.get_by_role("button", name="Try again").click()
    answers = page.locator(".said.theirs .markdown")
    await expect(answers).to_have_count(2)
    await expect(answers.last).to_contain_text("pictures: 2")  # the first time's and the second's


async def test_no_file_of_the_machine_is_opened_by_its_address(stage: Stage, page: Page) -> None:
    await stage.open(page)
    await page.get_by_label("Address of the page").fill("file:///etc/passwd")
    await page.get_by_label("Address of the page").press("Enter")
    await expect(page.get_by_text("a file has to be attached")).to_be_visible()


async def test_a_question_flashes_shows_its_choices_and_takes_an_answer(stage: Stage, page: Page) -> None:
    run, talk = await stage.start("asks", "Order a lamp")
    await stage.open(page, f"/c/{talk}")
    banner = page.get_by_role("alertdialog")
    await expect(banner).to_contain_text("Which colour should the lamp have?")
    await expect(banner.locator(".countdown")).to_contain_text("waits ")
    await expect(page).to_have_title("Waiting for you · Order a lamp")
    assert await banner.evaluate("e => getComputedStyle(e).animationName") == "flash"
    assert "%23b45309" in await page.locator("#icon").evaluate("e => e.href")
    await expect(banner.get_by_label("Your answer")).to_be_focused()
    await page.keyboard.type("Green")
    await page.keyboard.press("Enter")
    await expect(banner).to_contain_text("May I place the order?")
    for fact in ("Buy the lamp for 48.90 €", "shop.example", "It spends money"):
        await expect(banner).to_contain_text(fact)
    await banner.get_by_role("button", name="Allow for this run").click()
    await expect(page.locator(".said.theirs .markdown")).to_have_text("You said Green and Allow for this run.")
    await expect(banner).to_have_count(0)
    await stage.ended(run)
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


async def test_the_phases_of_each_step_are_told_with_their_words(stage: Stage, page: Page) -> None:
    run, talk = await stage.start("steps", "Switch the lamp on")
    await stage.ended(run)
    await stage.open(page, f"/c/{talk}")
    await page.locator(".work .fold").click()
    rows = page.locator(".timeline .step")
    await expect(rows).to_have_count(4)
    for row, facts in enumerate((("Step 1", "I look"), ("Step 1", "is on"), ("Step 2", "I look"), ("Step 2", "is on"))):
        for fact in facts:
            await expect(rows.nth(row)).to_contain_text(fact)


async def test_screenshots_are_switched_off_beside_the_message(stage: Stage, page: Page) -> None:
    await stage.open(page)
    toggle = page.get_by_role("button", name="Show screenshots of pages to the model")
    await expect(toggle).to_have_attribute("aria-pressed", "true")
    await toggle.click()
    await page.get_by_label("Your message").fill("Look without pictures")
    await page.get_by_role("button", name="Send").click()
    await expect(page.locator(".said.mine")).to_contain_text("Look without pictures")
    [run] = await stage.fish.runs(text="Look without pictures")
    assert run.options["screenshots"] is False
    await stage.fish.command(run.id, "stop")


async def test_a_slash_completes_a_shortcut_and_sends_it_with_its_value(stage: Stage, page: Page) -> None:
    where = stage.site.address("/shop", world="slash")
    step = RecordedAction(tool="navigate", args={"action": "goto", "url": f"{stage.site.url}/shop?q=kettle"})
    recipe = ActionRecipe(task="Look for kettle", tabs=(where,), start=where, actions=(step,))
    await stage.fish.shortcuts.add("local", make_shortcut("look", recipe, {"what": "kettle"}))
    await stage.open(page)
    await page.get_by_label("Your message").press_sequentially("/")
    await expect(page.get_by_label("Shortcuts").get_by_role("button")).to_contain_text(["/look"])
    await page.get_by_label("Your message").press("Tab")
    await expect(page.get_by_label("Your message")).to_have_value('/look what=""')
    await page.keyboard.type("oat bowl")
    await page.keyboard.press("Enter")
    await expect(page.locator(".said.mine")).to_contain_text("Look for oat bowl")
    await expect(page.locator(".said.theirs")).to_contain_text("Done again: 1 step.")
    assert [e.details["q"] for e in stage.site.log("slash") if e.kind == "shop.searched"] == ["oat bowl"]

"""Runs, replay, compare, memory, settings, secrets, rules, audits, costs, first run, the way in."""

import json
import re

import pytest
from playwright.async_api import Browser, Page, expect

from .stage import Stage, release

pytestmark = pytest.mark.slow


async def test_runs_are_listed_live_found_and_compared(stage: Stage, page: Page) -> None:
    one, _ = await stage.start("story", "Which arm is red?")
    two, _ = await stage.start("story", "Which arm is blue?")
    await stage.ended(one)
    await stage.ended(two)
    await stage.open(page, "/runs")
    await stage.start("held", "listed live")
    await expect(page.locator(".runline", has_text="listed live")).to_contain_text("Working")
    release("listed live")
    await expect(page.locator(".runline", has_text="listed live")).to_contain_text("Done")
    await page.get_by_label("Search runs").fill("Which arm is")
    await expect(page.locator(".runline")).to_have_count(2)
    for box in await page.get_by_role("checkbox").all():
        await box.check()
    await page.get_by_role("button", name="Compare").click()
    await expect(page.locator(".pair section")).to_have_count(2)
    await expect(page.locator(".pair")).to_contain_text("Which arm is red?")
    await page.go_back()
    await page.get_by_label("State").select_option("Ended")
    await expect(page.locator(".runline").first).to_be_visible()


async def test_a_run_is_replayed_exported_run_again_and_deleted(stage: Stage, page: Page) -> None:
    run, _ = await stage.start("story", "Replay me")
    await stage.ended(run)
    await stage.open(page, f"/runs/{run}")
    await expect(page.locator(".step")).to_have_count(8)
    await page.get_by_role("button", name="Replay", exact=True).click()
    slider = page.get_by_role("slider", name="Replay")
    await slider.fill("1")
    await expect(page.locator(".replay .step")).to_have_count(0)
    last = await slider.get_attribute("max")
    await slider.fill(str(last))
    await expect(page.locator(".replay .step")).to_have_count(8)
    await page.get_by_role("button", name="More", exact=True).click()
    async with page.expect_download() as download:
        await page.get_by_role("link", name="As JSON").click()
    kept = json.loads((await (await download.value).path()).read_text())
    assert kept["run"]["id"] == run
    await page.get_by_role("button", name="Run again", exact=True).click()
    await expect(page).not_to_have_url(f"{stage.url}/runs/{run}")
    await expect(page.locator(".state").first).to_have_text("Done")
    await page.get_by_role("button", name="More", exact=True).click()
    await page.get_by_role("button", name="Delete").click()
    await page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    await expect(page).to_have_url(f"{stage.url}/runs")


async def test_ten_thousand_events_open_and_scroll(stage: Stage, page: Page) -> None:
    run, _ = await stage.start("long", "A long day")
    await stage.ended(run)
    await stage.open(page, f"/runs/{run}")
    listed = page.locator(".list")
    await expect(listed.locator(".step").first).to_contain_text("clicked thing 0")
    assert await listed.locator("li").count() < 100
    await listed.evaluate("e => e.scrollTop = e.scrollHeight")
    await expect(listed.get_by_text("clicked thing 4999")).to_be_visible()


async def test_a_step_opens_to_everything_about_it(stage: Stage, page: Page) -> None:
    run, _ = await stage.start("story", "Open a step")
    await stage.ended(run)
    await stage.open(page, f"/runs/{run}")
    assert "{" not in await page.locator(".timeline").inner_text()
    await page.locator(".step button", has_text="clicked “Pelican”").click()
    inside = page.locator(".inside")
    await expect(inside).to_contain_text("https://arms.example/cart")
    await expect(inside).to_contain_text('"id": 3')


async def test_memory_is_added_to_corrected_deleted_and_looked_back_on(stage: Stage, page: Page) -> None:
    await stage.open(page, "/memory")
    await page.get_by_label("Something to remember").fill("I live in Porto")
    await page.get_by_role("button", name="Add").click()
    await expect(page.locator(".fact")).to_have_text("I live in Porto")
    await expect(page.get_by_role("meter")).to_be_visible()
    await page.get_by_role("button", name="Edit: I live in Porto").click()
    await page.get_by_label("Edit").fill("I live in Lisbon")
    await page.get_by_role("button", name="Save").click()
    await expect(page.locator(".fact")).to_have_text("I live in Lisbon")
    await page.get_by_role("button", name="History").click()
    await expect(page.locator(".past")).to_contain_text("I live in Porto")
    await page.get_by_label("Search memory").fill("nothing like it")
    await expect(page.get_by_text("I live in Lisbon")).to_have_count(0)
    await page.get_by_label("Search memory").fill("")
    await page.get_by_role("button", name="Delete: I live in Lisbon").click()
    dialog = page.get_by_role("dialog", name="Delete this fact")
    await expect(dialog.get_by_role("button", name="Delete, with the conversations")).to_be_visible()
    await dialog.get_by_role("button", name="Delete", exact=True).click()
    await expect(page.get_by_text("I live in Lisbon")).to_have_count(0)


async def test_a_replaced_fact_is_told_and_brought_back(stage: Stage, page: Page) -> None:
    await stage.fish.memory.clear("local")
    await stage.open(page, "/memory")
    for words in ("I live in Porto", "I live in Faro"):
        await page.get_by_label("Something to remember").fill(words)
        await page.get_by_label("How long it holds").select_option("Core")
        await page.get_by_role("button", name="Add").click()
        await expect(page.locator(".tier .fact")).to_have_text(words)
    await expect(page.get_by_role("status").filter(has_text="replaced")).to_contain_text("I live in Porto")
    await page.get_by_role("button", name="Bring back: I live in Porto").click()
    await expect(page.locator(".tier .fact")).to_have_count(2)
    assert {fact.tier for fact in await stage.fish.memory.facts("local")} == {"core"}
    await stage.fish.memory.clear("local")


async def test_all_that_is_remembered_is_deleted_after_a_question_that_names_how_much(stage: Stage, page: Page) -> None:
    for content in ("I like green tea", "My boat is red"):
        await stage.fish.memory.save("local", [{"content": content, "confidence": 1.0}])
    await stage.open(page, "/memory")
    await expect(page.locator(".fact")).to_have_count(2)
    await page.get_by_role("button", name="Delete all").click()
    dialog = page.get_by_role("dialog", name="Delete everything")
    await expect(dialog).to_contain_text("All 2 facts")
    await dialog.get_by_role("button", name="Cancel").click()
    await expect(page.locator(".fact")).to_have_count(2)
    await page.get_by_role("button", name="Delete all").click()
    await dialog.get_by_role("button", name="Delete", exact=True).click()
    await expect(page.get_by_text("Nothing is remembered yet")).to_be_visible()
    assert await stage.fish.memory.facts("local") == []


async def test_settings_are_changed_taken_back_and_remembered_by_whom(stage: Stage, page: Page) -> None:
    await stage.open(page, "/settings/agent")
    await page.get_by_label("Iterations").fill("7")
    await page.get_by_label("Iterations").press("Tab")
    await expect(page.get_by_text("Saved.")).to_be_visible()
    await expect(page.locator(".setting", has_text="Iterations")).to_contain_text("set here")
    assert stage.fish.settings.agent.iterations == 7
    await page.get_by_role("button", name="Reset").click()
    await expect(page.get_by_label("Iterations")).to_have_value("5")
    await page.get_by_label("Iterations").fill("99")
    await page.get_by_label("Iterations").press("Tab")
    await expect(page.locator(".notice.bad")).to_be_visible()
    await page.get_by_role("link", name="Changes").click()
    await expect(page.locator(".plainlist li").first).to_contain_text("Iterations")
    await page.get_by_role("link", name="Models", exact=True).click()
    await page.get_by_role("button", name="Test scripted").click()
    await expect(page.get_by_text("Answered in")).to_be_visible()


async def test_tools_policy_people_and_tokens_are_managed(stage: Stage, page: Page) -> None:
    await stage.open(page, "/settings/tools")
    async with page.expect_response(lambda answer: answer.request.method == "PUT"):
        await page.get_by_label("hover", exact=True).uncheck()
    await expect(page.get_by_label("hover", exact=True)).not_to_be_checked()
    assert "hover" in (await stage.fish.store.settings())["agent.disabled_tools"]
    await page.get_by_role("link", name="Policy").click()
    await page.get_by_label("Site", exact=True).fill("shop.example")
    await page.get_by_role("button", name="Add a rule").click()
    await expect(page.locator(".rule", has_text="shop.example")).to_be_visible()
    await page.get_by_role("link", name="People and tokens").click()
    await page.get_by_label("Name").fill("Ida")
    await page.get_by_role("button", name="Add a person").click()
    await page.get_by_role("button", name="New token: Ida").click()
    await expect(page.locator(".issued code")).not_to_be_empty()
    await page.get_by_label("What is it for?").fill("my script")
    await page.get_by_role("button", name="New token", exact=True).click()
    await page.get_by_role("button", name="Revoke my script").click()
    await expect(page.get_by_role("button", name="Revoke my script")).to_have_count(0)
    await page.get_by_role("button", name="Show a code").click()
    await expect(page.locator(".issued", has_text="panel").locator("code")).to_have_text(re.compile(r"\w{4}-\w{4}"))


async def test_costs_are_shown_by_day_model_and_tool(stage: Stage, page: Page) -> None:
    run, _ = await stage.start("story", "Spend a little")
    await stage.ended(run)
    await stage.open(page, "/costs")
    await expect(page.get_by_role("table").first).to_contain_text("hosted:big")
    await expect(page.locator(".days li")).to_have_count(30)
    await page.get_by_role("combobox").select_option("7")
    await expect(page.locator(".days li")).to_have_count(7)


async def test_the_first_run_opens_the_practice_site_and_starts_a_task(stage: Stage, page: Page) -> None:
    await stage.open(page, "/welcome")
    await expect(page.get_by_text("Ready: scripted")).to_be_visible()
    await page.get_by_role("button", name="Open the practice site").click()
    await expect(page.get_by_text("The practice site is open.")).to_be_visible()
    await page.get_by_role("button", name="What can I do on this site?").click()
    await expect(page.locator(".said.mine")).to_contain_text("What can I do on this site?")
    await expect(page.locator(".work .state")).to_have_text("Done", timeout=60_000)


async def test_a_stranger_is_asked_for_a_token(stage: Stage, chromium: Browser) -> None:
    context = await chromium.new_context(locale="en-GB")
    page = await context.new_page()
    await page.goto(stage.url)
    await page.get_by_label("Token").fill("wrong")
    await page.get_by_role("button", name="Enter").click()
    await expect(page.get_by_role("alert")).to_contain_text("not known")
    await page.get_by_label("Token").fill(stage.fish.users.local_token)
    await page.get_by_role("button", name="Enter").click()
    await expect(page.get_by_label("Your message")).to_be_visible()
    await context.close()


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
    await expect(page.locator(".decision.ask")).to_contain_text("buy")
    await page.get_by_label("It wants to").select_option("navigate")
    await page.get_by_label("Address").fill("file:///etc/passwd")
    await page.get_by_role("button", name="See").click()
    await expect(page.locator(".decision.deny")).to_be_visible()


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

"""One call a turn: a few actions carried out while nothing surprising happens, and an end that is shown to be true."""

from collections.abc import Sequence
from typing import Any

import pytest

from agents.scene import acts, as_json, cart_count, end, history, id_of, modest, page_of
from interfaces.server.running_server import serve_page
from pilotfish.core import events
from pilotfish.core.messages import ModelReply, ModelRequest
from pilotfish.core.settings import AgentSettings, BudgetSettings
from pilotfish.core.usage import Usage
from pilotfish.practice.server import Practice
from scripted_app import Open, events_of, script

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
ADD = {"tool": "click", "id": {"role": "button", "name": "Add to cart"}}
SENDING = b"""<button onclick="fetch('/kernel/rename', {method: 'POST', headers: {'content-type': 'application/json'},
  body: JSON.stringify({filename: 'trip.py'})}).catch(() => 0)">Trip</button>"""
DONE = {"answer": "The kettle is in the cart.", "evidence": ["Cart (1)"]}


def purposes(story: Sequence[events.StreamItem]) -> list[str]:
    return [e.purpose for e in story if isinstance(e, events.ModelReplied)]


async def test_one_call_gives_actions_over_two_pages_and_the_end_that_they_reach(opened: Open, site: Practice) -> None:
    fish = await opened()
    script(fish, [acts("Tide kettle", ADD, milestones=["Put the kettle into the cart"], done=DONE)])
    story = await events_of(fish, "Put a kettle into the cart", loop="horizon", tabs=[site.address("/shop", "h1")])
    assert end(story).text == "The kettle is in the cart." and cart_count(site, "h1") == 1
    assert purposes(story) == ["turn"]
    lists = [e.items for e in story if isinstance(e, events.Planned)]
    assert lists == [(("Put the kettle into the cart", "doing"),), (("Put the kettle into the cart", "done"),)]


@pytest.mark.usefixtures("impatient")
async def test_an_end_that_does_not_show_after_the_actions_is_not_taken(opened: Open, site: Practice) -> None:
    fish = await opened()
    early = acts("Tide kettle", done={"answer": "It is in the cart.", "evidence": ["Cart (1)"]})
    model = script(fish, [early, acts("Add to cart", done={**DONE, "evidence": ["Fernhill"]}), as_json(done=DONE)])
    story = await events_of(fish, "Put a kettle into the cart", loop="horizon", tabs=[site.address("/shop", "h2")])
    assert end(story).outcome == "completed" and cart_count(site, "h2") == 1
    assert 'Not taken as done: "Cart (1)" is neither' in history(model.requests[1])
    assert "Not taken as done: the evidence was there before" in history(model.requests[2])


@pytest.mark.usefixtures("impatient")
async def test_what_is_named_twice_is_not_touched_and_the_rest_waits(opened: Open, site: Practice) -> None:
    fish = await opened()
    twice = {"tool": "click", "id": {"role": "link", "name": "Shop"}}
    gone = {"tool": "click", "id": {"role": "button", "name": "Buy now"}}
    wrong = {"tool": "click", "id": 9999}
    model = script(
        fish, [acts(gone, "Tide kettle"), acts(wrong, twice), as_json(give_up={"reason": "No way.", "help": "x"})]
    )
    story = await events_of(fish, "Buy a boat", loop="horizon", tabs=[f"{site.url}/shop"])
    assert (end(story).outcome, end(story).error, end(story).fix) == ("failed", "No way.", "x")
    assert 'There is no button "Buy now" on the page. Not carried out: click(id=button "Buy now"); click(' in history(
        model.requests[1]
    )
    assert "click failed. Not carried out: click(id=link" in history(model.requests[2])
    assert not [e for e in story if isinstance(e, events.ToolFinished) and e.ok]


@pytest.mark.usefixtures("impatient")
async def test_where_no_row_has_the_words_the_rows_that_have_some_of_them_are_named(
    opened: Open, site: Practice
) -> None:
    fish = await opened()
    apart = {"tool": "click", "id": {"role": "button", "name": "Raise", "row": "Elif Fernhill"}}
    model = script(fish, [acts(apart), as_json(give_up={"reason": "x", "help": ""})])
    await events_of(fish, "Raise her pay", loop="horizon", tabs=[site.address("/staff", "h30")])
    told = history(model.requests[1])
    assert (
        'There is no button "Raise" in "Elif Fernhill" on the page. In other rows: [46] button "Raise" in "Elif' in told
    )
    assert "Part with | what stands apart in a row." in told
    assert [effect.kind for effect in site.log("h30")] == ["visited"]


def fill_cart(site: Practice, *goods: str) -> dict[str, Any]:
    """One entry that puts each of these goods into the cart."""
    link = {"tool": "click", "id": {"role": "link", "name": "{1}"}}
    return {"each": goods, "actions": [link, ADD, {"tool": "navigate", "url": f"{site.url}/shop"}]}


async def test_one_call_does_the_same_to_each_of_many_over_their_pages(opened: Open, site: Practice) -> None:
    fish = await opened()
    group = fill_cart(site, "Tide kettle", "Oat bowl", "Bread knife")
    script(fish, [acts(group, done={"answer": "All three are in the cart.", "evidence": ["Cart (3)"]})])
    story = await events_of(fish, "Fill the cart", loop="horizon", tabs=[site.address("/shop", "h20")])
    assert end(story).text == "All three are in the cart." and purposes(story) == ["turn"]
    assert [e.details["slug"] for e in site.log("h20") if e.kind == "cart.added"] == [
        "tide-kettle",
        "oat-bowl",
        "bread-knife",
    ]


@pytest.mark.usefixtures("impatient")
async def test_a_surprise_at_one_of_many_leaves_the_rest_untouched(opened: Open, site: Practice) -> None:
    fish = await opened()
    group = fill_cart(site, "Tide kettle", "Golden anchor", "Bread knife")
    model = script(fish, [acts(group), as_json(give_up={"reason": "x", "help": ""})])
    await events_of(fish, "Fill the cart", loop="horizon", tabs=[site.address("/shop", "h21")])
    assert 'There is no link "Golden anchor" on the page. Not carried out: click(id=link "Golden' in history(
        model.requests[1]
    )
    assert cart_count(site, "h21") == 1


async def test_numbers_hold_again_on_the_page_that_they_are_from(opened: Open, site: Practice) -> None:
    fish = await opened()

    def fill(r: ModelRequest) -> str:
        goods = [id_of(page_of(r), name) for name in ("Tide kettle", "Storm lantern")]
        there, back = {"tool": "click", "id": "{1}", "expect": "Add to cart"}, {"tool": "navigate", "action": "back"}
        return as_json(
            actions=[{"each": goods, "actions": [there, back]}, {"tool": "click", "id": goods[0]}, ADD], done=DONE
        )

    model = script(fish, [fill, as_json(give_up={"reason": "x", "help": ""})])
    story = await events_of(fish, "Look at both", loop="horizon", tabs=[site.address("/shop", "h31")])
    assert end(story).text == DONE["answer"] and cart_count(site, "h31") == 1, history(model.requests[-1])


async def test_what_the_person_says_meanwhile_comes_before_the_next_action(opened: Open, site: Practice) -> None:
    fish = await opened()
    actions = [fill_cart(site, "Tide kettle", "Oat bowl"), {"tool": "scroll"}]
    model = script(fish, [acts(*actions), as_json(give_up={"reason": "x", "help": ""})])
    reply = model.reply

    async def interrupted(request: ModelRequest, on_text: Any = None) -> ModelReply:
        if not model.requests:
            await fish.command(record.id, "say", text="Only the bowl.", by="ann")
        return await reply(request)

    model.reply = interrupted
    record = await fish.start("Fill the cart", loop="horizon", tabs=[site.address("/shop", "h22")])
    story = [event async for event in fish.follow(record.id)]
    assert end(story).outcome == "failed" and not [event for event in story if isinstance(event, events.ToolStarted)]
    assert "The person said something. Not carried out: click(" in history(model.requests[1])
    assert "the person says: Only the bowl." in model.requests[1].messages[-1].text + history(model.requests[1])


async def test_the_model_is_told_what_the_policy_kept_a_page_from_sending(opened: Open) -> None:
    fish = await opened()
    model = script(fish, [acts("Trip", {"tool": "scroll"}), as_json(give_up={"reason": "x", "help": ""})])
    async with serve_page(SENDING) as url:
        await events_of(fish, "Name it", loop="horizon", tabs=[url], policy="unattended")
    done = history(model.requests[1])
    assert "The page wanted to send POST to " in done and "which was stopped. Not done: " in done
    assert "Something that the page wanted to send was stopped. Not carried out: scroll()" in done


@pytest.mark.usefixtures("impatient")
async def test_words_that_were_expected_and_do_not_come_end_the_actions(opened: Open, site: Practice) -> None:
    fish = await opened()
    first = acts({"tool": "scroll", "expect": "no such words"}, "Tide kettle")
    model = script(fish, [first, as_json(give_up={"reason": "x", "help": ""})])
    await events_of(fish, "Open the kettle", loop="horizon", tabs=[f"{site.url}/shop"])
    assert '"no such words" does not show after it. Not carried out: click(' in history(model.requests[1])


async def test_numbers_of_the_page_before_are_not_used_on_another_page(opened: Open, site: Practice) -> None:
    fish = await opened()
    model = script(fish, [acts("Tide kettle", "Storm lantern"), as_json(give_up={"reason": "x", "help": ""})])
    await events_of(fish, "Open the kettle", loop="horizon", tabs=[f"{site.url}/shop"])
    assert "Numbers of the page before mean nothing on it. Not carried out: click(" in history(model.requests[1])


@pytest.mark.usefixtures("impatient")
async def test_done_is_accepted_only_with_evidence_that_was_seen(opened: Open, site: Practice) -> None:
    fish = await opened()
    claim = as_json(done={"answer": "Bought!", "evidence": ["Order number 4711 was confirmed"]})
    model = script(fish, [claim, claim])
    story = await events_of(fish, "Buy a boat", loop="horizon", tabs=[f"{site.url}/shop"])
    assert end(story).outcome == "failed" and "Nothing was done" in end(story).error
    assert 'Not accepted as done: "Order number 4711 was confirmed" is neither' in history(model.requests[1])


@pytest.mark.usefixtures("impatient")
async def test_an_action_that_cannot_be_shown_is_reported_with_that_remark(opened: Open, site: Practice) -> None:
    fish = await opened()
    claim = as_json(done={"answer": "Opened.", "evidence": ["Order 4711"]})
    script(fish, [acts("Tide kettle"), claim, claim])
    story = await events_of(fish, "Open the kettle", loop="horizon", tabs=[f"{site.url}/shop"])
    assert end(story).outcome == "completed"
    assert end(story).text.startswith('Opened.\n\nThis could not be confirmed on the page: "Order 4711"')


async def test_words_that_are_gone_show_that_something_was_removed(opened: Open, site: Practice) -> None:
    fish = await opened()
    gone = as_json(done={"answer": "The list is left.", "gone": ["Storm lantern"]})
    never = as_json(done={"answer": "x", "gone": ["Moon boots"]})
    model = script(fish, [never, acts({"tool": "navigate", "url": f"{site.url}/shop/cart"}), gone])
    story = await events_of(fish, "Leave the list", loop="horizon", tabs=[f"{site.url}/shop"])
    assert (end(story).outcome, end(story).text) == ("completed", "The list is left.")
    assert '"Moon boots" was never seen' in history(model.requests[1])


async def test_plain_words_after_the_action_do_not_fail_the_run(opened: Open, site: Practice) -> None:
    fish = await opened()
    script(fish, [acts("Tide kettle", ADD), *["The kettle is in the cart."] * 4])
    story = await events_of(fish, "Put a kettle into the cart", loop="horizon", tabs=[site.address("/shop", "h4")])
    assert end(story).outcome == "completed" and end(story).text.startswith("The kettle is in the cart.")
    script(fish, ["I would rather not say."] * 4)
    story = await events_of(fish, "Put a kettle into the cart", loop="horizon", tabs=[f"{site.url}/shop"])
    assert (end(story).outcome, end(story).kind) == ("failed", "ModelError"), "replies that are no JSON, nothing done"


async def test_notes_are_kept_word_for_word_and_go_on_in_the_run_that_continues(opened: Open, site: Practice) -> None:
    fish = await opened()
    add = acts({"tool": "scroll"}, notes={"add": ["Kettle €48.90", "Lantern €61.50"]})
    tick = acts({"tool": "scroll", "direction": "up"}, notes={"tick": [1], "drop": [2], "add": ["last"]})
    stop = as_json(give_up={"reason": "x", "help": ""})
    model = script(fish, [add, tick, stop, stop])
    record = await fish.start("Compare", loop="horizon", tabs=[f"{site.url}/shop"])
    assert [e async for e in fish.follow(record.id)]
    assert "1. Kettle €48.90\n2. Lantern €61.50" in page_of(model.requests[1])
    assert "1. [x] Kettle €48.90\n3. last" in page_of(model.requests[2])
    later = await fish.continue_run(record.id)
    assert [e async for e in fish.follow(later.id)]
    assert "1. [x] Kettle €48.90\n3. last" in page_of(model.requests[3])


async def test_a_long_result_reaches_the_next_call_whole_and_can_be_recalled_later(
    opened: Open, site: Practice
) -> None:
    fish = await opened()
    recall = acts({"tool": "recall_details", "result_id": "r1"})
    model = script(
        fish,
        [acts({"tool": "get_text"}), acts({"tool": "scroll"}), recall, as_json(give_up={"reason": "x", "help": ""})],
    )
    story = await events_of(fish, "Read it", loop="horizon", tabs=[f"{site.url}/shop"])
    [whole, _, again] = [e.output for e in story if isinstance(e, events.ToolFinished)]
    assert len(whole) > 1000 and whole in page_of(model.requests[1]) and whole not in page_of(model.requests[2])
    assert "recall_details r1" in history(model.requests[2]) and again == whole
    assert whole in page_of(model.requests[3])


async def test_the_beginning_of_a_request_repeats_the_one_before(opened: Open, site: Practice) -> None:
    fish = await opened()
    scroll = acts({"tool": "scroll"}, notes={"add": ["more"]})
    model = script(fish, [scroll, scroll, scroll, as_json(give_up={"reason": "x", "help": ""})])
    story = await events_of(fish, "Read it", loop="horizon", tabs=[f"{site.url}/shop"])
    for before, after in zip(model.requests, model.requests[1:], strict=False):
        assert [m.text for m in after.messages[: len(before.messages) - 2]] == [m.text for m in before.messages[:-2]]
        assert [m.stable for m in after.messages[-3:]] == [True, True, False]
    first, *later = [e for e in story if isinstance(e, events.ModelAsked)]
    assert first.repeated == 0 and all(0.3 < e.repeated / e.tokens < 1 for e in later)
    assert len(model.requests[3].messages) == 7


async def test_after_small_changes_the_model_is_told_the_changes_and_the_page_before_them_stays(
    opened: Open, site: Practice
) -> None:
    fish = await opened()
    stop = as_json(give_up={"reason": "x", "help": ""})
    flips = [acts("Cycle updates"), acts("Ferry alarms"), acts({"tool": "click", "id": 9999}), stop]
    model = script(fish, flips)
    await events_of(fish, "Flip Cycle updates and Ferry alarms", loop="horizon", tabs=[f"{site.url}/apps/settings"])
    first, second, third, fourth = ([m.text for m in request.messages] for request in model.requests)
    whole = next(text for text in first if text.startswith("The page at turn 1:"))
    assert whole in second and whole in third, "the page is where it was, and what was done stands after it"
    assert second.index(whole) == first.index(whole) == third.index(whole)
    assert "The page at turn 2 is the page at turn 1 above, with these changes:" in second[-1]
    flipped = '[{}] switch "Cycle updates" (on)'.format(id_of(whole, "Cycle updates"))
    assert flipped in second[-1] and len(second[-1]) < len(whole) / 4
    assert flipped in third[-1] and 'switch "Ferry alarms" (off)' in third[-1], (
        "the changes are those since the whole page"
    )
    assert any(text.startswith("The page at turn 4:") for text in fourth), "after a failure the page is told whole"
    assert whole not in fourth


async def test_the_person_is_asked_and_the_answer_stands_in_the_next_call(opened: Open, site: Practice) -> None:
    fish = await opened()
    model = script(
        fish,
        [
            as_json(ask={"question": "Which one?", "choices": ["Tide", "Fern"]}),
            as_json(give_up={"reason": "x", "help": ""}),
        ],
    )
    record = await fish.start("Open a kettle", loop="horizon", tabs=[f"{site.url}/shop"])
    async for event in fish.follow(record.id):
        if isinstance(event, events.InputRequested):
            assert event.choices == ("Tide", "Fern")
            await fish.command(record.id, "answer", text="Fern", request=event.request)
    assert "You asked the person: Which one?" in history(model.requests[1])
    assert "While you work, the person says: Fern" in [message.text for message in model.requests[1].messages]


async def test_what_the_site_cannot_tell_is_looked_up_in_a_sub_run(opened: Open, site: Practice) -> None:
    fish = await opened()
    look = acts({"tool": "research", "question": "which kettle is best?"})
    model = script(
        fish,
        [
            look,
            "The tide kettle is best.",
            acts("Tide kettle", done={"answer": "Opened.", "evidence": ["Add to cart"]}),
        ],
    )
    record = await fish.start("Open the best kettle", loop="horizon", tabs=[f"{site.url}/shop"])
    assert end([e async for e in fish.follow(record.id)]).text == "Opened."
    [child] = [each for each in await fish.runs(conversation=record.conversation) if each.parent == record.id]
    assert (child.loop, child.task, child.outcome) == ("react", "which kettle is best?", "completed")
    assert "The tide kettle is best" in history(model.requests[2])


async def test_a_follow_up_keeps_its_context(opened: Open, site: Practice) -> None:
    fish = await opened()
    opens = acts("Tide kettle", done={"answer": "Opened the tide kettle.", "evidence": ["Add to cart"]})
    model = script(fish, [opens, as_json(give_up={"reason": "x", "help": ""})])
    story = await events_of(fish, "Open the tide kettle", loop="horizon", tabs=[f"{site.url}/shop"])
    conversation = next(e for e in story if isinstance(e, events.RunStarted)).conversation
    await events_of(fish, "And the same again", loop="horizon", conversation=conversation)
    assert "Open the tide kettle" in model.requests[1].messages[1].text
    assert "Opened the tide kettle." in model.requests[1].messages[1].text
    assert model.requests[1].messages[2].text.splitlines()[0] == "Task: And the same again"


async def test_the_turns_are_limited_and_the_model_is_told_when_few_are_left(opened: Open, site: Practice) -> None:
    fish = await opened(agent=AgentSettings(steps=6, horizon=2))
    scroll = acts(
        {"tool": "scroll"}, {"tool": "scroll", "direction": "top"}, {"tool": "scroll"}, milestones=["Read on"]
    )
    model = script(fish, [acts({"tool": "scroll"}, notes={"add": ["Kettle €48.90"]}), *[scroll] * 6])
    story = await events_of(fish, "Scroll", loop="horizon", tabs=[f"{site.url}/shop"])
    assert end(story).outcome == "failed" and len(model.requests) == 6
    done, left, notes = end(story).text.split("\n\n")
    assert done.startswith("What was done until then:\n- Scrolled") and done.count("\n") == 11
    assert (left, notes) == ("Still open:\n- Read on", "Notes:\n- Kettle €48.90")
    assert "pilotfish resume" in end(story).fix
    assert "are left" not in page_of(model.requests[0]) and "turn 5; 1 more" in page_of(model.requests[4])
    assert "Only 2 actions are carried out in a turn. Not carried out: scroll()" in history(model.requests[2])


async def test_the_model_is_told_when_the_money_lasts_for_few_turns(opened: Open, site: Practice) -> None:
    fish = await opened(budget=BudgetSettings(run_cents=10))
    scroll = as_json(assessment="", actions=[{"tool": "scroll"}])
    model = script(fish, [ModelReply(text=scroll, usage=Usage(input=9, cost=0.02, priced=True))] * 5)
    story = await events_of(fish, "Scroll", loop="horizon", tabs=[f"{site.url}/shop"])
    assert end(story).outcome == "out_of_budget" and len(model.requests) == 5
    assert "are left" not in page_of(model.requests[0])
    assert all(f"{3 - n} more are left" in page_of(request) for n, request in enumerate(model.requests[1:]))


async def test_a_small_model_continues_as_pilot(opened: Open, site: Practice) -> None:
    fish = await opened()
    modest(fish, [])
    story = await events_of(fish, "Click the kettle", loop="horizon", tabs=[f"{site.url}/shop"])
    assert [e.details["loop"] for e in story if isinstance(e, events.Noted) and e.topic == "loop"] == ["pilot"]


async def test_what_the_model_thinks_of_the_last_actions_is_streamed_while_it_decides(
    opened: Open, site: Practice
) -> None:
    fish = await opened()
    script(fish, [as_json(assessment="The cart is still empty.", done={"answer": "Empty.", "evidence": ["Your cart"]})])
    story = await events_of(fish, "Is my cart empty?", loop="horizon", tabs=[site.address("/shop/cart", "h-thought")])
    pieces = [e for e in story if isinstance(e, events.TextDelta)]
    assert "".join(e.text for e in pieces) == "The cart is still empty." and len(pieces) > 1
    assert {e.kind for e in pieces} == {"reasoning"}

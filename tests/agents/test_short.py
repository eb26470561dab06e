"""The short form for small models: one short request a turn, honest ends, and no effect twice."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from agents.scene import as_json, cart_count, end, id_of, modest, page_of
from pilotfish import Pilotfish
from pilotfish.agents import pilot
from pilotfish.context.fitting import shared_start, token_estimate, total_tokens
from pilotfish.core import events
from pilotfish.core.messages import ModelReply, ModelRequest, TokenChance
from pilotfish.llm.model_facts import EMBEDDED_MODEL
from pilotfish.llm.scripted import ScriptedModel
from pilotfish.practice.server import Practice
from pilotfish.small_model.short_loop import MOST_IDLE_TURNS, REQUEST_TOKENS
from pilotfish.small_model.short_reply import list_shown
from scripted_app import Open, ScriptLine, events_of

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
GOAL = "Put a Tide kettle into the cart"
BLOCK = re.compile(r'\AGoal: (.+)\n<data-([0-9a-f]{8}) from="page">\n((?s:.+))\n</data-\2>\Z')


def acts(*wanted: str | list[str | int]) -> ScriptLine:
    """A reply with acts; a name stands for a click on the element of that name."""

    def reply(request: ModelRequest) -> str:
        page = page_of(request)
        return as_json(why="x", acts=[["click", id_of(page, one)] if isinstance(one, str) else one for one in wanted])

    return reply


def claim(text: str) -> str:
    return as_json(why="x", done=text)


def data(request: ModelRequest) -> str:
    found = BLOCK.match(page_of(request))
    assert found, page_of(request)
    return found[3]


async def short(opened: Open, replies: Sequence[ScriptLine]) -> tuple[Pilotfish, ScriptedModel]:
    fish = await opened()
    return fish, modest(fish, replies)


async def test_a_small_model_does_a_chore_in_short_requests(opened: Open, site: Practice) -> None:
    fish, model = await short(
        opened, [acts("Tide kettle"), acts("Add to cart"), claim("The Tide kettle is in the cart.")]
    )
    story = await events_of(fish, GOAL, loop="pilot", tabs=[site.address("/shop", "s1")])
    assert (end(story).text, cart_count(site, "s1")) == ("The Tide kettle is in the cart.", 1)
    first, second, third = model.requests
    assert [len(request.messages) for request in model.requests] == [2, 2, 2]
    assert max(total_tokens(request.messages) for request in model.requests) <= REQUEST_TOKENS
    assert data(first).startswith("Done:\nnothing\nPage:\n")
    assert data(third).startswith('Done:\n1. click link "Tide kettle')
    assert 'now at /shop/product/tide-kettle, "Tide kettle' in data(second).partition("Page:")[0]
    assert '\n2. click button "Add to cart" → ' in data(third).partition("Page:")[0]
    grown = shared_start(page_of(second), page_of(third))
    assert page_of(third)[:grown].partition("Done:")[2].count("\n") >= 2


async def test_a_small_model_that_sees_gets_a_picture_of_the_page(opened: Open, site: Practice) -> None:
    fish = await opened()
    for wanted in (True, False):
        model = modest(fish, [as_json(why="x", give_up="no")], EMBEDDED_MODEL.model_copy(update={"vision": True}))
        await events_of(fish, GOAL, loop="pilot", tabs=[f"{site.url}/shop"], screenshots=wanted)
        assert len(model.requests[0].messages[1].images) == int(wanted)


async def test_the_schema_of_a_request_has_the_numbers_of_its_page(opened: Open, site: Practice) -> None:
    fish, model = await short(opened, [as_json(why="x", give_up="no")])
    await events_of(fish, GOAL, loop="pilot", tabs=[f"{site.url}/shop"])
    shown = {each.id for each in list_shown(data(model.requests[0])) if "click" in each.takes}
    shape = model.requests[0].shape
    assert shape and shown
    clicks = shape["anyOf"][0]["properties"]["acts"]["items"]["anyOf"][0]["prefixItems"]
    assert clicks[0] == {"const": "click"} and set(clicks[1]["enum"]) == shown


async def test_done_without_an_effect_or_an_answer_on_the_page_is_no_end(opened: Open, site: Practice) -> None:
    fish, model = await short(opened, [acts("Tide kettle"), *[claim("The kettle was ordered successfully.")] * 2])
    story = await events_of(fish, "Order a kettle", loop="pilot", tabs=[f"{site.url}/shop"])
    assert end(story).outcome == "failed" and "nothing was changed" in end(story).error
    assert "`pilotfish models`" in end(story).fix
    assert "! Not accepted as done" in data(model.requests[2])


def unsure(text: str) -> ModelReply:
    return ModelReply(text=claim(text), tokens=(TokenChance(text=claim(text), chance=0.1),))


async def test_an_end_that_the_model_is_not_sure_of_is_asked_for_again(opened: Open, site: Practice) -> None:
    fish, model = await short(opened, [unsure("It costs €20."), claim("It costs €48.90.")])
    story = await events_of(fish, "What does the kettle cost?", loop="pilot", tabs=[f"{site.url}/shop"])
    assert (end(story).text, len(model.requests)) == ("It costs €48.90.", 2)


async def test_a_model_that_is_unsure_after_a_change_neither_claims_that_all_is_done_nor_changes_more(
    opened: Open, site: Practice
) -> None:
    said = unsure("The Tide kettle is in the cart.")
    fish, _ = await short(opened, [acts("Tide kettle"), acts("Add to cart"), said])
    story = await events_of(fish, GOAL, loop="pilot", tabs=[site.address("/shop", "s34")])
    assert end(story).outcome == "failed" and "The Tide kettle is in the cart." in end(story).error


async def test_an_answer_in_words_of_the_page_is_taken_at_once(opened: Open, site: Practice) -> None:
    fish, _ = await short(opened, [claim("It costs €48.90.")])
    story = await events_of(fish, "What does the kettle cost?", loop="pilot", tabs=[f"{site.url}/shop"])
    assert (end(story).outcome, end(story).text) == ("completed", "It costs €48.90.")


async def test_a_word_of_the_page_that_has_nothing_to_do_with_the_goal_is_no_answer(
    opened: Open, site: Practice
) -> None:
    fish, _ = await short(opened, [claim("Nothing")] * 2)
    story = await events_of(fish, "Put a blanket into my basket", loop="pilot", tabs=[f"{site.url}/"])
    assert end(story).outcome == "failed"


async def test_figures_that_no_page_shows_are_no_answer(opened: Open, site: Practice) -> None:
    fish, _ = await short(opened, [claim("The Tide kettle costs €77.31.")] * 2)
    story = await events_of(fish, "What does the kettle cost?", loop="pilot", tabs=[f"{site.url}/shop"])
    assert end(story).outcome == "failed"


async def test_the_same_effect_is_not_caused_twice(opened: Open, site: Practice) -> None:
    open, add, shop = acts("Tide kettle"), acts("Add to cart"), acts("Shop")
    other = [shop, acts("Storm lantern"), add, claim("Both are in the cart.")]
    fish, model = await short(opened, [open, add, open, add, *other])
    story = await events_of(
        fish,
        "Put the Tide kettle and the Storm lantern into the cart",
        loop="pilot",
        tabs=[site.address("/shop", "s2")],
    )
    assert end(story).outcome == "completed"
    assert "! Not carried out, since it was done before" in data(model.requests[4])
    assert cart_count(site, "s2") == 2


async def test_after_turns_that_bring_nothing_new_the_run_ends_and_says_what_it_tried(
    opened: Open, site: Practice
) -> None:
    look = as_json(why="search for the boat", acts=[["find", "boat"]])
    fish, model = await short(opened, [look] * (2 * MOST_IDLE_TURNS + 2))
    story = await events_of(fish, "Buy a boat", loop="pilot", tabs=[f"{site.url}/shop"])
    assert end(story).outcome == "failed" and "search for the boat" in end(story).error
    assert "`pilotfish models`" in end(story).fix
    assert any("! Elsewhere: " in data(request) for request in model.requests)
    assert len(model.requests) <= 2 * MOST_IDLE_TURNS


async def test_going_round_between_sections_is_told_and_ends(opened: Open, site: Practice) -> None:
    fish, model = await short(opened, [acts("Fernhill" if at % 2 else "Shop") for at in range(20)])
    story = await events_of(fish, "Buy an airship", loop="pilot", tabs=[f"{site.url}/"])
    assert end(story).outcome == "failed" and "`pilotfish models`" in end(story).fix
    told = [at for at, request in enumerate(model.requests) if "! Going round: “" in data(request)]
    assert told and len(model.requests) <= told[0] + 2 * MOST_IDLE_TURNS


async def test_giving_up_says_why_and_which_model_may_help(opened: Open, site: Practice) -> None:
    fish, _ = await short(opened, [as_json(why="x", give_up="There is no boat here.")] * 3)
    story = await events_of(fish, "Buy a boat", loop="pilot", tabs=[f"{site.url}/shop"])
    assert end(story).outcome == "failed"
    assert end(story).error.startswith("There is no boat here. I looked for “boat” in ")
    assert {"Mail", "Board", "Files"} <= set(end(story).error.partition(" in ")[2].rstrip(".").split(", "))
    assert "`pilotfish models`" in end(story).fix


async def test_before_giving_up_the_nearest_lines_of_other_sections_are_told_and_then_their_section_opened(
    opened: Open, site: Practice
) -> None:
    fish, model = await short(opened, [as_json(why="x", give_up="There is no anchor here.")] * 3)
    goal = "Somebody writes that I have won an anchor of gold: throw that away"
    story = await events_of(fish, goal, loop="pilot", tabs=[f"{site.url}/"])
    assert len(model.requests) == 3
    told, _, page = data(model.requests[1]).partition("Page:")
    assert "! Elsewhere: Mail has “" in told and "anchor" in told
    assert page.splitlines()[1].endswith(f" — {site.url}/")
    told, _, page = data(model.requests[2]).partition("Page:")
    assert "! Opened, since it may fit: Mail has “" in told
    assert page.splitlines()[1].endswith(f" — {site.url}/mail")
    assert end(story).outcome == "failed"


async def test_a_section_that_the_model_looked_at_is_not_opened_for_it(opened: Open, site: Practice) -> None:
    leave = as_json(why="x", give_up="There is no anchor here.")
    fish, model = await short(opened, [leave, acts("Mail"), acts("Fernhill"), leave, leave])
    goal = "Somebody writes that I have won an anchor of gold: throw that away"
    await events_of(fish, goal, loop="pilot", tabs=[f"{site.url}/"])
    assert "Opened, since it may fit: Mail" not in data(model.requests[-1])


async def test_done_where_nothing_of_the_goal_was_changed_tells_the_section_that_names_it(
    opened: Open, site: Practice
) -> None:
    fish, model = await short(
        opened, [acts("Storm lantern"), acts("Add to cart"), claim("Done."), as_json(why="x", give_up="no")]
    )
    goal = "Somebody writes that I have won an anchor of gold: throw that away"
    story = await events_of(fish, goal, loop="pilot", tabs=[site.address("/shop", "s31")])
    assert "! Elsewhere: Mail has “" in data(model.requests[3])
    assert end(story).outcome == "failed"


async def test_notes_and_what_was_found_are_in_the_next_request(opened: Open, site: Practice) -> None:
    fish, model = await short(
        opened,
        [
            as_json(why="x", acts=[["note", "the red one"], ["find", "lantern"]]),
            acts("Storm lantern"),
            claim("Storm lantern"),
        ],
    )
    await events_of(fish, "Open the lantern", loop="pilot", tabs=[f"{site.url}/shop"])
    told = data(model.requests[1])
    assert "\nNotes:\n1. the red one\nFound:\n" in told
    assert "lantern" in told.partition("Found:")[2].partition("Page:")[0]
    assert "Found:" not in data(model.requests[2]) and "1. the red one" in data(model.requests[2])


async def test_a_question_goes_to_the_person_and_the_answer_into_the_history(opened: Open, site: Practice) -> None:
    fish, model = await short(opened, [as_json(why="x", ask="Which one?"), as_json(why="x", give_up="no")])
    record = await fish.start("Buy one kettle", loop="pilot", tabs=[f"{site.url}/shop"])
    async for event in fish.follow(record.id):
        if isinstance(event, events.InputRequested):
            await fish.command(record.id, "answer", text="the lantern", request=event.request)
    assert "You asked: Which one? → the person says: the lantern" in data(model.requests[1])


async def test_before_a_question_on_a_page_without_a_word_of_the_goal_other_sections_are_told(
    opened: Open, site: Practice
) -> None:
    question = as_json(why="x", ask="Which one?")
    fish, model = await short(opened, [acts("Board"), question, question])
    goal = "Somebody writes that I have won an anchor of gold: throw that away"
    story = await events_of(fish, goal, loop="pilot", tabs=[f"{site.url}/"], input_timeout=1)
    assert "! Elsewhere: Mail has “" in data(model.requests[2])
    assert f"{site.url}/board" in data(model.requests[2]).partition("Page:")[2]
    assert sum(isinstance(event, events.InputRequested) for event in story) == 1


async def test_a_question_is_asked_once(opened: Open, site: Practice) -> None:
    question = as_json(why="x", ask="Which colour?")
    fish, model = await short(opened, [question, question, as_json(why="x", give_up="No colour was said.")])
    record = await fish.start(GOAL, loop="pilot", tabs=[site.address("/shop", "s21")])
    asked = 0
    async for event in fish.follow(record.id):
        if isinstance(event, events.InputRequested):
            asked += 1
            await fish.command(record.id, "answer", text="I do not mind", request=event.request)
    assert asked == 1
    assert "! Not asked again: the person said “I do not mind”" in data(model.requests[-1])


async def test_a_question_without_an_answer_is_no_success(opened: Open, site: Practice) -> None:
    fish, _ = await short(opened, [as_json(why="x", ask="Which colour?")])
    story = await events_of(fish, GOAL, loop="pilot", tabs=[site.address("/shop", "s22")], input_timeout=1)
    assert (end(story).outcome, "got no answer" in end(story).error) == ("failed", True)


async def test_where_nothing_is_open_the_address_of_the_task_is_opened(opened: Open, site: Practice) -> None:
    fish, model = await short(opened, [as_json(why="x", give_up="no")])
    await events_of(fish, f"Go to {site.url}/shop, and buy a boat", loop="pilot")
    assert f"{site.url}/shop" in data(model.requests[0]).partition("Page:")[2]


async def test_where_nothing_is_open_and_no_address_given_the_person_is_asked_for_it(
    opened: Open, site: Practice
) -> None:
    fish, _ = await short(opened, [acts("Tide kettle"), acts("Add to cart"), claim("It is in the cart.")])
    record = await fish.start("Add the Tide kettle to the cart", loop="pilot")
    async for event in fish.follow(record.id):
        if isinstance(event, events.InputRequested):
            assert "address" in event.question
            await fish.command(record.id, "answer", request=event.request, text=site.address("/shop", "s10"))
    assert cart_count(site, "s10") == 1


async def test_a_question_offers_what_it_names_on_the_page(opened: Open, site: Practice) -> None:
    fish, _ = await short(opened, [as_json(why="x", ask="Tide kettle or Oat bowl?")])
    story = await events_of(fish, "Buy it", loop="pilot", tabs=[f"{site.url}/shop"], input_timeout=0.1)
    asked = next(e for e in story if isinstance(e, events.InputRequested))
    assert asked.choices == ("Tide kettle", "Oat bowl")


async def test_what_was_only_searched_for_is_not_claimed_as_done(opened: Open, site: Practice) -> None:
    search: ScriptLine = lambda r: as_json(  # noqa: E731
        why="x", acts=[["type", id_of(page_of(r), "Search the shop"), "kettle"], ["press", "Enter"]]
    )
    fish, model = await short(opened, [search, claim("Two kettles were ordered."), claim("Two kettles were ordered.")])
    story = await events_of(fish, GOAL, loop="pilot", tabs=[site.address("/shop", "s11")])
    assert "Not accepted as done" in data(model.requests[2]) and end(story).outcome == "failed"


def test_the_rules_are_short() -> None:
    path = Path(pilot.__file__).parent / "prompts" / "short.md"
    assert token_estimate(path.read_text("utf-8")) <= 200


async def test_auto_asks_a_small_model_in_a_few_words_and_a_chore_is_never_a_chat(opened: Open, site: Practice) -> None:
    fish, model = await short(opened, [as_json(way="browse"), *[as_json(why="x", give_up="no")] * 6])
    await events_of(fish, "Could you add the kettle to my cart?", loop="auto", tabs=[f"{site.url}/shop"])
    assert total_tokens(model.requests[0].messages) <= 160 and "Pages are open." in model.requests[0].messages[0].text
    story = await events_of(fish, "What about the kettle?", loop="auto", chore=True, tabs=[f"{site.url}/shop"])
    assert end(story).outcome == "failed" and len(model.requests) == 7

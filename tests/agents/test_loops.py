"""The five loops and auto, each on a real task in a real browser, with a model that says what it is told to."""

import json
import re
from collections.abc import AsyncIterator
from typing import Any

import pytest

from fish import Open, script, told
from pilotfish import Pilotfish
from pilotfish.core import events
from pilotfish.core.messages import Call, Reply, Request
from pilotfish.core.settings import Agent, Budget
from pilotfish.core.usage import Usage
from pilotfish.practice.server import Practice

pytestmark = [pytest.mark.anyio, pytest.mark.slow]


@pytest.fixture
async def site() -> AsyncIterator[Practice]:
    async with Practice() as site:
        yield site


def page_of(request: Request) -> str:
    return request.messages[-1].text


def id_of(page: str, name: str) -> int:
    """The number of the element of that name on the page that the model was shown."""
    found = re.search(rf'\[(\d+)\] \w+ "{re.escape(name)}', page)
    assert found, f"{name} is not on the page:\n{page}"
    return int(found[1])


def end(story: list[events.Live]) -> events.RunFinished:
    assert isinstance(story[-1], events.RunFinished)
    return story[-1]


def carted(site: Practice, world: str) -> int:
    return sum("cart" in e.kind for e in site.log(world))


def said(**fields: Any) -> str:
    return json.dumps(fields)


class TestChat:
    async def test_answers_from_the_page_with_no_tools_bound(self, opened: Open, site: Practice) -> None:
        fish = await opened()
        model = script(fish, ["The kettle costs €48.90.", "It holds 1.2 litres."])
        story = await told(fish, "What does the kettle cost?", loop="chat", tabs=[f"{site.url}/shop"])
        assert end(story).text == "The kettle costs €48.90."
        assert not model.asked[0].tools
        assert "Tide kettle" in model.asked[0].messages[0].text and "48.90" in model.asked[0].messages[0].text
        conversation = next(e for e in story if isinstance(e, events.RunStarted)).conversation
        await told(fish, "And how large is it?", loop="chat", conversation=conversation)
        assert model.asked[1].messages[0] == model.asked[0].messages[0], "the prefix must stay the same for caches"
        assert [m.text for m in model.asked[1].messages[1:]] == [
            "What does the kettle cost?",
            "The kettle costs €48.90.",
            "And how large is it?",
        ]

    async def test_looks_only_when_the_answer_asks_for_it(self, opened: Open, site: Practice) -> None:
        fish = await opened()
        look = Reply(calls=(Call(id="s", tool="screenshot"), Call(id="d", tool="scroll", args={"direction": "down"})))
        model = script(fish, ["LOOK: the picture", look, "It is green."])
        story = await told(fish, "Which colour?", loop="chat", tabs=[f"{site.url}/shop"])
        assert end(story).text == "It is green."
        assert not model.asked[0].tools
        assert [t.name for t in model.asked[1].tools] == ["screenshot", "scroll", "refresh"]
        assert any(isinstance(e, events.FileSaved) and e.media.startswith("image/") for e in story)
        assert not any("LOOK" in e.text for e in story if isinstance(e, events.Delta))

    async def test_tells_tabs_apart(self, opened: Open, site: Practice) -> None:
        fish = await opened()
        model = script(fish, ["Tab 1 has goods (tab 1)."])
        await told(fish, "Which tab sells goods?", loop="chat", tabs=[f"{site.url}/shop", f"{site.url}/news"])
        system = model.asked[0].messages[0].text
        assert "Tab 1: All goods" in system and "Tab 2:" in system and "2 open tabs" in system

    async def test_says_kindly_that_there_is_no_tab(self, opened: Open) -> None:
        fish = await opened()
        assert "no open page" in end(await told(fish, "What is this?", loop="chat")).text

    async def test_an_address_that_cannot_be_opened_fails_with_a_way_out(self, opened: Open) -> None:
        fish = await opened()
        done = end(await told(fish, "What?", loop="chat", tabs=["http://127.0.0.1:4/nothing"]))
        assert done.outcome == "failed" and "could not be opened" in done.error and done.fix


class TestPilot:
    async def test_decides_acts_and_looks_again(self, opened: Open, site: Practice) -> None:
        fish = await opened()
        script(
            fish,
            [
                lambda r: said(
                    reasoning="open the kettle",
                    needs_action=True,
                    action=f'click [{id_of(page_of(r), "Tide kettle")}] link "Tide kettle"',
                ),
                lambda r: said(reasoning="add it", needs_action=True, action='click "Add to cart"'),
                said(reasoning="done", needs_action=False, message="The kettle is in the cart."),
                said(reasoning="the page shows it", needs_action=False, message="The kettle is in the cart."),
            ],
        )
        done = end(await told(fish, "Add the kettle to the cart", loop="pilot", tabs=[site.address("/shop", "p1")]))
        assert (done.outcome, done.text) == ("completed", "The kettle is in the cart.")
        assert carted(site, "p1") == 1

    async def test_unclear_words_go_to_the_executor(self, opened: Open, site: Practice) -> None:
        fish = await opened()
        script(
            fish,
            [
                said(reasoning="search", needs_action=True, action="put kettle into the search field"),
                lambda r: said(
                    tool="type", inputs={"id": id_of(r.messages[-1].text, "Search the shop"), "text": "kettle"}
                ),
                said(reasoning="done", needs_action=False, message="Typed."),
                said(reasoning="done", needs_action=False, message="Typed."),
            ],
        )
        story = await told(fish, "Search for kettle", loop="pilot", tabs=[f"{site.url}/shop"])
        assert end(story).outcome == "completed"
        finished = next(e for e in story if isinstance(e, events.ToolFinished))
        assert finished.ok and finished.tool == "type" and "kettle" in finished.output

    async def test_asks_the_person_and_uses_the_answer(self, opened: Open, site: Practice) -> None:
        fish = await opened()
        model = script(
            fish,
            [
                said(reasoning="which?", needs_action=False, ask_user="Which button: Search or Cart?"),
                lambda r: said(reasoning="told", needs_action=False, message="You said Search."),
                said(reasoning="told", needs_action=False, message="You said Search."),
            ],
        )
        record = await fish.start("Click the button", loop="pilot", tabs=[f"{site.url}/shop"])
        async for event in fish.follow(record.id):
            if isinstance(event, events.InputRequested):
                await fish.command(record.id, "answer", request=event.request, text="Search")
        assert (await fish.record(record.id)).answer == "You said Search."
        assert "the person says: Search" in page_of(model.asked[1])

    async def test_a_loop_that_repeats_itself_is_told_then_stopped(self, opened: Open, site: Practice) -> None:
        fish = await opened()
        model = script(fish, [said(reasoning="again", needs_action=True, action="click [9999]")] * 40)
        again = said(tool="click", inputs={"id": 9999})
        model._replies = tuple(r for r in (model._replies[0], again) for _ in (0,)) * 20
        done = end(await told(fish, "Do it", loop="pilot", tabs=[f"{site.url}/shop"]))
        assert done.outcome == "failed" and "6 times" in done.error
        assert any("Do something else" in page_of(r) for r in model.asked)


class TestHorizon:
    async def test_plans_executes_checks_and_finishes_with_evidence(self, opened: Open, site: Practice) -> None:
        fish = await opened()
        steps = [{"action": "Open the Tide kettle", "reasoning": "to buy it"}, {"action": "Add it to the cart"}]

        def click(name: str) -> Any:
            return lambda r: Reply(calls=(Call(id="c", tool="click", args={"id": id_of(page_of(r), name)}),))

        script(
            fish,
            [
                said(kind="complex"),
                said(steps=steps),
                click("Tide kettle"),
                said(complete=False, missing="add it to the cart"),
                said(steps=steps[1:]),
                click("Add to cart"),
                said(complete=True, evidence="Cart (1)", answer="The kettle is in the cart."),
            ],
        )
        story = await told(fish, "Put a kettle into the cart", loop="horizon", tabs=[site.address("/shop", "h1")])
        assert end(story).text == "The kettle is in the cart."
        assert carted(site, "h1") == 1
        plans = [e for e in story if isinstance(e, events.Planned)]
        assert plans[0].items[0] == ("Open the Tide kettle", "open") and plans[-1].items[-1][1] == "done"

    async def test_a_claim_without_evidence_is_not_accepted(self, opened: Open, site: Practice) -> None:
        fish = await opened(agent=Agent(steps=3))
        claim = said(complete=True, evidence="", answer="Done!")
        script(fish, [said(kind="simple"), "DONE", claim, said(steps=[{"action": "x"}]), "DONE", claim] * 3)
        done = end(await told(fish, "Buy a boat", loop="horizon", tabs=[f"{site.url}/shop"]))
        assert done.outcome == "failed"


class TestReact:
    async def test_calls_tools_together_and_answers(self, opened: Open) -> None:
        fish = await opened()
        times = (Call(id="1", tool="get_current_time"), Call(id="2", tool="get_current_time"))
        script(fish, [Reply(text="let me look", calls=times), "It is now."])
        story = await told(fish, "What time is it?", loop="react")
        assert end(story).text == "It is now."
        assert sum(isinstance(e, events.ToolFinished) and e.ok for e in story) == 2

    async def test_out_of_money_it_answers_with_what_was_found(self, opened: Open) -> None:
        fish = await opened(budget=Budget(run_cents=1))
        dear = Usage(input=1, output=1, cost=0.02)
        script(fish, [Reply(calls=(Call(id="1", tool="get_current_time"),), usage=dear)])
        done = end(await told(fish, "What time is it?", loop="react"))
        assert done.outcome == "out_of_budget" and "what was found" in done.text


class TestStrict:
    REASON = 'I will look. {"plan": "look at the clock", "tools_to_consider": ["get_current_time"], "finish": false}'
    SEEN = 'Good. ```json\n{"observation": "noon", "should_continue": false, "final_answer": "It is noon."}\n```'

    async def test_three_phases_in_order_every_step(self, opened: Open) -> None:
        fish = await opened()
        clock = Reply(calls=(Call(id="1", tool="get_current_time"),))
        script(fish, [self.REASON, clock, "malformed {", self.REASON, clock, self.SEEN])
        story = await told(fish, "What time is it?", loop="strict")
        assert end(story).text == "It is noon."
        order = [
            e.phase if isinstance(e, events.Reasoned) else e.tool
            for e in story
            if isinstance(e, events.Reasoned | events.ToolFinished)
        ]
        assert order == ["reason", "get_current_time", "observe"] * 2

    async def test_with_no_tools_act_does_nothing(self, opened: Open) -> None:
        fish = await opened()
        model = script(fish, [self.REASON, self.SEEN])
        assert end(await told(fish, "Time?", loop="strict", tools=[])).text == "It is noon."
        assert not any(r.tools for r in model.asked)

    async def test_a_question_that_nobody_answers_stops_the_run(self, opened: Open) -> None:
        fish = await opened()
        ask = Reply(calls=(Call(id="1", tool="request_input", args={"question": "Which?"}),))
        script(fish, [self.REASON, ask])
        story = await told(fish, "Do it", loop="strict", input_timeout=0.2)
        assert end(story).outcome == "stopped"
        kinds = [e.type for e in story]
        assert kinds.index("input_requested") < kinds.index("input_timed_out") < kinds.index("run_finished")

    async def test_an_answer_joins_the_conversation(self, opened: Open) -> None:
        fish = await opened()
        ask = Reply(calls=(Call(id="1", tool="request_input", args={"question": "Which?"}),))
        model = script(fish, [self.REASON, ask, self.SEEN])
        record = await fish.start("Do it", loop="strict")
        async for event in fish.follow(record.id):
            if isinstance(event, events.InputRequested):
                await fish.command(record.id, "answer", request=event.request, text="the red one")
        assert any(m.text == "the red one" for m in model.asked[2].messages)

    async def test_steps_are_limited(self, opened: Open) -> None:
        fish = await opened()
        script(fish, [self.REASON, "no tool", "just words"] * 2)
        done = end(await told(fish, "Do it", loop="strict", max_steps=2))
        assert done.outcome == "completed" and done.text == "just words"

    async def test_attached_files_are_named_in_the_prompt(self, opened: Open) -> None:
        fish = await opened()
        model = script(fish, ['{"plan": "seen", "finish": true}'])
        await told(fish, "Read it", loop="strict", files=["report.pdf"])
        assert "report.pdf" in page_of(model.asked[0])


class TestAuto:
    async def test_says_what_it_chose_and_why(self, opened: Open, site: Practice) -> None:
        fish = await opened()
        script(fish, ["€48.90"])
        story = await told(fish, "What does the kettle cost?", loop="auto", tabs=[f"{site.url}/shop"])
        note = next(e for e in story if isinstance(e, events.Noted) and e.topic == "loop")
        assert note.details["loop"] == "chat" and "pages are open" in note.text

    async def test_asks_the_light_model_where_rules_do_not_decide(self, opened: Open) -> None:
        fish = await opened()
        script(fish, [said(way="research"), "Fine."])
        story = await told(fish, "hm, interesting", loop="auto")
        assert next(e for e in story if isinstance(e, events.Noted)).details["loop"] == "react"

    async def test_one_conversation_moves_between_loops_and_keeps_its_history(
        self, opened: Open, site: Practice
    ) -> None:
        fish = await opened()
        model = script(
            fish,
            [
                "It costs €48.90.",
                said(kind="simple"),
                lambda r: Reply(calls=(Call(id="c", tool="click", args={"id": id_of(page_of(r), "Tide kettle")}),)),
                said(complete=True, evidence="Tide kettle", answer="Opened the kettle."),
                "You opened the kettle, which costs €48.90.",
            ],
        )
        conversation = await turn(fish, "What does the kettle cost?", "chat", "", [f"{site.url}/shop"])
        await turn(fish, "Open it", "horizon", conversation, [])
        await turn(fish, "What did I do?", "react", conversation, [])
        heard = [m.text for m in model.asked[-1].messages if m.role != "system"]
        assert heard == [
            "What does the kettle cost?",
            "It costs €48.90.",
            "Open it",
            "Opened the kettle.",
            "What did I do?",
        ]


async def turn(fish: Pilotfish, task: str, loop: str, conversation: str, tabs: list[str]) -> str:
    record = await fish.start(task, loop=loop, conversation=conversation, tabs=tabs)
    story = [e async for e in fish.follow(record.id)]
    assert end(story).outcome == "completed", end(story)
    return record.conversation

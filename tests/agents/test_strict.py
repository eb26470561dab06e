"""Reason, act, observe: in that order, whatever the model says and whatever the person does in between."""

import asyncio

import pytest

from agents.scene import carted, end, id_of, modest, page_of, said
from fish import Open, script, told
from pilotfish.core import events
from pilotfish.core.messages import Call, Reply, Request
from pilotfish.interfaces.contract import Teller
from pilotfish.llm.base import Hear
from pilotfish.llm.scripted import Scripted
from pilotfish.practice.server import Practice

pytestmark = [pytest.mark.anyio]
REASON = 'I will look. {"plan": "look at the clock", "tools_to_consider": ["get_current_time"], "finish": false}'
SEEN = 'Good. ```json\n{"observation": "noon", "should_continue": false, "final_answer": "It is noon."}\n```'
CLOCK = Reply(calls=(Call(id="1", tool="get_current_time"),))
ASK = Reply(calls=(Call(id="1", tool="request_input", args={"question": "Which?"}),))


def order(story: list[events.Live]) -> list[str]:
    """The story as the contract tells it: what happened to the agent and its tools, in order."""
    teller = Teller("run", shown=True)
    told = (message for event in story for message in teller.tell(event))
    kinds = ("agent_update", "tool_start", "tool_complete", "tool_error", "response_complete")
    return [m.get("update_type", m["type"]).removeprefix("agent_") for m in told if m["type"] in kinds]


async def test_three_phases_in_order_every_step(opened: Open) -> None:
    fish = await opened()
    model = script(fish, [REASON, CLOCK, "malformed {", REASON, CLOCK, SEEN])
    story = await told(fish, "What time is it?", loop="strict")
    assert end(story).text == "It is noon."
    step = ["turn_start", "reason", "tool_start", "tool_complete", "observe"]
    assert order(story) == ["start", *step, *step, "completion", "response_complete"]
    assert [bool(request.tools) for request in model.asked] == [False, True, False] * 2
    assert "Step 1: malformed {" in page_of(model.asked[3]), "what was learnt goes into the next step"


@pytest.mark.parametrize("block", ["{}", '{"plan": 3', "```json\nnot json\n```", '{"finish": "maybe"}', ""])
async def test_a_malformed_block_is_free_text_and_the_loop_goes_on(opened: Open, block: str) -> None:
    fish = await opened()
    script(fish, [f"I think. {block}", CLOCK, f"I saw. {block}", REASON, CLOCK, SEEN])
    story = await told(fish, "What time is it?", loop="strict")
    assert end(story).text == "It is noon."
    assert order(story).count("turn_start") == 2


async def test_with_no_tools_act_does_nothing(opened: Open) -> None:
    fish = await opened()
    model = script(fish, [REASON, SEEN])
    assert end(await told(fish, "Time?", loop="strict", tools=[])).text == "It is noon."
    assert not any(r.tools for r in model.asked)


class Halting(Scripted):
    """Says its lines, and then thinks for as long as it is let."""

    async def reply(self, request: Request, hear: Hear | None = None) -> Reply:
        if len(self.asked) == len(self._replies):
            await asyncio.Event().wait()
        return await super().reply(request, hear)


@pytest.mark.parametrize(
    ("at", "lines", "told_until"),
    [
        ("reason", 1, ["start", "turn_start", "reason"]),
        ("get_current_time", 2, ["start", "turn_start", "reason", "tool_start", "tool_complete"]),
        ("observe", 3, ["start", "turn_start", "reason", *["tool_start", "tool_complete"] * 2, "observe"]),
    ],
)
async def test_stop_is_heeded_after_each_phase_and_each_tool(
    opened: Open, at: str, lines: int, told_until: list[str]
) -> None:
    fish = await opened()
    twice = Reply(calls=(Call(id="1", tool="get_current_time"), Call(id="2", tool="get_current_time")))
    fish.minds.pretend("scripted", Halting([REASON, twice, "going on"][:lines]))
    record = await fish.start("What time is it?", loop="strict")
    story: list[events.Live] = []
    async for event in fish.follow(record.id):
        story.append(event)
        phase = event.phase if isinstance(event, events.Reasoned) else ""
        tool = event.tool if isinstance(event, events.ToolFinished) else ""
        if at in (phase, tool) and not fish.driver.controls[record.id].stopping.is_set():
            await fish.command(record.id, "stop")
    assert end(story).outcome == "stopped"
    assert order(story)[: len(told_until)] == told_until
    assert order(story)[-3:] == ["stopped", "completion", "response_complete"]
    assert len(order(story)) <= len(told_until) + 5, "at most the step under way is still told"


async def test_a_question_that_nobody_answers_stops_the_run(opened: Open) -> None:
    fish = await opened()
    script(fish, [REASON, ASK])
    story = await told(fish, "Do it", loop="strict", input_timeout=0.2)
    assert end(story).outcome == "stopped"
    asked = ["start", "turn_start", "reason", "tool_start", "request_input", "request_input_timeout", "tool_error"]
    assert order(story) == [*asked, "stopped", "completion", "response_complete"]
    assert any(isinstance(e, events.Noted) and "Nobody answered" in e.text for e in story)


async def test_an_answer_joins_the_conversation_before_observe(opened: Open) -> None:
    fish = await opened()
    model = script(fish, [REASON, ASK, SEEN])
    record = await fish.start("Do it", loop="strict")
    async for event in fish.follow(record.id):
        if isinstance(event, events.InputRequested):
            await fish.command(record.id, "answer", request=event.request, text="the red one")
    assert any(m.text == "the red one" for m in model.asked[2].messages)


async def test_steps_are_limited_and_it_says_so(opened: Open) -> None:
    fish = await opened()
    script(fish, [REASON, "no tool", "just words"] * 2)
    done = end(await told(fish, "Do it", loop="strict", max_steps=2))
    assert done.outcome == "completed" and "2 steps are used up" in done.text and "just words" in done.text


async def test_attached_files_are_named_in_the_prompt(opened: Open) -> None:
    fish = await opened()
    model = script(fish, ['{"plan": "seen", "finish": true}'])
    assert end(await told(fish, "Read it", loop="strict", files=["report.pdf"])).text == "seen"
    assert "Attached files:\n- report.pdf" in page_of(model.asked[0])


@pytest.mark.slow
async def test_a_small_model_gets_the_tools_it_considers_and_sees_what_came(opened: Open, site: Practice) -> None:
    fish = await opened()

    def click(request: object) -> str:
        page = page_of(request)  # pyright: ignore[reportArgumentType]
        return said(thought="buy", call={"tool": "click", "inputs": {"id": id_of(page, "Add to cart")}})

    model = modest(fish, ['{"plan": "add it", "tools_to_consider": ["wait_for", "click"]}', click, SEEN])
    kettle = site.address("/shop/product/tide-kettle", "s1")
    assert end(await told(fish, "Add it", loop="strict", tabs=[kettle])).text == "It is noon."
    assert carted(site, "s1") == 1
    ways = (model.asked[1].shape or {})["properties"]["call"]["anyOf"]
    names = [way["properties"]["tool"]["const"] for way in ways]
    assert names[:2] == ["wait_for", "click"] and len(names) == 11
    assert "The page now:" in page_of(model.asked[2]) and "Cart (1)" in page_of(model.asked[2])

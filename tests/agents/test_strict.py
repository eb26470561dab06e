"""Reason, act, observe: in that order, whatever the model says and whatever the person does in between."""

import pytest

from agents.scene import Halting, as_json, cart_count, end, id_of, modest, page_of
from pilotfish.core import events
from pilotfish.core.messages import ModelReply, ToolCall
from pilotfish.interfaces.websocket.contract import ContractTranslator
from pilotfish.practice.server import Practice
from scripted_app import Open, events_of, script

pytestmark = [pytest.mark.anyio]
REASON = 'I will look. {"plan": "look at the clock", "tools_to_consider": ["get_current_time"], "finish": false}'
SEEN = 'Good. ```json\n{"observation": "noon", "should_continue": false, "final_answer": "It is noon."}\n```'
CLOCK = ModelReply(calls=(ToolCall(id="1", tool="get_current_time"),))
ASK = ModelReply(calls=(ToolCall(id="1", tool="request_input", args={"question": "Which?"}),))


def order(story: list[events.StreamItem]) -> list[str]:
    """The story as the contract tells it: what happened to the agent and its tools, in order."""
    translator = ContractTranslator("run", shown=True)
    told = (message for event in story for message in translator.translate(event))
    kinds = ("agent_update", "tool_start", "tool_complete", "tool_error", "response_complete")
    return [m.get("update_type", m["type"]).removeprefix("agent_") for m in told if m["type"] in kinds]


async def test_three_phases_in_order_every_step(opened: Open) -> None:
    fish = await opened()
    model = script(fish, [REASON, CLOCK, "malformed {", REASON, CLOCK, SEEN])
    story = await events_of(fish, "What time is it?", loop="strict")
    assert end(story).text == "It is noon."
    step = ["turn_start", "reason", "tool_start", "tool_complete", "observe"]
    assert order(story) == ["start", *step, *step, "completion", "response_complete"]
    assert [bool(request.tools) for request in model.requests] == [False, True, False] * 2
    assert "Step 1: malformed {" in page_of(model.requests[3]), "what was learnt goes into the next step"


async def test_a_tool_that_a_plan_in_plain_words_names_is_offered(opened: Open) -> None:
    fish = await opened()
    model = script(fish, ["I will look.", CLOCK, "hm", "Let me read memory_retrieve, then wait_for.", CLOCK, SEEN])
    await events_of(fish, "What time is it?", loop="strict")
    first, named = ({tool.name for tool in model.requests[n].tools} for n in (1, 4))
    assert not {"memory_retrieve", "wait_for"} & first
    assert {"memory_retrieve", "wait_for"} <= named


@pytest.mark.parametrize("block", ["{}", '{"plan": 3', "```json\nnot json\n```", '{"finish": "maybe"}', ""])
async def test_a_malformed_block_is_free_text_and_the_loop_goes_on(opened: Open, block: str) -> None:
    fish = await opened()
    script(fish, [f"I think. {block}", CLOCK, f"I saw. {block}", REASON, CLOCK, SEEN])
    story = await events_of(fish, "What time is it?", loop="strict")
    assert end(story).text == "It is noon."
    assert order(story).count("turn_start") == 2


async def test_with_no_tools_act_does_nothing(opened: Open) -> None:
    fish = await opened()
    model = script(fish, [REASON, SEEN])
    assert end(await events_of(fish, "Time?", loop="strict", tools=[])).text == "It is noon."
    assert not any(r.tools for r in model.requests)


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
    twice = ModelReply(calls=(ToolCall(id="1", tool="get_current_time"), ToolCall(id="2", tool="get_current_time")))
    fish.models.set_default("scripted", Halting([REASON, twice, "going on"][:lines]))
    record = await fish.start("What time is it?", loop="strict")
    story: list[events.StreamItem] = []
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
    story = await events_of(fish, "Do it", loop="strict", input_timeout=0.2)
    assert end(story).outcome == "stopped"
    asked = ["start", "turn_start", "reason", "tool_start", "request_input", "request_input_timeout", "tool_error"]
    assert order(story) == [*asked, "stopped", "completion", "response_complete"]
    assert any(isinstance(e, events.Noted) and "Nobody answered" in e.text for e in story)
    assert "Nobody answered" in end(story).error and "Nobody answered" in end(story).text


async def test_an_answer_joins_the_conversation_before_observe(opened: Open) -> None:
    fish = await opened()
    model = script(fish, [REASON, ASK, SEEN])
    record = await fish.start("Do it", loop="strict")
    async for event in fish.follow(record.id):
        if isinstance(event, events.InputRequested):
            await fish.command(record.id, "answer", request=event.request, text="the red one")
    assert any(m.text == "the red one" for m in model.requests[2].messages)


async def test_steps_are_limited_and_it_says_so(opened: Open) -> None:
    fish = await opened()
    script(fish, [REASON, "no tool", "just words"] * 2)
    done = end(await events_of(fish, "Do it", loop="strict", max_steps=2))
    assert done.outcome == "failed" and "within 2 steps" in done.error and "just words" in done.text


async def test_attached_files_are_named_in_the_prompt(opened: Open) -> None:
    fish = await opened()
    model = script(fish, ['{"plan": "seen", "finish": true}'])
    assert end(await events_of(fish, "Read it", loop="strict", files=["report.pdf"])).text == "seen"
    assert "Attached files:\n- report.pdf" in page_of(model.requests[0])


@pytest.mark.slow
async def test_a_small_model_gets_the_tools_it_considers_and_sees_what_came(opened: Open, site: Practice) -> None:
    fish = await opened()

    def click(request: object) -> str:
        page = page_of(request)  # pyright: ignore[reportArgumentType]
        return as_json(thought="buy", call={"tool": "click", "inputs": {"id": id_of(page, "Add to cart")}})

    model = modest(fish, ['{"plan": "add it", "tools_to_consider": ["wait_for", "click"]}', click, SEEN])
    kettle = site.address("/shop/product/tide-kettle", "s1")
    assert end(await events_of(fish, "Add it", loop="strict", tabs=[kettle])).text == "It is noon."
    assert cart_count(site, "s1") == 1
    ways = (model.requests[1].shape or {})["properties"]["call"]["anyOf"]
    names = [way["properties"]["tool"]["const"] for way in ways]
    assert names[:2] == ["wait_for", "click"] and len(names) == 11
    assert "The page now:" in page_of(model.requests[2]) and "Cart (1)" in page_of(model.requests[2])

"""What a client of the contract gets to show of a strict run, and what one step hands to the next."""

from collections.abc import Iterator
from typing import Any

import pytest

from agents.scene import Halting, end, page_of
from pilotfish import tool
from pilotfish.core import events
from pilotfish.core.messages import ModelReply, ToolCall
from pilotfish.core.settings import AgentSettings
from pilotfish.interfaces.websocket.contract import ContractTranslator
from pilotfish.llm.scripted import FACTS, ScriptedModel
from pilotfish.tools.base import TOOLS, ToolContext, ToolResult
from scripted_app import Open, events_of, script

pytestmark = [pytest.mark.anyio]
REASON = 'I will look at the sky. {"plan": "look", "tools_to_consider": ["test_camera"], "finish": false}'
GOES_ON = 'One picture is there. ```json\n{"observation": "a picture", "should_continue": true}\n```'
SEEN = '{"observation": "blue", "should_continue": false, "final_answer": "The sky is blue."}'
LOOK = ModelReply(calls=(ToolCall(id="1", tool="test_camera", args={"what": "the sky"}),))
TWICE = ModelReply(calls=(*LOOK.calls, ToolCall(id="2", tool="test_camera", args={"what": "the sea"})))
LONG = "blue " * 400


@pytest.fixture(autouse=True)
def camera() -> Iterator[None]:
    @tool(name="test_camera")
    async def camera(ctx: ToolContext, what: str) -> ToolResult:
        """Take a picture."""
        (ctx.folder / "sky.png").write_bytes(b"png")
        return ToolResult(output=f"{what} is {LONG}", text="took a picture", files=("sky.png",))

    yield
    TOOLS._things.pop(camera.name)


def messages_of(story: list[events.StreamItem], shown: bool = False) -> list[dict[str, Any]]:
    translator = ContractTranslator("run", shown=shown)
    return [message for event in story for message in translator.translate(event)]


def of_kind(told: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [message for message in told if kind in (message["type"], message.get("update_type"))]


async def test_a_client_gets_the_text_of_each_phase_and_the_output_of_each_tool(opened: Open) -> None:
    fish = await opened([REASON, LOOK, GOES_ON, REASON, LOOK, SEEN])
    told = messages_of(await events_of(fish, "What colour is the sky?", loop="strict"))
    assert [m["content"] for m in of_kind(told, "agent_reason")] == ["I will look at the sky."] * 2
    assert [m["content"] for m in of_kind(told, "agent_observe")] == ["One picture is there.", "blue"]
    done = of_kind(told, "tool_complete")[0]
    assert done["result"].startswith("the sky is blue") and len(done["result"]) > 1500
    assert done["summary"] == "took a picture"


async def test_the_text_of_the_phases_can_be_switched_off(opened: Open) -> None:
    fish = await opened([REASON, LOOK, SEEN], agent=AgentSettings(phases_visible=False))
    told = messages_of(await events_of(fish, "What colour is the sky?", loop="strict"))
    assert [m["content"] for m in (*of_kind(told, "agent_reason"), *of_kind(told, "agent_observe"))] == ["", ""]


@pytest.mark.parametrize(("lines", "steps"), [([REASON, TWICE, GOES_ON] * 2, 2), ([REASON, "no tool", "hm"] * 2, 2)])
async def test_steps_are_counted_as_steps_and_their_limit_is_told(opened: Open, lines: list[Any], steps: int) -> None:
    fish = await opened([*lines, REASON, LOOK, SEEN][: len(lines) + 3])
    told = messages_of(await events_of(fish, "What colour is the sky?", loop="strict", max_steps=steps))
    assert [m["max_steps"] for m in (*of_kind(told, "agent_start"), *of_kind(told, "agent_turn_start"))] == [2, 2, 2]
    completion = of_kind(told, "agent_completion")[0]
    assert (completion["steps"], completion["outcome"]) == (steps, "failed")
    assert of_kind(told, "response_complete")[0]["content"].startswith("The task was not finished within 2 steps.")


async def test_the_usual_limit_is_told_too(opened: Open) -> None:
    fish = await opened(['{"plan": "Blue.", "finish": true}'])
    told = messages_of(await events_of(fish, "What colour is the sky?", loop="strict"))
    assert of_kind(told, "agent_start")[0]["max_steps"] == 20


async def test_results_pictures_and_files_of_a_step_reach_the_next_reason(opened: Open) -> None:
    fish = await opened()
    model = ScriptedModel(
        [REASON, LOOK, GOES_ON, REASON, "enough", SEEN], facts=FACTS.model_copy(update={"vision": True})
    )
    fish.models.set_default("scripted", model)
    await events_of(fish, "What colour is the sky?", loop="strict")
    observe, reason = model.requests[2], model.requests[3]
    assert "test_camera: the sky is blue" in page_of(reason) and "Step 1: a picture" in page_of(reason)
    assert "Files that tools made:\n- sky.png (by test_camera)" in page_of(reason)
    assert all(len(request.messages[-1].images) == 1 for request in (observe, reason))
    assert not model.requests[5].messages[-1].images, "a picture is shown until the next step has results"


async def test_after_stop_a_new_message_knows_what_was_done(opened: Open) -> None:
    fish = await opened()
    fish.models.set_default("scripted", Halting([REASON, LOOK]))
    record = await fish.start("What colour is the sky?", loop="strict")
    async for event in fish.follow(record.id):
        if isinstance(event, events.ToolFinished):
            await fish.command(record.id, "stop")
    model = script(fish, ['{"plan": "It was blue.", "finish": true}'])
    story = await events_of(fish, "And then?", loop="strict", conversation=record.conversation)
    assert end(story).text == "It was blue."
    assert any("took a picture" in message.text for message in model.requests[0].messages[:-1])

"""AG-UI events, read back with the protocol's own types."""

import json
from pathlib import Path
from typing import Any

from ag_ui.core import Event, ResumeEntry, RunAgentInput, UserMessage
from pydantic import TypeAdapter

from .running_server import RunningServer

EVENT: TypeAdapter[Any] = TypeAdapter(Event)


def input_for(loop: str, text: str = "Go", thread: str = "t", resume: list[ResumeEntry] | None = None) -> str:
    return RunAgentInput(
        thread_id=thread, run_id="r", state={}, messages=[UserMessage(id="1", content=text)], tools=[], context=[],
        forwarded_props={"loop": loop}, resume=resume,
    ).model_dump_json(by_alias=True, exclude_none=True)  # fmt: skip


async def post(running: RunningServer, body: str) -> list[Any]:
    async with running.client() as client:
        answer = await client.post("/agui", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 200, answer.text
    lines = [line.removeprefix("data: ") for line in answer.text.splitlines() if line.startswith("data: ")]
    return [EVENT.validate_json(line) for line in lines]


async def test_a_run_is_told_in_events_that_front_ends_know(running: RunningServer) -> None:
    events = await post(running, input_for("test-phases"))
    kinds = [event.type.value for event in events if event.type.value != "CUSTOM"]
    assert kinds == [
        "RUN_STARTED", "STATE_SNAPSHOT", "STATE_SNAPSHOT", "STEP_STARTED",
        "TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END", "TOOL_CALL_RESULT",
        "TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END", "STEP_FINISHED", "RUN_FINISHED",
    ]  # fmt: skip
    assert "".join(event.delta for event in events if event.type.value == "TEXT_MESSAGE_CONTENT") == "Done."


async def test_words_come_once_though_they_were_streamed(running: RunningServer) -> None:
    events = await post(running, input_for("test-echo", "Say fish"))
    assert "".join(event.delta for event in events if event.type.value == "TEXT_MESSAGE_CONTENT") == "Say fish"


async def test_what_is_no_input_is_refused(running: RunningServer) -> None:
    async with running.client() as client:
        answer = await client.post("/agui", content=b"{}")
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid")


async def test_thinking_is_told_as_reasoning_where_the_settings_show_it(running: RunningServer) -> None:
    await running.fish.settings_store.change("agent.reasoning_visible", True, "test")
    try:
        await running.fish.refresh()
        events = await post(running, input_for("test-phases", thread="thinking"))
    finally:
        await running.fish.settings_store.change("agent.reasoning_visible", None, "test")
        await running.fish.refresh()
    thought = [event.delta for event in events if event.type.value == "REASONING_MESSAGE_CONTENT"]
    assert thought == ["I think.", "I see."]


def outcome(events: list[Any]) -> Any:
    assert events[-1].type.value == "RUN_FINISHED"
    return events[-1].outcome


def words(events: list[Any]) -> str:
    return "".join(event.delta for event in events if event.type.value == "TEXT_MESSAGE_CONTENT")


async def test_a_question_is_an_interrupt_that_the_next_request_resumes(running: RunningServer) -> None:
    interrupt = outcome(await post(running, input_for("test-approval", "Buy the barge", "barge"))).interrupts[0]
    assert (interrupt.reason, interrupt.message) == ("confirmation", "May I buy it?")
    assert interrupt.response_schema["enum"] == ["Approve once", "Deny"]
    entry = ResumeEntry(interrupt_id=interrupt.id, status="resolved", payload={"approved": True})
    events = await post(running, input_for("test-approval", "Buy the barge", "barge", [entry]))
    assert words(events) == "You said Approve once." and outcome(events).type == "success"
    assert len(await running.fish.runs(text="Buy the barge")) == 1


async def test_an_interrupt_that_is_cancelled_is_a_no_and_a_message_is_an_answer(running: RunningServer) -> None:
    interrupt = outcome(await post(running, input_for("test-approval", "Buy the canoe", "canoe"))).interrupts[0]
    entry = ResumeEntry(interrupt_id=interrupt.id, status="cancelled")
    assert words(await post(running, input_for("", "Buy the canoe", "canoe", [entry]))) == "You said Deny."
    await post(running, input_for("test-question", "Paint the canoe", "canoe"))
    assert words(await post(running, input_for("", "blue", "canoe"))) == "You said blue."
    first, second = [await running.fish.runs(text=f"{what} the canoe") for what in ("Buy", "Paint")]
    assert first[0].conversation == second[0].conversation, "a thread keeps its tabs"


async def test_a_message_to_a_thread_at_work_is_said_to_its_run_and_aborting_stops_it(
    running: RunningServer, tmp_path: Path
) -> None:
    script = tmp_path / "slow.json"
    script.write_text(json.dumps([{"text": "never heard", "delay": 60}]))
    await running.fish.settings_store.change("models.main", f"scripted:{script}", "test")
    head = {"content-type": "application/json"}
    try:
        async with running.client() as client:
            async with client.stream(
                "POST", "/agui", content=input_for("test-echo", "Row", "row"), headers=head
            ) as first:
                lines = first.aiter_lines()
                await anext(lines)
                [run] = await running.fish.runs(text="Row")
                await running.until(run.id, "model_asked")
                body = input_for("test-echo", "Row faster", "row")
                async with client.stream("POST", "/agui", content=body, headers=head) as second:
                    more = second.aiter_lines()
                    await anext(more)
                    assert [c.text for c in await running.fish.store.commands(run.id)] == ["Row faster"]
            assert (await running.until(run.id, "run_finished")).outcome == "stopped"
    finally:
        await running.fish.settings_store.change("models.main", None, "test")
    assert len(await running.fish.runs(text="Row")) == 1


async def test_a_picture_comes_with_the_answer(running: RunningServer) -> None:
    events = await post(running, input_for("test-drawing"))
    said = [event.delta for event in events if event.type.value == "TEXT_MESSAGE_CONTENT"]
    assert said == ["Here is your red circle.", "![picture.png](data:image/png;base64,cmVk)"]
    assert events[-1].type.value == "RUN_FINISHED"

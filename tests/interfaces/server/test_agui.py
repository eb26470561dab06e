"""AG-UI events, read back with the protocol's own types."""

from typing import Any

from ag_ui.core import Event, RunAgentInput, UserMessage
from pydantic import TypeAdapter

from .house import House

EVENT: TypeAdapter[Any] = TypeAdapter(Event)


def asked(loop: str, text: str = "Go") -> str:
    return RunAgentInput(
        thread_id="t", run_id="r", state={}, messages=[UserMessage(id="1", content=text)], tools=[], context=[],
        forwarded_props={"loop": loop},
    ).model_dump_json(by_alias=True)  # fmt: skip


async def heard(house: House, body: str) -> list[Any]:
    async with house.client() as client:
        answer = await client.post("/agui", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 200, answer.text
    lines = [line.removeprefix("data: ") for line in answer.text.splitlines() if line.startswith("data: ")]
    return [EVENT.validate_json(line) for line in lines]


async def test_a_run_is_told_in_events_that_front_ends_know(house: House) -> None:
    events = await heard(house, asked("test-phases"))
    kinds = [event.type.value for event in events if event.type.value != "CUSTOM"]
    assert kinds == [
        "RUN_STARTED", "TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END", "TOOL_CALL_RESULT",
        "TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END", "RUN_FINISHED",
    ]  # fmt: skip
    assert "".join(event.delta for event in events if event.type.value == "TEXT_MESSAGE_CONTENT") == "Done."


async def test_words_come_once_though_they_were_streamed(house: House) -> None:
    events = await heard(house, asked("test-echo", "Say fish"))
    assert "".join(event.delta for event in events if event.type.value == "TEXT_MESSAGE_CONTENT") == "Say fish"


async def test_what_is_no_input_is_refused(house: House) -> None:
    async with house.client() as client:
        answer = await client.post("/agui", content=b"{}")
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid")

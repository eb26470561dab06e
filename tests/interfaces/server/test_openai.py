"""The official client against our chat completions."""

import base64
import json
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest
from openai import AsyncOpenAI, AuthenticationError, BadRequestError, InternalServerError, NotFoundError

from .house import House

PIXEL = base64.b64encode(bytes.fromhex("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489")).decode()


@pytest.fixture
async def client(house: House) -> AsyncGenerator[AsyncOpenAI]:
    async with AsyncOpenAI(base_url=f"{house.url}/v1", api_key=house.token, max_retries=0, timeout=30) as made:
        yield made


def user(text: Any) -> Any:
    return [{"role": "user", "content": text}]


async def test_each_loop_is_a_model(client: AsyncOpenAI) -> None:
    names = [model.id async for model in client.models.list()]
    assert {"pilotfish", "pilotfish-test-echo", "pilotfish-chat"} <= set(names)


async def test_an_answer_comes_whole_with_its_usage(client: AsyncOpenAI) -> None:
    answer = await client.chat.completions.create(model="pilotfish-test-echo", messages=user("Say fish"))
    assert answer.choices[0].message.content == "Say fish"
    assert answer.choices[0].finish_reason == "stop"
    assert answer.usage is not None
    assert answer.usage.completion_tokens > 0


async def test_an_answer_comes_in_pieces_with_what_was_done_as_reasoning(client: AsyncOpenAI) -> None:
    said, thought, usage = "", "", None
    stream = await client.chat.completions.create(
        model="pilotfish-test-phases", messages=user("Go"), stream=True, stream_options={"include_usage": True}
    )
    async for chunk in stream:
        for choice in chunk.choices:
            said += choice.delta.content or ""
            thought += getattr(choice.delta, "reasoning_content", None) or ""
        usage = chunk.usage or usage
    assert said == "Done."
    assert "Making a plan." in thought
    assert usage is not None


async def test_what_was_said_before_is_heard_and_pictures_come_along(house: House, client: AsyncOpenAI) -> None:
    parts = [
        {"type": "text", "text": "What is this?"},
        {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PIXEL}"}},
    ]
    messages: Any = [
        {"role": "system", "content": "Be brief."},
        *user("Hello"),
        {"role": "assistant", "content": "Hi."},
    ]
    await client.chat.completions.create(model="pilotfish-test-echo", messages=[*messages, *user(parts)])
    run = (await house.fish.runs(text="What is this?"))[0]
    kept = json.loads(await house.fish.store.get("said", run.id) or b"[]")
    assert [one["role"] for one in kept] == ["system", "user", "assistant", "user"]
    assert kept[-1]["images"][0]["media"] == "image/png"


async def test_a_question_ends_the_answer_and_the_run(house: House, client: AsyncOpenAI) -> None:
    answer = await client.chat.completions.create(model="pilotfish-test-question", messages=user("Paint the boat"))
    assert answer.choices[0].message.content == "Which colour?\n- red\n- blue"
    run = (await house.fish.runs(text="Paint the boat"))[0]
    assert (await house.until(run.id, "run_finished")).outcome == "stopped"


async def test_a_client_that_leaves_stops_its_run(house: House, client: AsyncOpenAI, tmp_path: Path) -> None:
    script = tmp_path / "slow.json"
    script.write_text(json.dumps([{"text": "never heard", "delay": 60}]))
    await house.fish.dials.change("models.main", f"scripted:{script}", "test")
    try:
        stream = await client.chat.completions.create(
            model="pilotfish-test-echo", messages=user("Take long"), stream=True
        )
        await anext(aiter(stream))
        await stream.close()
        run = (await house.fish.runs(text="Take long"))[0]
        assert (await house.until(run.id, "run_finished")).outcome == "stopped"
    finally:
        await house.fish.dials.change("models.main", None, "test")


async def test_errors_have_the_shape_that_the_client_knows(house: House, client: AsyncOpenAI) -> None:
    with pytest.raises(NotFoundError, match="no model"):
        await client.chat.completions.create(model="gpt-9", messages=user("x"))
    with pytest.raises(BadRequestError, match="data:") as caught:
        picture = [{"type": "image_url", "image_url": {"url": "http://127.0.0.1/x.png"}}]
        await client.chat.completions.create(model="pilotfish", messages=user(picture))
    assert caught.value.code == "bad_request"
    async with AsyncOpenAI(base_url=f"{house.url}/v1", api_key="wrong", max_retries=0) as stranger:
        with pytest.raises(AuthenticationError):
            await stranger.models.list()


async def test_a_run_that_fails_is_an_error_with_its_reason(house: House, client: AsyncOpenAI) -> None:
    await house.fish.dials.change("models.main", "scripted:/nowhere.json", "test")
    try:
        with pytest.raises(InternalServerError, match="cannot be read"):
            await client.chat.completions.create(model="pilotfish-test-echo", messages=user("x"))
    finally:
        await house.fish.dials.change("models.main", None, "test")

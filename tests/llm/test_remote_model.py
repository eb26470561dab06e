import asyncio
import base64
import json
import time
from pathlib import Path

import pytest
from pydantic import BaseModel, SecretStr

from llm.fake_provider import ANSWER, Wire
from pilotfish.core.errors import ModelError
from pilotfish.core.messages import Image, Message, ModelReply, ModelRequest, ToolCall, ToolSpec
from pilotfish.core.settings import ModelSettings
from pilotfish.llm.base import Model
from pilotfish.llm.providers import connect_model
from pilotfish.llm.structured import ask_for_shape

PIXEL = base64.b64encode(b"\x89PNG not really a picture")
QUESTION = ModelRequest(
    messages=(Message(role="system", text="Be brief."), Message(role="user", text="Capital of France?"))
)
CLICK = ToolSpec(
    name="click",
    description="Click an element.",
    parameters={"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]},
)


class Place(BaseModel):
    city: str


async def to(wire: Wire, model: str) -> Model:
    settings = ModelSettings(base_url=f"{wire.url}/v1", api_key=SecretStr("k"), timeout=5)
    return await connect_model(f"openai-compatible:{model}", settings, Path())


async def once(wire: Wire, model: str, request: ModelRequest = QUESTION) -> ModelReply:
    target = await to(wire, model)
    try:
        return await target.reply(request)
    finally:
        await target.close()


async def test_a_reply_is_heard_piece_by_piece_and_comes_whole_with_the_usage_the_provider_told(wire: Wire) -> None:
    model = await to(wire, "gpt-4o")
    pieces: list[str] = []
    reply = await model.reply(QUESTION, lambda text, kind: pieces.append(text) if kind == "content" else None)
    await model.close()
    assert pieces == ANSWER
    assert reply.text == "Paris it is."
    assert reply.model == "openai-compatible:gpt-4o"
    assert (reply.usage.input, reply.usage.output, reply.usage.cached) == (1000, 50, 200)
    assert reply.usage.priced
    assert reply.usage.cost > 0
    assert not reply.usage.estimated


async def test_a_model_nobody_has_a_price_for_is_not_free(wire: Wire) -> None:
    reply = await once(wire, "homemade")
    assert not reply.usage.priced


async def test_usage_is_estimated_where_the_provider_says_nothing(wire: Wire) -> None:
    reply = await once(wire, "silent")
    assert reply.usage.estimated
    assert reply.usage.input > 0
    assert reply.usage.output > 0


async def test_thinking_is_kept_apart_from_the_answer(wire: Wire) -> None:
    model = await to(wire, "thinker")
    heard: list[tuple[str, str]] = []
    reply = await model.reply(QUESTION, lambda text, kind: heard.append((kind, text)))
    await model.close()
    assert reply.text == "Paris"
    assert reply.reasoning == "Hm."
    assert ("reasoning", "Hm.") in heard


async def test_an_answer_that_hit_the_limit_says_that_it_was_cut(wire: Wire) -> None:
    assert (await once(wire, "cut")).cut


async def test_tools_are_offered_and_their_calls_and_results_understood(wire: Wire) -> None:
    request = QUESTION.model_copy(update={"tools": (CLICK,)})
    reply = await once(wire, "gpt-4o", request)
    assert reply.calls == (ToolCall(id="t1", tool="click", args={"id": 3}),)
    said = Message(role="assistant", calls=reply.calls)
    done = Message(role="tool", text="clicked", call="t1", tool="click")
    after = await once(wire, "gpt-4o", request.model_copy(update={"messages": (*request.messages, said, done)}))
    assert after.text == "Paris it is."
    sent = wire.asked[-1]["messages"]
    assert sent[-1] == {"role": "tool", "tool_call_id": "t1", "content": "clicked"}
    assert sent[-2]["tool_calls"][0]["function"] == {"name": "click", "arguments": '{"id":3}'}


async def test_pictures_are_sent_as_bytes_to_a_model_that_sees(wire: Wire) -> None:
    look = Message(role="user", text="What is this?", images=(Image(data=PIXEL),))
    await once(wire, "gpt-4o", ModelRequest(messages=(look,)))
    content = wire.asked[-1]["messages"][-1]["content"]
    assert content[1]["image_url"]["url"] == "data:image/png;base64," + PIXEL.decode()


async def test_a_model_that_cannot_see_is_told_that_there_was_a_picture(wire: Wire) -> None:
    look = Message(role="user", text="What is this?", images=(Image(data=PIXEL),))
    await once(wire, "homemade", ModelRequest(messages=(look,)))
    sent = json.dumps(wire.asked[-1])
    assert "cannot see" in sent
    assert PIXEL.decode() not in sent


async def test_a_shape_goes_as_a_schema_where_the_model_has_that(wire: Wire) -> None:
    model = await to(wire, "gpt-4o")
    place, reply = await ask_for_shape(model, QUESTION, Place)
    await model.close()
    assert place == Place(city="Paris")
    assert reply.usage.input == 1000
    assert wire.asked[-1]["response_format"]["type"] == "json_schema"


async def test_a_shape_is_told_in_words_where_the_model_has_no_schema_mode(wire: Wire) -> None:
    await once(wire, "homemade", QUESTION.model_copy(update={"shape": Place.model_json_schema()}))
    assert "response_format" not in wire.asked[-1]
    assert "JSON schema" in wire.asked[-1]["messages"][-1]["content"]


@pytest.mark.parametrize(
    ("status", "transient", "words"),
    [
        (401, False, "key"),
        (403, False, "key"),
        (404, False, "no model"),
        (429, True, "too many"),
        (500, True, "just now"),
        (503, True, "just now"),
    ],
)
async def test_a_refusal_says_who_must_act(wire: Wire, status: int, transient: bool, words: str) -> None:
    with pytest.raises(ModelError) as caught:
        await once(wire, f"status-{status}")
    assert caught.value.transient is transient
    assert words in caught.value.message
    assert caught.value.fix
    assert len(wire.asked) == 1


async def test_an_address_where_nobody_listens_is_a_passing_error_with_a_way_out() -> None:
    model = await connect_model(
        "openai-compatible:x", ModelSettings(base_url="http://127.0.0.1:9/v1", timeout=2), Path()
    )
    with pytest.raises(ModelError, match="cannot be reached") as caught:
        await model.reply(QUESTION)
    await model.close()
    assert caught.value.transient


async def test_a_stream_that_breaks_off_is_a_passing_error(wire: Wire) -> None:
    with pytest.raises(ModelError) as caught:
        await once(wire, "torn")
    assert caught.value.transient


async def test_cancelling_ends_the_request_at_once_and_the_server_sees_it(wire: Wire) -> None:
    model = await to(wire, "slow")
    task = asyncio.create_task(model.reply(QUESTION))
    await asyncio.wait_for(wire.started.wait(), 10)
    began = time.monotonic()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert time.monotonic() - began < 3
    await asyncio.wait_for(wire.left.wait(), 5)
    await model.close()


async def test_anthropic_is_spoken_to_in_its_own_tongue(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", wire.url)
    model = await connect_model("anthropic:claude-sonnet-5-5", ModelSettings(timeout=5), Path())
    pieces: list[str] = []
    reply = await model.reply(QUESTION, lambda text, kind: pieces.append(text))
    await model.close()
    assert pieces == ANSWER
    assert reply.usage.output == 7
    assert reply.usage.cached == 100
    assert reply.usage.cost > 0
    assert "Be brief." in json.dumps(wire.asked[-1]["system"])


async def test_anthropic_caches_up_to_what_the_next_request_repeats(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", wire.url)
    model = await connect_model("anthropic:claude-sonnet-5-5", ModelSettings(timeout=5), Path())
    history, page = Message(role="user", text="1. clicked", stable=True), Message(role="user", text="the page")
    await model.reply(ModelRequest(messages=(Message(role="system", text="Rules."), history, page)))
    await model.close()
    [blocks] = [message["content"] for message in wire.asked[-1]["messages"]]
    assert [(block["text"], "cache_control" in block) for block in blocks] == [
        ("1. clicked", True),
        ("the page", False),
    ]
    assert "cache_control" in wire.asked[-1]["system"][-1] and "cache_control" not in wire.asked[-1]

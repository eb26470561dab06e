"""What every model must do, whoever serves it."""

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from pathlib import Path

import pytest
from pydantic import BaseModel, SecretStr

from llm.fake_provider import serve_provider
from llm.smol import NAME, find_shared_folder
from pilotfish.core.messages import Message, ModelFacts, ModelRequest
from pilotfish.core.settings import ModelSettings
from pilotfish.llm.base import Model
from pilotfish.llm.catalog import SHARED_FOLDER_VARIABLE
from pilotfish.llm.providers import connect_model
from pilotfish.llm.resilient import ResilientModel
from pilotfish.llm.scripted import ScriptedModel
from pilotfish.llm.structured import ask_for_shape


class Place(BaseModel):
    city: str


QUESTION = ModelRequest(
    messages=(Message(role="system", text="Be brief."), Message(role="user", text="Hi")), max_tokens=24
)
SHAPED = QUESTION.model_copy(update={"shape": Place.model_json_schema()})

Maker = Callable[[Path, str], Awaitable[Model]]


async def make_scripted(place: Path, url: str) -> Model:
    return ScriptedModel([lambda request: '{"city": "Paris"}' if request.shape else "Hello to you."] * 9)


async def script(place: Path, url: str) -> Model:
    path = place / "script.json"
    path.write_text(json.dumps([{"text": '{"city": "Paris"}'}]))
    return await connect_model(f"scripted:{path}", ModelSettings(), place)


async def compatible(place: Path, url: str) -> Model:
    settings = ModelSettings(base_url=f"{url}/v1", api_key=SecretStr("k"))
    return await connect_model("openai-compatible:gpt-4o", settings, place)


async def ollama(place: Path, url: str) -> Model:
    return await connect_model("ollama:qwen3:8b", ModelSettings(ollama_url=url), place)


async def resilient(place: Path, url: str) -> Model:
    return ResilientModel(await compatible(place, url), await make_scripted(place, url))


async def make_embedded(place: Path, url: str) -> Model:
    return await connect_model(f"embedded:{NAME}", ModelSettings(), place)


@pytest.fixture(
    params=[make_scripted, script, compatible, ollama, resilient, pytest.param(make_embedded, marks=pytest.mark.slow)]
)
async def model(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncGenerator[Model, None]:
    make: Maker = request.param
    if make is make_embedded:
        monkeypatch.setenv(SHARED_FOLDER_VARIABLE, str(await asyncio.to_thread(find_shared_folder)))
    async with serve_provider() as wire:
        model = await make(tmp_path, wire.url)
        yield model
        await model.close()


async def test_it_has_a_name_and_facts(model: Model) -> None:
    assert model.name
    assert isinstance(model.facts, ModelFacts)
    assert model.facts.window >= 4096


async def test_the_reply_is_what_was_heard_and_says_who_gave_it_and_what_it_used(model: Model) -> None:
    pieces: list[str] = []
    reply = await model.reply(QUESTION, lambda text, kind: pieces.append(text) if kind == "content" else None)
    assert "".join(pieces) == reply.text != ""
    assert reply.model == model.name
    assert reply.usage.input > 0
    assert reply.usage.output > 0


async def test_the_reply_is_whole_where_nobody_listens(model: Model) -> None:
    assert (await model.reply(QUESTION)).text


async def test_a_shape_is_kept(model: Model) -> None:
    assert Place.model_validate_json((await model.reply(SHAPED)).text)
    place, reply = await ask_for_shape(model, QUESTION, Place)
    assert isinstance(place, Place)
    assert reply.usage.tokens > 0


async def test_warming_changes_no_answer_and_never_fails(model: Model) -> None:
    await model.warm(QUESTION.messages[:1])
    await model.warm(())
    assert (await model.reply(QUESTION)).text


async def test_several_may_ask_at_once(model: Model) -> None:
    replies = await asyncio.gather(*(model.reply(QUESTION) for _ in range(3)))
    assert all(reply.text for reply in replies)


async def test_a_cancelled_question_leaves_the_model_usable(model: Model) -> None:
    task = asyncio.create_task(model.reply(QUESTION))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (await model.reply(QUESTION)).text


async def test_it_may_be_closed_twice(model: Model) -> None:
    await model.close()
    await model.close()

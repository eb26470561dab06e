"""What every model must do, whoever serves it."""

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from pathlib import Path

import pytest
from pydantic import BaseModel, SecretStr

from llm.smol import NAME, shared
from llm.wire import running
from pilotfish.core.messages import Facts, Message, Request
from pilotfish.core.settings import Models
from pilotfish.llm.base import Model
from pilotfish.llm.catalog import SHARED
from pilotfish.llm.providers import connect
from pilotfish.llm.resilient import Resilient
from pilotfish.llm.scripted import Scripted
from pilotfish.llm.structured import ask


class Place(BaseModel):
    city: str


QUESTION = Request(messages=(Message(role="system", text="Be brief."), Message(role="user", text="Hi")), max_tokens=24)
SHAPED = QUESTION.model_copy(update={"shape": Place.model_json_schema()})

Maker = Callable[[Path, str], Awaitable[Model]]


async def scripted(place: Path, url: str) -> Model:
    return Scripted([lambda request: '{"city": "Paris"}' if request.shape else "Hello to you."] * 9)


async def script(place: Path, url: str) -> Model:
    path = place / "script.json"
    path.write_text(json.dumps([{"text": '{"city": "Paris"}'}]))
    return await connect(f"scripted:{path}", Models(), place)


async def compatible(place: Path, url: str) -> Model:
    settings = Models(base_url=f"{url}/v1", api_key=SecretStr("k"))
    return await connect("openai-compatible:gpt-4o", settings, place)


async def ollama(place: Path, url: str) -> Model:
    return await connect("ollama:qwen3:8b", Models(ollama_url=url), place)


async def resilient(place: Path, url: str) -> Model:
    return Resilient(await compatible(place, url), await scripted(place, url))


async def embedded(place: Path, url: str) -> Model:
    return await connect(f"embedded:{NAME}", Models(), place)


@pytest.fixture(
    params=[scripted, script, compatible, ollama, resilient, pytest.param(embedded, marks=pytest.mark.slow)]
)
async def model(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncGenerator[Model, None]:
    make: Maker = request.param
    if make is embedded:
        monkeypatch.setenv(SHARED, str(await asyncio.to_thread(shared)))
    async with running() as wire:
        model = await make(tmp_path, wire.url)
        yield model
        await model.close()


async def test_it_has_a_name_and_facts(model: Model) -> None:
    assert model.name
    assert isinstance(model.facts, Facts)
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
    place, reply = await ask(model, QUESTION, Place)
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

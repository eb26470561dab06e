import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import SecretStr

from llm.fake_provider import Wire
from pilotfish.core.errors import ModelError
from pilotfish.core.messages import Message, ModelReply, ModelRequest
from pilotfish.core.settings import ModelSettings
from pilotfish.llm.base import TextListener
from pilotfish.llm.providers import connect_model
from pilotfish.llm.resilient import ResilientModel
from pilotfish.llm.scripted import ScriptedModel

QUESTION = ModelRequest(messages=(Message(role="user", text="Well?"),))


def make_failure(*, transient: bool) -> Callable[[ModelRequest], ModelReply]:
    def fail(request: ModelRequest) -> ModelReply:
        raise ModelError("down", "wait", transient=transient)

    return fail


class Faltering(ScriptedModel):
    """Says one word and then fails."""

    async def reply(self, request: ModelRequest, on_text: TextListener | None = None) -> ModelReply:
        self.requests.append(request)
        if on_text:
            on_text("Well", "content")
        raise ModelError("torn", transient=True)


async def test_a_passing_error_is_tried_again(wire: Wire) -> None:
    settings = ModelSettings(base_url=f"{wire.url}/v1", api_key=SecretStr("k"))
    model = ResilientModel(await connect_model("openai-compatible:shaky-2", settings, Path()), wait=0.01)
    reply = await model.reply(QUESTION)
    await model.close()
    assert reply.text == "Paris it is."
    assert len(wire.asked) == 3


async def test_when_trying_again_does_not_help_the_fallback_answers_under_its_own_name() -> None:
    first = ScriptedModel([make_failure(transient=True)] * 3, name="first")
    model = ResilientModel(first, ScriptedModel(["Here."], name="second"), attempts=3, wait=0.01)
    reply = await model.reply(QUESTION)
    assert (reply.text, reply.model) == ("Here.", "second")
    assert len(first.requests) == 3
    assert model.name == "first"


async def test_an_error_that_only_a_person_can_mend_is_told_at_once() -> None:
    first = ScriptedModel([make_failure(transient=False)], name="first")
    second = ScriptedModel(["Here."])
    with pytest.raises(ModelError, match="down"):
        await ResilientModel(first, second, wait=0.01).reply(QUESTION)
    assert len(first.requests) == 1
    assert not second.requests


async def test_nothing_is_said_twice_to_someone_who_listens() -> None:
    first, second = Faltering([]), ScriptedModel(["Well then."])
    heard: list[str] = []
    with pytest.raises(ModelError, match="torn"):
        await ResilientModel(first, second, wait=0.01).reply(QUESTION, lambda text, kind: heard.append(text))
    assert heard == ["Well"]
    assert len(first.requests) == 1
    assert not second.requests


async def test_where_nobody_listens_a_torn_answer_is_simply_asked_for_again() -> None:
    first, second = Faltering([]), ScriptedModel(["Well then."], name="second")
    reply = await ResilientModel(first, second, attempts=2, wait=0.01).reply(QUESTION)
    assert reply.model == "second"
    assert len(first.requests) == 2


async def test_stopping_does_not_wait_for_the_next_try() -> None:
    first = ScriptedModel([make_failure(transient=True)] * 9)
    task = asyncio.create_task(ResilientModel(first, attempts=9, wait=8).reply(QUESTION))
    while not first.requests:
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(task, 1)

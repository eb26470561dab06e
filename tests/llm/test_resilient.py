import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import SecretStr

from llm.wire import Wire
from pilotfish.core.errors import ModelError
from pilotfish.core.messages import Message, Reply, Request
from pilotfish.core.settings import Models
from pilotfish.llm.base import Hear
from pilotfish.llm.providers import connect
from pilotfish.llm.resilient import Resilient
from pilotfish.llm.scripted import Scripted

QUESTION = Request(messages=(Message(role="user", text="Well?"),))


def failing(*, transient: bool) -> Callable[[Request], Reply]:
    def fail(request: Request) -> Reply:
        raise ModelError("down", "wait", transient=transient)

    return fail


class Faltering(Scripted):
    """Says one word and then fails."""

    async def reply(self, request: Request, hear: Hear | None = None) -> Reply:
        self.asked.append(request)
        if hear:
            hear("Well", "content")
        raise ModelError("torn", transient=True)


async def test_a_passing_error_is_tried_again(wire: Wire) -> None:
    settings = Models(base_url=f"{wire.url}/v1", api_key=SecretStr("k"))
    model = Resilient(await connect("openai-compatible:shaky-2", settings, Path()), wait=0.01)
    reply = await model.reply(QUESTION)
    await model.close()
    assert reply.text == "Paris it is."
    assert len(wire.asked) == 3


async def test_when_trying_again_does_not_help_the_fallback_answers_under_its_own_name() -> None:
    first = Scripted([failing(transient=True)] * 3, name="first")
    model = Resilient(first, Scripted(["Here."], name="second"), attempts=3, wait=0.01)
    reply = await model.reply(QUESTION)
    assert (reply.text, reply.model) == ("Here.", "second")
    assert len(first.asked) == 3
    assert model.name == "first"


async def test_an_error_that_only_a_person_can_mend_is_told_at_once() -> None:
    first = Scripted([failing(transient=False)], name="first")
    second = Scripted(["Here."])
    with pytest.raises(ModelError, match="down"):
        await Resilient(first, second, wait=0.01).reply(QUESTION)
    assert len(first.asked) == 1
    assert not second.asked


async def test_nothing_is_said_twice_to_someone_who_listens() -> None:
    first, second = Faltering([]), Scripted(["Well then."])
    heard: list[str] = []
    with pytest.raises(ModelError, match="torn"):
        await Resilient(first, second, wait=0.01).reply(QUESTION, lambda text, kind: heard.append(text))
    assert heard == ["Well"]
    assert len(first.asked) == 1
    assert not second.asked


async def test_where_nobody_listens_a_torn_answer_is_simply_asked_for_again() -> None:
    first, second = Faltering([]), Scripted(["Well then."], name="second")
    reply = await Resilient(first, second, attempts=2, wait=0.01).reply(QUESTION)
    assert reply.model == "second"
    assert len(first.asked) == 2


async def test_stopping_does_not_wait_for_the_next_try() -> None:
    first = Scripted([failing(transient=True)] * 9)
    task = asyncio.create_task(Resilient(first, attempts=9, wait=8).reply(QUESTION))
    while not first.asked:
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(task, 1)

"""A reply that breaks off, or does not come in the time that a run may work."""

import asyncio
import json
from typing import Any

import pytest
from pydantic import BaseModel

from pilotfish import loop
from pilotfish.core.errors import ModelError
from pilotfish.core.events import ModelFailed, RunFinished
from pilotfish.core.messages import ModelReply, ModelRequest
from pilotfish.llm.base import TextListener
from pilotfish.llm.scripted import ScriptedModel
from pilotfish.runtime.model_caller import BROKEN_TRIES
from pilotfish.runtime.run import Run
from scripted_app import Open, events_of

pytestmark = pytest.mark.anyio


class Verdict(BaseModel):
    """What a model decides."""

    thought: str
    answer: str


@loop("one-decision")
async def one_decision(run: Run) -> None:
    """Say what the model decides."""
    await run.finish((await run.decide(Verdict, run.messages, purpose="decide", thought="thought")).answer)


@loop("one-answer")
async def one_answer(run: Run) -> None:
    """Say what the model says, while it says it."""
    await run.finish((await run.ask(run.messages, purpose="answer", stream=True)).text)


class Breaking(ScriptedModel):
    """Breaks off a number of replies after their first words."""

    def __init__(self, reply: str, breaks: int) -> None:
        super().__init__([reply] * (breaks + 1))
        self.breaks = breaks

    async def reply(self, request: ModelRequest, on_text: TextListener | None = None) -> ModelReply:
        if len(self.requests) < self.breaks:
            self.requests.append(request)
            assert on_text
            on_text('{"thought": "I th', "content")
            raise ModelError("The answer broke off.", transient=True)
        return await super().reply(request, on_text)


async def run_with(opened: Open, model: ScriptedModel, name: str, **how: Any) -> RunFinished:
    fish = await opened()
    fish.models.set_default("scripted", model)
    story = await events_of(fish, loop=name, **how)
    assert isinstance(story[-1], RunFinished)
    assert sum(isinstance(event, ModelFailed) for event in story) == (story[-1].outcome != "completed")
    return story[-1]


async def test_a_decision_that_breaks_off_is_asked_for_again(opened: Open) -> None:
    model = Breaking(json.dumps({"thought": "I think", "answer": "yes"}), BROKEN_TRIES - 1)
    assert (await run_with(opened, model, "one-decision")).text == "yes"
    assert len(model.requests) == BROKEN_TRIES


async def test_a_decision_that_always_breaks_off_fails_the_run(opened: Open) -> None:
    model = Breaking("", BROKEN_TRIES)
    assert (await run_with(opened, model, "one-decision")).error == "The answer broke off."
    assert len(model.requests) == BROKEN_TRIES


async def test_an_answer_that_people_saw_the_beginning_of_is_not_begun_anew(opened: Open) -> None:
    model = Breaking("yes", 1)
    assert (await run_with(opened, model, "one-answer")).error == "The answer broke off."
    assert len(model.requests) == 1


async def test_the_limit_of_time_ends_a_call_that_never_answers(opened: Open) -> None:
    class Silent(ScriptedModel):
        async def reply(self, request: ModelRequest, on_text: TextListener | None = None) -> ModelReply:
            await asyncio.Event().wait()
            raise AssertionError("never")

    finished = await run_with(opened, Silent([]), "one-decision", max_minutes=0.01)
    assert finished.outcome == "out_of_budget" and "0.01 minutes" in finished.error

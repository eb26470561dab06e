"""What a person says to a run while it works."""

import asyncio
from pathlib import Path

import pytest

from pilotfish import Pilotfish, loop
from pilotfish.core import events
from pilotfish.core.errors import PersonError
from pilotfish.core.messages import Message, ModelReply, ModelRequest
from pilotfish.core.records import RunRecord
from pilotfish.core.settings import ModelSettings, Settings
from pilotfish.enforcement.policy_history import PolicyHistory
from pilotfish.llm.scripted import ScriptedModel
from pilotfish.runtime.run import Run
from scripted_app import Open, script

pytestmark = pytest.mark.anyio
RED = "Take the red one."


@loop("two-calls")
async def two_calls(run: Run) -> None:
    """Ask twice with messages of its own, which never hold what was said meanwhile."""
    for number in ("first", "second"):
        reply = await run.ask([Message(role="user", text=f"{number} of {run.task}")], purpose=number)
    await run.finish(reply.text)


@loop("history-calls")
async def history_calls(run: Run) -> None:
    """Ask twice with the messages of the run."""
    await run.ask(run.messages, purpose="first")
    await run.finish((await run.ask(run.messages, purpose="second")).text)


@loop("fixed-course", steerable=False)
async def fixed_course(run: Run) -> None:
    await run.request_input("Go on?")
    await run.finish("done")


def words(request: ModelRequest) -> str:
    return "\n".join(message.text for message in request.messages)


async def say_while_waiting(fish: Pilotfish, loop: str, after: int = 1) -> list[events.StreamItem]:
    """A run to which something is said while it waits for its model's first answer."""
    model = await fish.models.of("main")
    assert isinstance(model, ScriptedModel)
    answer, asked, go = model.reply, asyncio.Event(), asyncio.Event()

    async def slow(request: ModelRequest, on_text: object = None) -> ModelReply:
        if len(model.requests) == after - 1:
            asked.set()
            await go.wait()
        return await answer(request)

    model.reply = slow
    record = await fish.start("buy one", loop=loop)
    await asyncio.wait_for(asked.wait(), 10)
    await fish.command(record.id, "say", text=RED, by="ann")
    go.set()
    return [event async for event in fish.follow(record.id)]


@pytest.mark.parametrize("name", ["two-calls", "history-calls"])
async def test_it_reaches_the_next_call_once_and_the_journal_as_the_persons_words(opened: Open, name: str) -> None:
    fish = await opened()
    model = script(fish, ["thinking", "done"])
    story = await say_while_waiting(fish, name)
    first, second = map(words, model.requests)
    assert RED not in first and second.count(RED) == 1
    said = [event for event in story if isinstance(event, events.MessageAdded) and events.is_steering(event)]
    assert [event.message for event in said] == [Message(role="user", text=RED, origin="person")]
    assert isinstance(story[-1], events.RunFinished) and story[-1].text == "done"
    assert RED in [message.text for message in await fish.messages((await fish.runs())[0].conversation)]


async def test_what_is_said_during_the_last_call_becomes_the_task_of_another_turn(opened: Open) -> None:
    fish = await opened()
    model = script(fish, ["thinking", "the blue one", "thinking", "the red one"])
    story = await say_while_waiting(fish, "two-calls", after=2)
    assert f"first of {RED}" in words(model.requests[2])
    assert [e.message.text for e in story if isinstance(e, events.MessageAdded)] == [
        "buy one",
        "the blue one",
        RED,
        "the red one",
    ]
    assert isinstance(story[-1], events.RunFinished) and story[-1].text == "the red one"


async def test_after_a_restart_it_is_taken_in_where_it_was_and_told_once(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, models=ModelSettings(main="scripted"))
    asked = asyncio.Event()

    async def hang(request: ModelRequest, on_text: object = None) -> ModelReply:
        asked.set()
        await asyncio.sleep(60)
        return ModelReply()

    async with Pilotfish(settings) as fish:
        model = script(fish, ["thinking"])
        answer = model.reply

        async def reply(request: ModelRequest, on_text: object = None) -> ModelReply:
            if model.requests:
                return await hang(request)
            await fish.command(run, "say", text=RED)
            return await answer(request)

        model.reply = reply
        run = (await fish.start("buy one", loop="history-calls")).id
        await asyncio.wait_for(asked.wait(), 10)
    async with Pilotfish(settings) as fish:
        model = script(fish, ["the red one"])
        story = [event async for event in fish.follow(run)]
    assert words(model.requests[0]).count(RED) == 1
    assert sum(isinstance(event, events.MessageAdded) and events.is_steering(event) for event in story) == 1
    assert isinstance(story[-1], events.RunFinished) and story[-1].text == "the red one"


async def test_it_counts_as_the_persons_words_for_the_policy(opened: Open) -> None:
    fish = await opened()
    script(fish, ["thinking", "done"])

    @loop("ledger-check")
    async def ledger_check(run: Run) -> None:
        await run.ask(run.messages, purpose="first")
        await run.ask(run.messages, purpose="second")
        history = PolicyHistory(run)
        await history.catch_up()
        await run.finish("|".join(history.ledger.statements))

    story = await say_while_waiting(fish, "ledger-check")
    assert isinstance(story[-1], events.RunFinished) and RED in story[-1].text


async def test_a_run_that_is_over_or_has_a_fixed_course_cannot_be_told_anything(opened: Open) -> None:
    fish = await opened(["done"])
    record = await fish.start("go", loop="fixed-course")
    with pytest.raises(PersonError, match="fixed steps"):
        await fish.command(record.id, "say", text=RED)
    await fish.command(record.id, "stop")
    assert [e async for e in fish.follow(record.id)]
    with pytest.raises(PersonError, match="over"):
        await fish.command(record.id, "say", text=RED)


async def test_a_second_task_waits_until_the_agent_of_its_conversation_is_done_and_says_so(opened: Open) -> None:
    fish = await opened()

    @loop("hold-tabs")
    async def hold_tabs(run: Run) -> None:
        answer = await run.request_input("Go on?")
        await run.finish(answer or "")

    async def asked(run: str) -> str:
        async for event in fish.follow(run):
            if isinstance(event, events.InputRequested):
                return event.request
        raise AssertionError("it asked nothing")

    first = await fish.start("one", loop="hold-tabs")
    request = await asyncio.wait_for(asked(first.id), 10)
    second = await fish.start("two", loop="hold-tabs", conversation=first.conversation)
    other = await fish.start("three", loop="hold-tabs")
    await asyncio.wait_for(asked(other.id), 10)
    waiting = await fish.record(second.id)
    assert (waiting.state, waiting.worker) == ("queued", "")
    [said] = await fish.events(second.id)
    assert isinstance(said, events.StateChanged) and first.id in said.why
    await fish.command(first.id, "answer", text="yes", request=request)
    await asyncio.wait_for(asked(second.id), 10)
    assert (await fish.record(first.id)).outcome == "completed"
    for record in (second, other):
        await fish.command(record.id, "stop")


async def test_of_tasks_that_come_together_into_one_conversation_a_process_with_no_queue_takes_one(
    tmp_path: Path,
) -> None:
    async with Pilotfish(Settings(home=tmp_path, models=ModelSettings(main="scripted")), adopt=False) as fish:
        together = [fish.start(f"task {n}", loop="fixed-course", conversation="one") for n in range(4)]
        started = await asyncio.gather(*together, return_exceptions=True)
        runs = [record for record in started if isinstance(record, RunRecord)]
        assert len(runs) == 1 and sum(isinstance(error, PersonError) for error in started) == 3
        await fish.command(runs[0].id, "stop")
        assert [e async for e in fish.follow(runs[0].id)]


async def test_a_process_with_no_queue_refuses_a_second_task_and_names_the_first(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, models=ModelSettings(main="scripted"))
    async with Pilotfish(settings, adopt=False) as fish:
        first = await fish.start("one", loop="fixed-course")
        with pytest.raises(PersonError, match=first.id):
            await fish.start("two", loop="fixed-course", conversation=first.conversation)
        await fish.command(first.id, "stop")
        assert [e async for e in fish.follow(first.id)]

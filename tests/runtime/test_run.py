"""What a run does for its loop."""

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from pydantic import BaseModel

from pilotfish import Pilotfish, loop, tool
from pilotfish.core import events
from pilotfish.core.errors import PersonError, exit_code
from pilotfish.core.messages import Message, ModelReply, ToolCall
from pilotfish.core.settings import AgentSettings, BudgetSettings, Settings
from pilotfish.core.usage import Usage
from pilotfish.runtime.run import Run
from pilotfish.tools.base import ToolContext
from scripted_app import Open, events_of

pytestmark = pytest.mark.anyio
STARTED = asyncio.Event()
CLEANED: list[str] = []


@tool()
async def double(ctx: ToolContext, number: int) -> str:
    """Double a number."""
    return str(number * 2)


@tool(effect=True)
async def linger(ctx: ToolContext) -> str:
    """Take a minute."""
    try:
        STARTED.set()
        await asyncio.sleep(60)
    finally:
        CLEANED.append(ctx.run)
    return "done"


class Verdict(BaseModel):
    good: bool


@loop("speak")
async def speak(run: Run) -> None:
    reply = await run.ask(run.messages, purpose="answer", stream=True)
    await run.finish(reply.text)


@loop("judge")
async def judge(run: Run) -> None:
    decision = await run.decide(Verdict, run.messages, purpose="judge")
    await run.finish(f"good: {decision.good}")


@loop("calls")
async def calls(run: Run) -> None:
    wanted = run.options["calls"]
    results = await run.act(*(ToolCall(id=str(n), tool=name, args=args) for n, (name, args) in enumerate(wanted)))
    await run.finish("|".join(r.output or r.error for r in results))


@loop("linger")
async def linger_in_tool(run: Run) -> None:
    await run.act(ToolCall(id="1", tool="linger"))
    await run.finish("not reached")


@loop("think")
async def think(run: Run) -> None:
    for _ in range(50):
        await run.ask(run.messages, purpose="think")
    await run.finish("thought")


@loop("inquire")
async def inquire(run: Run) -> None:
    answer = await run.request_input("Which one?", ["this", "that"], timeout=run.options.get("wait"))
    await run.finish(f"answer: {answer}")


@loop("broken")
async def broken(run: Run) -> None:
    await run.act(ToolCall(id="1", tool="double", args={"number": 21}))
    raise ZeroDivisionError("a bug")


@loop("endless")
async def endless(run: Run) -> None:
    while run.open:
        await run.act(ToolCall(id="1", tool="double", args={"number": 1}))


@loop("parent")
async def parent(run: Run) -> None:
    child = await run.fork("the part", "speak")
    await run.finish(f"child said: {child.answer}")


def ends(story: list[events.StreamItem]) -> events.RunFinished:
    assert isinstance(story[-1], events.RunFinished)
    assert sum(isinstance(e, events.RunFinished) for e in story) == 1
    return story[-1]


async def test_a_reply_is_heard_as_it_comes_and_journalled_whole(opened: Open) -> None:
    fish = await opened(["Hello there, person."])
    story = await events_of(fish, "greet", loop="speak")
    heard = "".join(e.text for e in story if isinstance(e, events.TextDelta))
    assert heard == "Hello there, person."
    assert ends(story).text == "Hello there, person."
    replied = next(e for e in story if isinstance(e, events.ModelReplied))
    assert replied.text == "Hello there, person." and replied.window > 0 and replied.context > 0
    record = (await fish.runs())[0]
    assert (record.state, record.outcome, record.answer) == ("ended", "completed", "Hello there, person.")


async def test_a_value_of_a_type_is_asked_for_and_given(opened: Open) -> None:
    fish = await opened(["no JSON at all", '```json\n{"good": true,}\n```'])
    story = await events_of(fish, loop="judge")
    assert ends(story).text == "good: True"


async def test_a_model_that_never_gives_the_shape_fails_the_run_with_a_way_out(opened: Open) -> None:
    fish = await opened(["nonsense"] * 3)
    end = ends(await events_of(fish, loop="judge"))
    assert end.outcome == "failed" and "form asked for" in end.error and end.fix


async def test_errors_of_tools_go_back_to_the_model_and_end_nothing(opened: Open) -> None:
    fish = await opened()
    wanted = [("double", {"number": 21}), ("double", {"number": "x"}), ("double", {}), ("nothing", {})]
    end = ends(await events_of(fish, loop="calls", calls=wanted))
    fine, wrong, missing, unknown = end.text.split("|")
    assert end.outcome == "completed" and fine == "42"
    assert "number" in wrong and "integer" in wrong
    assert "Field required" in missing
    assert "no tool named 'nothing'" in unknown and "double" not in unknown


async def test_stop_ends_a_running_action_at_once_and_cleans_up(opened: Open) -> None:
    STARTED.clear()
    fish = await opened()
    record = await fish.start("wait", loop="linger")
    await asyncio.wait_for(STARTED.wait(), 10)
    began = time.perf_counter()
    await fish.command(record.id, "stop")
    story = [e async for e in fish.follow(record.id)]
    assert time.perf_counter() - began < 3
    assert ends(story).outcome == "stopped"
    assert [e.state for e in story if isinstance(e, events.StateChanged)] == ["running", "stopping"]
    assert record.id in CLEANED


async def test_stop_ends_a_running_model_call_at_once(opened: Open) -> None:
    fish = await opened()
    hanging = asyncio.Event()

    async def hang(request: object, on_text: object = None) -> ModelReply:
        hanging.set()
        await asyncio.sleep(60)
        return ModelReply()

    model = await fish.models.of("main")
    model.reply = hang
    record = await fish.start("wait", loop="speak")
    await asyncio.wait_for(hanging.wait(), 10)
    began = time.perf_counter()
    await fish.command(record.id, "stop")
    assert ends([e async for e in fish.follow(record.id)]).outcome == "stopped"
    assert time.perf_counter() - began < 3


async def test_pause_takes_effect_between_steps_and_resume_goes_on(opened: Open) -> None:
    fish = await opened(["thought"] * 50)
    record = await fish.start("think", loop="think")
    states: list[str] = []
    async for event in fish.follow(record.id):
        if isinstance(event, events.ModelReplied) and "paused" not in states and not states[1:]:
            await fish.command(record.id, "pause")
        if isinstance(event, events.StateChanged):
            states.append(event.state)
            if event.state == "paused":
                before = len(await fish.events(record.id))
                await asyncio.sleep(0.2)
                assert len(await fish.events(record.id)) == before
                await fish.command(record.id, "resume")
    assert states == ["running", "paused", "running"]


async def test_a_question_waits_for_its_answer_which_joins_the_conversation(opened: Open) -> None:
    fish = await opened()
    record = await fish.start("choose", loop="inquire")
    story: list[events.StreamItem] = []
    async for event in fish.follow(record.id):
        story.append(event)
        if isinstance(event, events.InputRequested):
            assert event.choices == ("this", "that") and event.deadline
            await fish.command(record.id, "answer", request=event.request, text="that", by="ann")
    assert ends(story).text == "answer: that"
    assert next(e for e in story if isinstance(e, events.InputReceived)).by == "ann"
    assert [e.state for e in story if isinstance(e, events.StateChanged)] == ["running", "awaiting_input", "running"]


async def test_a_question_that_nobody_answers_times_out(opened: Open) -> None:
    fish = await opened()
    story = await events_of(fish, loop="inquire", wait=0.1)
    assert ends(story).text == "answer: None"
    assert any(isinstance(e, events.InputTimedOut) for e in story)


async def test_a_bug_in_a_loop_fails_its_run_alone(opened: Open) -> None:
    fish = await opened(["fine"])
    end = ends(await events_of(fish, loop="broken"))
    assert end.outcome == "failed" and "ZeroDivisionError" in end.error
    assert end.text == "What was done until then:\n- 42", "what was done is told all the same"
    assert ends(await events_of(fish, loop="speak")).outcome == "completed"


async def test_a_run_without_an_answer_after_its_steps_says_so(opened: Open) -> None:
    fish = await opened(agent=AgentSettings(steps=3))
    end = ends(await events_of(fish, loop="endless"))
    assert end.outcome == "failed" and "3 steps" in end.error and end.steps == 3


async def test_money_ends_a_run_as_out_of_budget(opened: Open) -> None:
    dear = ModelReply(text="costly", usage=Usage(input=10, output=10, cost=0.06))
    fish = await opened([dear] * 5, budget=BudgetSettings(run_cents=10))
    end = ends(await events_of(fish, loop="think"))
    assert end.outcome == "out_of_budget" and end.usage.cost == pytest.approx(0.12) and end.fix


async def test_a_sub_run_shares_the_conversation_but_not_its_words(opened: Open) -> None:
    fish = await opened(["from below"])
    story = await events_of(fish, loop="parent")
    assert ends(story).text == "child said: from below"
    child, record = sorted(await fish.runs(), key=lambda r: r.parent == "")
    assert child.parent == record.id and child.conversation == record.conversation
    said = await fish.messages(record.conversation)
    assert [m.text for m in said] == ["do it", "child said: from below"]


async def test_a_follow_up_sees_what_was_said_before(opened: Open) -> None:
    fish = await opened(["first answer", lambda request: " / ".join(m.text for m in request.messages)])
    first = await fish.start("one", loop="speak")
    assert ends([e async for e in fish.follow(first.id)]).text == "first answer"
    second = await fish.start("two", loop="speak", conversation=first.conversation)
    assert ends([e async for e in fish.follow(second.id)]).text == "one / first answer / two"


async def test_a_wrong_loop_or_an_empty_task_is_refused_at_once(opened: Open) -> None:
    fish = await opened()
    with pytest.raises(PersonError, match="no loop named 'nope'"):
        await fish.start("x", loop="nope")
    with pytest.raises(PersonError, match="empty"):
        await fish.start("  ", loop="speak")


@pytest.mark.slow
async def test_two_hundred_runs_at_once_all_finish(opened: Open) -> None:
    fish = await opened(["hi"] * 200)
    records = await asyncio.gather(*(fish.start("go", loop="speak") for _ in range(200)))
    stories = await asyncio.gather(*(collect(fish.follow(r.id)) for r in records))
    assert {ends(story).outcome for story in stories} == {"completed"}
    assert all([e.seq for e in s if not isinstance(e, events.TextDelta)] == list(range(1, 8)) for s in stories)


async def collect(follow: AsyncIterator[events.StreamItem]) -> list[events.StreamItem]:
    return [e async for e in follow]


async def test_messages_may_be_read_back_as_they_were_said(opened: Open) -> None:
    fish = await opened(["an answer"])
    record = await fish.start("a question", loop="speak")
    await collect(fish.follow(record.id))
    assert await fish.messages(record.conversation) == [
        Message(role="user", text="a question", origin="person"),
        Message(role="assistant", text="an answer", origin="model"),
    ]


@loop("signal")
async def signal(run: Run) -> None:
    reply = await run.ask(run.messages, purpose="answer", stream=True, hold="LOOK:")
    await run.finish(reply.text)


@pytest.mark.parametrize(
    ("said", "heard"),
    [("LOOK: at the picture", ""), ("Look at this.", "Look at this."), ("LO", "LO"), ("All is well.", "All is well.")],
)
async def test_a_signal_to_the_loop_is_not_heard_by_people(opened: Open, said: str, heard: str) -> None:
    fish = await opened([said])
    story = await events_of(fish, loop="signal")
    assert "".join(e.text for e in story if isinstance(e, events.TextDelta)) == heard


async def test_threads_work_after_the_app_is_closed(tmp_path: Path) -> None:
    for _ in range(2):
        async with Pilotfish(Settings(home=tmp_path)):
            assert await asyncio.to_thread(lambda: 1) == 1
        assert await asyncio.to_thread(lambda: 2) == 2


async def test_replies_that_are_no_json_are_a_failure_of_the_model(opened: Open) -> None:
    fish = await opened(["I would rather not say."] * 9)
    end = (await events_of(fish, loop="judge"))[-1]
    assert isinstance(end, events.RunFinished) and end.outcome == "failed"
    assert (end.kind, exit_code(end.kind)) == ("ModelError", 3)

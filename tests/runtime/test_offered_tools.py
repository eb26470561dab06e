"""Which tools a run uses: those that it has and that its model was offered, and no others."""

from typing import Any

import pytest

from pilotfish import Pilotfish, loop, tool
from pilotfish.core import events
from pilotfish.core.messages import ModelReply, ToolCall
from pilotfish.core.policy import PolicyRule
from pilotfish.core.records import RunRecord
from pilotfish.core.settings import PolicySettings
from pilotfish.runtime.run import Run
from pilotfish.tools.base import ToolContext
from scripted_app import Open, events_of, script

pytestmark = pytest.mark.anyio
USED: list[str] = []


@tool()
async def offered_tool(ctx: ToolContext) -> str:
    """Be used."""
    USED.append("offered")
    return "used"


@tool()
async def other_tool(ctx: ToolContext) -> str:
    """Be used, though nobody was told of it."""
    USED.append("other")
    return "used"


@loop("offer-one")
async def offer_one(run: Run) -> None:
    """Offer a model one tool, and do what it says."""
    reply = await run.ask(run.messages, purpose="act", tools=["offered_tool"])
    results = await run.act(*reply.calls)
    await run.finish("|".join(result.output or result.error for result in results))


@loop("do-listed")
async def do_listed(run: Run) -> None:
    """Do what the options list."""
    results = await run.act(*(ToolCall(id=str(n), tool=t, args=a) for n, (t, a) in enumerate(run.options["listed"])))
    await run.finish("|".join(result.output or result.error for result in results))


def reply_calling(*tools: str) -> ModelReply:
    return ModelReply(calls=tuple(ToolCall(id=str(n), tool=name) for n, name in enumerate(tools)))


def refusals(story: list[events.StreamItem]) -> list[Any]:
    notes = [event for event in story if isinstance(event, events.Noted) and event.topic == "policy"]
    return [note.details["tool"] for note in notes if note.details["decision"] == "refused"]


async def run_of(fish: Pilotfish, **how: Any) -> list[events.StreamItem]:
    USED.clear()
    return await events_of(fish, **how)


async def test_a_tool_that_the_request_did_not_offer_is_refused_also_among_others(opened: Open) -> None:
    fish = await opened([reply_calling("other_tool", "offered_tool", "other_tool")])
    story = await run_of(fish, loop="offer-one")
    assert USED == ["offered"]
    assert refusals(story) == ["other_tool", "other_tool"]
    finished = [event for event in story if isinstance(event, events.ToolFinished)]
    assert sorted(event.ok for event in finished) == [False, False, True]
    assert all(event.data == {"refused": True} for event in finished if not event.ok)


async def test_who_calls_an_unknown_tool_is_told_no_tool_that_was_not_offered(opened: Open) -> None:
    fish = await opened([reply_calling("no_such_tool")])
    [finished] = [e for e in await run_of(fish, loop="offer-one") if isinstance(e, events.ToolFinished)]
    assert "no_such_tool" in finished.error and "other_tool" not in finished.error


async def test_a_call_in_a_reply_to_a_question_without_tools_is_refused(opened: Open) -> None:
    fish = await opened([reply_calling("offered_tool")])
    story = await run_of(fish, loop="offer-one", tools=["other_tool"])
    assert (USED, refusals(story)) == ([], ["offered_tool"])


@pytest.mark.parametrize("how", [{"disabled_tools": ["other_tool"]}, {"tools": ["offered_tool"]}])
async def test_what_a_run_switches_off_is_refused_whoever_calls_it(opened: Open, how: dict[str, Any]) -> None:
    fish = await opened([reply_calling("other_tool")])
    listed = [("other_tool", {}), ("offered_tool", {})]
    story = await run_of(fish, loop="do-listed", listed=listed, **how)
    assert (USED, refusals(story)) == (["offered"], ["other_tool"])
    script(fish, [reply_calling("other_tool")])
    assert refusals(await run_of(fish, loop="offer-one", **how)) == ["other_tool"]


async def test_a_loop_offers_nothing_that_the_run_switched_off(opened: Open) -> None:
    fish = await opened()
    model = script(fish, [reply_calling("offered_tool")])
    await run_of(fish, loop="offer-one", disabled_tools=["offered_tool"])
    assert (model.requests[0].tools, USED) == ((), [])


@pytest.mark.parametrize("name", ["web_search", "memory_save", "click", "other_tool"])
async def test_research_uses_no_tool_by_a_name_that_it_was_not_told(opened: Open, name: str) -> None:
    off = {"disabled_tools": [name]}
    fish = await opened([reply_calling(name), "I could not look it up."])
    story = await run_of(fish, task="Who was it?", loop="react", **off)
    assert (USED, refusals(story)) == ([], [name])


async def test_after_a_crash_a_call_that_was_begun_is_ruled_on_again(opened: Open) -> None:
    fish = await opened(policy=PolicySettings(rules=(PolicyRule(then="deny"),)))
    listed = [("web_fetch", {"urls": ["http://127.0.0.1:9/x"], "query": "x"})]
    record = RunRecord(
        id="begun", user="local", conversation="c", task="read", loop="do-listed", options={"listed": listed}
    )
    await fish.store.create(record, title="read", said=())
    begun = events.ToolStarted(run="begun", key="1.0.started", call="0", tool="web_fetch", args=listed[0][1])
    await fish.journal.append(begun)
    fish.queue.wake()
    story = [event async for event in fish.follow("begun")]
    assert refusals(story) == ["web_fetch"]

"""How a research run divides the window, and how long results are made short."""

import json
from typing import cast

import pytest

from pilotfish import tool
from pilotfish.context.fitting import token_estimate
from pilotfish.context.summarizer import best_passages
from pilotfish.context.window_shares import Complexity, divide_window
from pilotfish.core.messages import ModelReply, ToolCall
from pilotfish.llm.scripted import FACTS, ScriptedModel
from pilotfish.tools.base import ToolContext
from scripted_app import Open, events_of, script

pytestmark = pytest.mark.anyio
FILLER = "The harbour was quiet and nothing happened at all on that day. "
LONG = "\n\n".join([FILLER * 30, "The return ticket to Gull Island costs 14 crowns.", FILLER * 60])


@tool(group="other")
async def read_log(ctx: ToolContext) -> str:
    """Read the harbour's log."""
    return LONG


@pytest.mark.parametrize(("hard", "total"), [("simple", 20_000), ("moderate", 30_000), ("complex", 40_000)])
def test_shares_grow_with_the_question_and_fit_the_window(hard: str, total: int) -> None:
    kind = cast(Complexity, hard)
    assert divide_window(kind, 41_000).total == total
    assert 0.9 * 8192 < divide_window(kind, 8192).total <= 8192
    assert divide_window(kind, 128_000).total == 2 * total and divide_window(kind, 10**6).total == 4 * total


def reason(action: str, **more: object) -> str:
    return json.dumps({"thinking": "hm", "action": action, **more})


LOOK = reason("tool", tool_calls=[{"tool": "read_log", "parameters": {}}])


async def test_a_long_result_is_summed_up_with_key_points_and_kept_whole(opened: Open) -> None:
    fish = await opened()
    points = {"summary": "The log of a quiet harbour.", "points": ["a return ticket costs 14 crowns"]}
    model = script(fish, [ModelReply(calls=(ToolCall(id="1", tool="read_log"),)), json.dumps(points), "14 crowns"])
    story = await events_of(fish, "What does a return ticket cost?", loop="react", tools=["read_log"])
    assert getattr(story[-1], "text", "") == "14 crowns"
    shown = next(m.text for m in model.requests[-1].messages if m.role == "tool")
    assert "- a return ticket costs 14 crowns" in shown and "recall_details, result_id r1.0" in shown
    assert token_estimate(shown) < 500


async def test_a_small_model_gets_the_passages_that_fit_the_question(opened: Open) -> None:
    fish = await opened()
    model = ScriptedModel(
        [LOOK, reason("respond", response="14 crowns", confidence=1)],
        facts=FACTS.model_copy(update={"small": True, "tools": False}),
    )
    fish.models.set_default("scripted", model)
    await events_of(fish, "What does a return ticket to Gull Island cost?", loop="react", tools=["read_log"])
    shown = "\n".join(m.text for m in model.requests[-1].messages)
    assert "costs 14 crowns" in shown and token_estimate(shown) < 2500


async def test_an_excerpt_keeps_what_fits_and_its_length() -> None:
    short = await best_passages("ticket price", LONG)
    assert "14 crowns" in short and token_estimate(short) <= 510
    assert await best_passages("anything", "a short text") == "a short text"

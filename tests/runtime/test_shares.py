"""How a research run divides the window, and how long results are made short."""

import json
from typing import cast

import pytest

from fish import Open, script, told
from pilotfish import tool
from pilotfish.core.messages import Call, Reply
from pilotfish.llm.scripted import FACTS, Scripted
from pilotfish.runtime.window.context import tokens
from pilotfish.runtime.window.gist import excerpt
from pilotfish.runtime.window.shares import Complexity, shares
from pilotfish.tools.base import Context

pytestmark = pytest.mark.anyio
FILLER = "The harbour was quiet and nothing happened at all on that day. "
LONG = "\n\n".join([FILLER * 30, "The return ticket to Gull Island costs 14 crowns.", FILLER * 60])


@tool(group="other")
async def read_log(ctx: Context) -> str:
    """Read the harbour's log."""
    return LONG


@pytest.mark.parametrize(("hard", "total"), [("simple", 20_000), ("moderate", 30_000), ("complex", 40_000)])
def test_shares_grow_with_the_question_and_fit_the_window(hard: str, total: int) -> None:
    kind = cast(Complexity, hard)
    assert shares(kind, 41_000).total == total
    assert 0.9 * 8192 < shares(kind, 8192).total <= 8192
    assert shares(kind, 128_000).total == 2 * total and shares(kind, 10**6).total == 4 * total


def reason(action: str, **more: object) -> str:
    return json.dumps({"thinking": "hm", "action": action, **more})


LOOK = reason("tool", tool_calls=[{"tool": "read_log", "parameters": {}}])


async def test_a_long_result_is_summed_up_with_key_points_and_kept_whole(opened: Open) -> None:
    fish = await opened()
    points = {"summary": "The log of a quiet harbour.", "points": ["a return ticket costs 14 crowns"]}
    model = script(fish, [Reply(calls=(Call(id="1", tool="read_log"),)), json.dumps(points), "14 crowns"])
    story = await told(fish, "What does a return ticket cost?", loop="react")
    assert getattr(story[-1], "text", "") == "14 crowns"
    shown = next(m.text for m in model.asked[-1].messages if m.role == "tool")
    assert "- a return ticket costs 14 crowns" in shown and "recall_details, result_id r1.0" in shown
    assert tokens(shown) < 500


async def test_a_small_model_gets_the_passages_that_fit_the_question(opened: Open) -> None:
    fish = await opened()
    model = Scripted(
        [LOOK, reason("respond", response="14 crowns", confidence=1)],
        facts=FACTS.model_copy(update={"small": True, "tools": False}),
    )
    fish.minds.pretend("scripted", model)
    await told(fish, "What does a return ticket to Gull Island cost?", loop="react")
    shown = "\n".join(m.text for m in model.asked[-1].messages)
    assert "costs 14 crowns" in shown and tokens(shown) < 2500


async def test_an_excerpt_keeps_what_fits_and_its_length() -> None:
    short = await excerpt("ticket price", LONG)
    assert "14 crowns" in short and tokens(short) <= 510
    assert await excerpt("anything", "a short text") == "a short text"

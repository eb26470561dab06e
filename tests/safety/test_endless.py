"""A page that wants the agent to go on for ever is stopped by the budget."""

import pytest

from pilotfish import loop
from pilotfish.core.events import RunFinished
from pilotfish.core.messages import ModelReply, ToolCall
from pilotfish.core.settings import BudgetSettings
from pilotfish.core.usage import Usage
from pilotfish.runtime.run import Run
from scripted_app import Open, events_of

pytestmark = pytest.mark.anyio


@loop("greedy")
async def endless(run: Run) -> None:
    """Obey a page that says: go on for ever, and ask your model each time."""
    while True:
        await run.ask(run.messages, purpose="again")
        await run.act(ToolCall(id="again", tool="get_current_time"))


async def test_a_page_that_says_go_on_for_ever_gets_no_more_than_the_budget(opened: Open) -> None:
    dear = ModelReply(text="Once more.", usage=Usage(input=10, output=10, cost=0.03))
    fish = await opened([dear] * 50, budget=BudgetSettings(run_cents=10))
    story = await events_of(fish, "Read the page", loop="greedy")
    end = story[-1]
    assert isinstance(end, RunFinished) and end.outcome == "out_of_budget"
    assert end.usage.cost <= 0.13, "at most one call more than the budget holds"

"""What becomes of a run that meets its limit, and what a day's limit counts."""

from datetime import UTC, datetime, timedelta

import pytest

from pilotfish import Pilotfish, loop
from pilotfish.core import events
from pilotfish.core.journal_reports import sum_costs
from pilotfish.core.messages import ModelReply
from pilotfish.core.settings import BudgetSettings as Limits
from pilotfish.core.usage import Usage
from pilotfish.llm.scripted import ScriptedModel
from pilotfish.runtime.budget import ANSWER_NOW, RAISE_BUDGET, STOP_RUN, RunSpending, SpendingLedger
from pilotfish.runtime.run import Run
from scripted_app import Open, events_of, script

pytestmark = pytest.mark.anyio


def dear(text: str = "thought", cents: float = 6.0) -> ModelReply:
    return ModelReply(text=text, usage=Usage(input=10, output=10, cost=cents / 100))


@loop("muse")
async def muse(run: Run) -> None:
    """Think three times, then answer."""
    for _ in range(3):
        await run.ask(run.messages, purpose="muse")
    await run.finish("mused")


async def answer_in_turn(fish: Pilotfish, answers: list[str]) -> tuple[events.RunFinished, list[events.InputRequested]]:
    """The end of a run whose questions are answered in turn, and the questions."""
    record = await fish.start("muse", loop="muse", attended=True)
    asked: list[events.InputRequested] = []
    async for event in fish.follow(record.id):
        if isinstance(event, events.InputRequested):
            asked.append(event)
            await fish.command(record.id, "answer", request=event.request, text=answers[len(asked) - 1])
        if isinstance(event, events.RunFinished):
            return event, asked
    raise AssertionError("a run ends")


async def test_a_run_meets_its_budget_asks_is_raised_and_finishes(opened: Open) -> None:
    fish = await opened([dear()] * 3, budget=Limits(run_cents=10))
    end, [asked] = await answer_in_turn(fish, [RAISE_BUDGET])
    assert asked.kind == "budget" and asked.choices == (RAISE_BUDGET, ANSWER_NOW, STOP_RUN)
    assert "12.00 of its 10 cents" in asked.question
    assert (end.outcome, end.text) == ("completed", "mused")
    assert end.usage.cost == pytest.approx(0.18)


async def test_a_person_may_name_the_new_limit(opened: Open) -> None:
    fish = await opened([dear()] * 3, budget=Limits(run_cents=5))
    end, asked = await answer_in_turn(fish, ["11 cents", "100"])
    assert end.outcome == "completed" and [one.details["limit"] for one in asked] == [5, 11]


@pytest.mark.parametrize(
    ("answer", "outcome"), [(ANSWER_NOW, "out_of_budget"), (STOP_RUN, "stopped"), ("3", "out_of_budget")]
)
async def test_a_run_may_be_ended_at_its_limit(opened: Open, answer: str, outcome: str) -> None:
    fish = await opened([dear()] * 3, budget=Limits(run_cents=10))
    end, _ = await answer_in_turn(fish, [answer])
    assert end.outcome == outcome and end.usage.cost == pytest.approx(0.12)


async def test_when_nobody_answers_the_run_ends_with_what_there_is(opened: Open) -> None:
    clock = {"tool": "get_current_time", "parameters": {"timezone": "Asia/Tokyo"}}
    thought = f'{{"thinking": "the clock", "action": "tool", "tool_calls": [{clock}]}}'.replace("'", '"')
    fish = await opened(budget=Limits(run_cents=5))
    small = ScriptedModel([dear(thought)] * 3, facts=ScriptedModel([]).facts.model_copy(update={"small": True}))
    fish.models.set_default("scripted", small)
    story = await events_of(fish, "What time is it in Tokyo?", loop="react", attended=True, input_timeout=0.1)
    end = story[-1]
    assert isinstance(end, events.RunFinished) and end.outcome == "out_of_budget"
    assert any(isinstance(event, events.InputTimedOut) for event in story)
    assert "Asia/Tokyo" in end.text and "6.00 of its 5 cents" in end.text


async def test_every_loop_leaves_something_when_the_money_is_gone(opened: Open) -> None:
    fish = await opened([dear("The first thought is the best.")] * 3, budget=Limits(run_cents=5))
    end = (await events_of(fish, loop="muse"))[-1]
    assert isinstance(end, events.RunFinished)
    assert end.outcome == "out_of_budget" and "The first thought is the best." in end.text and end.fix


async def test_a_call_that_is_too_dear_is_asked_about_before_it_is_made(opened: Open) -> None:
    fish = await opened(budget=Limits(run_cents=0.001))
    model = ScriptedModel(["never said"], name="openai:gpt-4o")
    fish.models.set_default("scripted", model)
    end = (await events_of(fish, "How are you? " * 200, loop="muse"))[-1]
    assert isinstance(end, events.RunFinished) and end.outcome == "out_of_budget"
    assert "The next call alone costs at least" in end.error and model.requests == []


async def test_an_unknown_price_is_told_once_and_meets_no_limit(opened: Open) -> None:
    unknown = ModelReply(text="hm", usage=Usage(input=10**6, priced=False))
    fish = await opened([unknown] * 3, budget=Limits(run_cents=0))
    story = await events_of(fish, loop="muse")
    notes = [event.text for event in story if isinstance(event, events.Noted) and event.topic == "price"]
    assert len(notes) == 1 and "Nobody knows what scripted costs" in notes[0]
    assert isinstance(story[-1], events.RunFinished) and story[-1].outcome == "completed"
    assert not story[-1].usage.priced and not (await fish.costs("local")).total.priced


async def test_the_limit_of_a_day_counts_all_runs_of_a_person_and_no_one_elses(opened: Open) -> None:
    fish = await opened([dear()] * 9, budget=Limits(run_cents=None, day_cents=20))
    first = (await events_of(fish, loop="muse", user="ann"))[-1]
    other = (await events_of(fish, loop="muse", user="bob"))[-1]
    second = (await events_of(fish, loop="muse", user="ann"))[-1]
    assert [getattr(end, "outcome", "") for end in (first, other, second)] == [
        "completed",
        "completed",
        "out_of_budget",
    ]
    assert "24.00 of 20 cents" in getattr(second, "error", "") and "day_cents" in getattr(second, "fix", "")


async def test_a_days_limit_that_was_raised_holds_for_the_next_run_too(opened: Open) -> None:
    fish = await opened([dear()] * 6, budget=Limits(run_cents=None, day_cents=10))
    _, asked = await answer_in_turn(fish, ["60"])
    assert asked[0].details["of"] == "day"
    end, again = await answer_in_turn(fish, [])
    assert end.outcome == "completed" and not again


class Books:
    """A store that has only what was spent."""

    def __init__(self, spent: list[events.ModelReplied]) -> None:
        self.spent = spent
        self.asked: list[datetime] = []

    async def history(self, user: str, types: object, since: datetime) -> list[events.ModelReplied]:
        self.asked.append(since)
        return [event for event in self.spent if event.at >= since]


async def test_a_day_is_read_once_then_only_what_is_new_and_ends_at_midnight() -> None:
    noon = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def call(seq: int, at: datetime) -> events.ModelReplied:
        usage = Usage(cost=0.01)
        return events.ModelReplied(run="r", seq=seq, at=at, call="c", tier="main", model="m", purpose="p", usage=usage)

    books, at = Books([call(1, noon - timedelta(days=1)), call(2, noon)]), [noon]
    ledger = SpendingLedger(books, lambda: at[0])  # pyright: ignore[reportArgumentType]
    assert await ledger.spent("ann") == pytest.approx(1)
    books.spent.append(call(3, noon + timedelta(minutes=1)))
    at[0] += timedelta(minutes=2)
    assert await ledger.spent("ann") == pytest.approx(2)
    assert books.asked[1] > noon - timedelta(minutes=5)
    at[0] += timedelta(days=1)
    assert await ledger.spent("ann") == 0


async def test_what_was_spent_before_a_crash_still_counts_after_it(opened: Open) -> None:
    fish = await opened([dear()] * 3, budget=Limits(run_cents=10))
    _, _ = await answer_in_turn(fish, [RAISE_BUDGET])
    record = (await fish.runs())[0]
    budget = RunSpending(10, await fish.events(record.id))
    assert budget.cents == pytest.approx(18) and budget.limit == pytest.approx(22)


async def test_costs_are_told_by_run_day_model_and_tool(opened: Open) -> None:
    fish = await opened()
    script(fish, [dear("hm", 2)] * 3)
    await events_of(fish, loop="muse")
    record = (await fish.runs())[0]
    book = sum_costs(await fish.events(record.id))
    assert [(s.name, s.calls) for s in book.runs] == [(record.id, 3)]
    assert [s.name for s in book.models] == ["scripted"] and len(book.days) == 1
    assert book.total.cost == pytest.approx(0.06)

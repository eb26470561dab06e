"""The budget by itself: no run, no browser, no model."""

from pathlib import Path
from typing import Any, cast

import pytest

from pilotfish.core.errors import OutOfBudget, Stopped
from pilotfish.core.events import InputKind
from pilotfish.core.records import RunRecord
from pilotfish.core.settings import Settings
from pilotfish.core.usage import Usage
from pilotfish.runtime.budget import RAISE_BUDGET, STOP_RUN, Budget, RunSpending, SpendingLedger

pytestmark = pytest.mark.anyio


class PayingPerson:
    """A run as the budget knows it, whose person gives one answer to each question."""

    def __init__(self, home: Path, answer: str | None = None) -> None:
        self.id = "r"
        self.record = RunRecord(id="r", task="t", loop="chat", user="ada", conversation="c")
        self.options: dict[str, Any] = {"attended": answer is not None}
        self.settings = Settings(home=home)
        self.spending = RunSpending(10.0)
        self.questions: list[str] = []
        self.answer = answer

    async def ask_person(
        self, key: str, question: str, *_: Any, kind: InputKind = "question", **details: Any
    ) -> str | None:
        self.questions.append(f"{kind} {key}: {question}")
        return self.answer


class UnlimitedDay:
    """A ledger of a person without a daily limit."""

    async def limit(self, user: str, cents: float | None) -> float | None:
        return None


def budget(run: PayingPerson) -> Budget:
    return Budget(run, cast(SpendingLedger, UnlimitedDay()))


async def test_a_call_within_the_limit_asks_nobody(tmp_path: Path) -> None:
    run = PayingPerson(tmp_path, STOP_RUN)
    await budget(run).require("1", ahead=9.0)
    assert run.questions == []


async def test_a_person_who_raises_the_limit_is_asked_once(tmp_path: Path) -> None:
    run = PayingPerson(tmp_path, RAISE_BUDGET)
    run.spending.charge(Usage(cost=0.10))
    await budget(run).require("1")
    assert run.spending.limit == 20.0
    assert run.questions == ["budget 1.money0: The run spent 10.00 of its 10 cents. Go on?"]


async def test_a_person_who_says_stop_ends_the_run(tmp_path: Path) -> None:
    with pytest.raises(Stopped):
        await budget(PayingPerson(tmp_path, STOP_RUN)).require("1", ahead=11.0)


async def test_a_run_that_nobody_attends_ends_at_its_limit(tmp_path: Path) -> None:
    run = PayingPerson(tmp_path)
    with pytest.raises(OutOfBudget):
        await budget(run).require("1", ahead=11.0)
    assert run.questions == []

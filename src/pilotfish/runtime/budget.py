"""What a run and its user have spent and may spend, and what happens at the limit.

Spending is computed from the journal, so a resumed run counts what it spent before a crash.
"""

import asyncio
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal, Protocol

from pilotfish.core import events
from pilotfish.core.errors import OutOfBudget, Stopped
from pilotfish.core.events import Event, current_time
from pilotfish.core.journal_reports import CHARGED_EVENTS
from pilotfish.core.usage import Usage
from pilotfish.enforcement.policed_run import AskingRun

if TYPE_CHECKING:
    from pilotfish.core.records import RunRecord
    from pilotfish.core.settings import Settings
    from pilotfish.store.base import Store

RAISE_BUDGET, ANSWER_NOW, STOP_RUN = "Raise the budget", "Answer with what there is", "Stop"
ALLOWANCES_KIND = "allowances"
READ_AGAIN = timedelta(seconds=60)
"""How far back spending is read again: another process may write an earlier event late."""


class RunSpending:
    """What one run has spent, against a limit in cents; None means no limit."""

    def __init__(self, cents: float | None, past: Iterable[Event] = ()) -> None:
        self.limit = cents
        self.spent = Usage()
        asked: dict[str, Any] = {}
        for event in past:
            match event:
                case events.ModelReplied() | events.ModelFailed() | events.ToolFinished():
                    self.charge(event.usage)
                case events.InputRequested(kind="budget", details={"of": "run", "raised": float() as raised}):
                    asked[event.request] = raised
                case events.InputReceived() if event.request in asked:
                    self.limit = read_new_limit(event.answer, asked[event.request]) or self.limit
                case _:
                    pass

    @property
    def cents(self) -> float:
        return self.spent.cost * 100

    def charge(self, usage: Usage) -> None:
        self.spent += usage


@dataclass(frozen=True)
class BudgetShortage:
    """Which limit does not allow the next call, and what a person may raise it to."""

    of: Literal["run", "day"]
    spent: float
    limit: float
    ahead: float = 0.0

    @property
    def proposed_limit(self) -> float:
        """Twice the old limit, and enough for the next call."""
        return float(max(2 * self.limit, self.limit + self.spent, self.spent + 2 * self.ahead))

    @property
    def explanation(self) -> str:
        run, day = "The run spent {:.2f} of its {:g} cents.", "Today you spent {:.2f} of {:g} cents."
        text = (run if self.of == "run" else day).format(self.spent, self.limit)
        return text if self.spent >= self.limit else f"{text} The next call alone costs at least {self.ahead:.2f}."

    @property
    def fix(self) -> str:
        if self.of == "run":
            return "Raise the budget with --budget or in the settings and run it again."
        return "Raise budget.day_cents in the settings, or go on tomorrow (the day ends at midnight UTC)."


@dataclass
class DaySpending:
    """What one user spent on one day, as far as it was read."""

    start: datetime
    read: datetime
    cents: dict[tuple[str, int], float] = field(default_factory=dict[tuple[str, int], float])


class SpendingLedger:
    """What each user spends in a day, over all runs and processes."""

    def __init__(self, store: "Store", clock: Callable[[], datetime] = current_time) -> None:
        self._store = store
        self._clock = clock
        self._days: dict[str, DaySpending] = {}

    async def spent(self, user: str) -> float:
        """Cents since midnight, UTC."""
        at = self._clock()
        midnight = at.replace(hour=0, minute=0, second=0, microsecond=0)
        day = self._days.get(user)
        if day is None or day.start != midnight:
            day = self._days[user] = DaySpending(midnight, midnight)
        for event in await self._store.history(user, CHARGED_EVENTS, max(midnight, day.read - READ_AGAIN)):
            if isinstance(event, events.ModelReplied | events.ModelFailed | events.ToolFinished):
                day.cents[event.run, event.seq] = event.usage.cost * 100
        day.read = at
        return sum(day.cents.values())

    async def limit(self, user: str, cents: float | None) -> float | None:
        """The day's limit: the one in the settings, or what the person raised it to today."""
        if cents is None:
            return None
        raised = await self._store.get(ALLOWANCES_KIND, self._key(user))
        return cents if raised is None else max(cents, float(raised))

    async def allow(self, user: str, cents: float) -> None:
        """Raise the limit for this day only."""
        await self._store.put(ALLOWANCES_KIND, self._key(user), str(cents).encode(), ttl=2 * 86_400)

    def _key(self, user: str) -> str:
        return f"{self._clock():%Y-%m-%d}:{user}"


class PayingRun(AskingRun, Protocol):
    """What the budget needs of a run: who pays, what was spent, and a way to ask for more."""

    @property
    def record(self) -> "RunRecord": ...

    @property
    def options(self) -> Mapping[str, Any]: ...

    @property
    def settings(self) -> "Settings": ...

    @property
    def spending(self) -> RunSpending: ...


class Budget:
    """Checks before a model call that the run's budget and the user's daily limit allow it."""

    def __init__(self, run: PayingRun, ledger: SpendingLedger) -> None:
        self.run = run
        self._ledger = ledger
        self._turn = asyncio.Lock()

    async def require(self, key: str, ahead: float = 0.0) -> None:
        """Within a step: return if a call of `ahead` cents can be paid, else ask the person, else raise."""
        async with self._turn:
            number = 0
            while short := await self._find_shortage(ahead):
                await self._ask_for_more(short, f"{key}.money{number}")
                number += 1

    async def _find_shortage(self, ahead: float) -> BudgetShortage | None:
        budget, user = self.run.spending, self.run.record.user
        if budget.limit is not None and _is_over(budget.cents, budget.limit, ahead):
            return BudgetShortage("run", budget.cents, budget.limit, ahead)
        limit = await self._ledger.limit(user, self.run.settings.budget.day_cents)
        if limit is None:
            return None
        spent = await self._ledger.spent(user)
        return BudgetShortage("day", spent, limit, ahead) if _is_over(spent, limit, ahead) else None

    async def _ask_for_more(self, short: BudgetShortage, key: str) -> None:
        out = OutOfBudget(short.explanation, short.fix)
        if not self.run.options.get("attended"):
            raise out
        details: dict[str, Any] = {
            "of": short.of,
            "spent": short.spent,
            "limit": short.limit,
            "raised": short.proposed_limit,
        }
        choices = (RAISE_BUDGET, ANSWER_NOW, STOP_RUN)
        answer = await self.run.ask_person(key, f"{short.explanation} Go on?", choices, kind="budget", **details)
        if answer == STOP_RUN:
            raise Stopped("Stopped at the limit of the budget.")
        limit = read_new_limit(answer or "", short.proposed_limit)
        if limit is None or limit <= short.limit:
            raise out
        if short.of == "run":
            self.run.spending.limit = limit
        else:
            await self._ledger.allow(self.run.record.user, limit)


def read_new_limit(answer: str, raised: float) -> float | None:
    """The limit that an answer means: the proposed one, or the number of cents that it names."""
    if answer == RAISE_BUDGET:
        return raised
    number = re.search(r"\d+(?:\.\d+)?", answer)
    return float(number[0]) if number else None


def _is_over(spent: float, limit: float, ahead: float) -> bool:
    """Whether a call goes over the limit. Free calls and calls of unknown price never do."""
    return (spent > 0 and spent >= limit) or (ahead > 0 and spent + ahead > limit)

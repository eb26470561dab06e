"""Money: what a run and its person have spent and may spend, and what happens at the limit.

All of it is a fold over the journal, so that a run that is taken up again after a crash knows what it spent before.
"""

import asyncio
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal, cast

from pilotfish.core import events
from pilotfish.core.errors import OutOfBudget, Stopped
from pilotfish.core.events import Event, now
from pilotfish.core.folds import CHARGED
from pilotfish.core.usage import Usage

if TYPE_CHECKING:
    from pilotfish.runtime.run import Run
    from pilotfish.store.base import Store

MORE, ENOUGH, STOP = "Raise the budget", "Answer with what there is", "Stop"
ALLOWED = "allowances"
OVERLAP = timedelta(seconds=60)
"""How far back the books are read again: another process may write late what happened early."""


class Budget:
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
                    self.limit = wanted(event.answer, asked[event.request]) or self.limit
                case _:
                    pass

    @property
    def cents(self) -> float:
        return self.spent.cost * 100

    def charge(self, usage: Usage) -> None:
        self.spent += usage


@dataclass(frozen=True)
class Shortage:
    """Which limit does not allow the next call, and what a person may raise it to."""

    of: Literal["run", "day"]
    spent: float
    limit: float
    ahead: float = 0.0

    @property
    def raised(self) -> float:
        """As much again as there was, and enough for the next call."""
        return float(max(2 * self.limit, self.limit + self.spent, self.spent + 2 * self.ahead))

    @property
    def told(self) -> str:
        run, day = "The run spent {:.2f} of its {:g} cents.", "Today you spent {:.2f} of {:g} cents."
        text = (run if self.of == "run" else day).format(self.spent, self.limit)
        return text if self.spent >= self.limit else f"{text} The next call alone costs at least {self.ahead:.2f}."

    @property
    def fix(self) -> str:
        if self.of == "run":
            return "Raise the budget with --budget or in the settings and run it again."
        return "Raise budget.day_cents in the settings, or go on tomorrow (the day ends at midnight UTC)."


@dataclass
class Day:
    """One person's day, as far as it was read."""

    start: datetime
    read: datetime
    cents: dict[tuple[str, int], float] = field(default_factory=dict[tuple[str, int], float])


class Ledger:
    """What people spend in a day, over all their runs and processes."""

    def __init__(self, store: "Store", clock: Callable[[], datetime] = now) -> None:
        self._store = store
        self._clock = clock
        self._days: dict[str, Day] = {}

    async def spent(self, user: str) -> float:
        """Cents since midnight, UTC."""
        at = self._clock()
        midnight = at.replace(hour=0, minute=0, second=0, microsecond=0)
        day = self._days.get(user)
        if day is None or day.start != midnight:
            day = self._days[user] = Day(midnight, midnight)
        for event in await self._store.history(user, CHARGED, max(midnight, day.read - OVERLAP)):
            if isinstance(event, events.ModelReplied | events.ModelFailed | events.ToolFinished):
                day.cents[event.run, event.seq] = event.usage.cost * 100
        day.read = at
        return sum(day.cents.values())

    async def limit(self, user: str, cents: float | None) -> float | None:
        """The day's limit: the one in the settings, or what the person raised it to today."""
        if cents is None:
            return None
        raised = await self._store.get(ALLOWED, self._key(user))
        return cents if raised is None else max(cents, float(raised))

    async def allow(self, user: str, cents: float) -> None:
        """Raise the limit of this day alone."""
        await self._store.put(ALLOWED, self._key(user), str(cents).encode(), ttl=2 * 86_400)

    def _key(self, user: str) -> str:
        return f"{self._clock():%Y-%m-%d}:{user}"


class Purse:
    """A run's money at hand: its own budget, and what is left of its person's day."""

    def __init__(self, run: "Run") -> None:
        self.run = run
        self._ledger = cast(Ledger, run.kit.services[Ledger])
        self._turn = asyncio.Lock()

    async def afford(self, key: str, ahead: float = 0.0) -> None:
        """From within a step: go on if a call of `ahead` cents can be paid, else ask the person, else end."""
        async with self._turn:
            number = 0
            while short := await self._short(ahead):
                await self._settle(short, f"{key}.money{number}")
                number += 1

    async def _short(self, ahead: float) -> Shortage | None:
        budget, user = self.run.budget, self.run.record.user
        if budget.limit is not None and _over(budget.cents, budget.limit, ahead):
            return Shortage("run", budget.cents, budget.limit, ahead)
        limit = await self._ledger.limit(user, self.run.kit.settings.budget.day_cents)
        if limit is None:
            return None
        spent = await self._ledger.spent(user)
        return Shortage("day", spent, limit, ahead) if _over(spent, limit, ahead) else None

    async def _settle(self, short: Shortage, key: str) -> None:
        out = OutOfBudget(short.told, short.fix)
        if not self.run.options.get("attended"):
            raise out
        details: dict[str, Any] = {"of": short.of, "spent": short.spent, "limit": short.limit, "raised": short.raised}
        choices = (MORE, ENOUGH, STOP)
        answer = await self.run.inquire(key, f"{short.told} Go on?", choices, kind="budget", **details)
        if answer == STOP:
            raise Stopped("Stopped at the limit of the budget.")
        limit = wanted(answer or "", short.raised)
        if limit is None or limit <= short.limit:
            raise out
        if short.of == "run":
            self.run.budget.limit = limit
        else:
            await self._ledger.allow(self.run.record.user, limit)


def wanted(answer: str, raised: float) -> float | None:
    """The limit that an answer means: the proposed one, or the number of cents that it names."""
    if answer == MORE:
        return raised
    number = re.search(r"\d+(?:\.\d+)?", answer)
    return float(number[0]) if number else None


def _over(spent: float, limit: float, ahead: float) -> bool:
    """Calls that are free, or whose price nobody knows, never meet a limit."""
    return (spent > 0 and spent >= limit) or (ahead > 0 and spent + ahead > limit)

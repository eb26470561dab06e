"""Lets schedules happen: on each beat of the queue it starts what is due, settles what ended, and tells people."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from pilotfish.core.policy import PolicyPreset
from pilotfish.core.records import RunRecord
from pilotfish.core.schedule_progress import advance_schedule
from pilotfish.core.schedules import STANDING, Schedule, ScheduleFire
from pilotfish.core.settings import Settings
from pilotfish.core.users import LOCAL
from pilotfish.services.schedules import Clock

if TYPE_CHECKING:
    from pilotfish.core.schedule_progress import ScheduleChange
    from pilotfish.store.base import Store

WATCH_LOOP = "_watch"
STRICT: tuple[PolicyPreset, ...] = ("unattended", "read_only")


class StandingWork:
    """Brings all schedules to the present moment. Every worker calls it; the store lets one at a time do it."""

    def __init__(self, store: "Store", make_run: "MakeFireRun", clock: Clock) -> None:
        self.store = store
        self.make_run = make_run
        self.clock = clock

    async def is_due(self) -> bool:
        """Whether a time of a schedule has come, or a run of one has ended."""
        due = await self.store.standing_due(self.clock())
        return due.fires or due.ends

    async def advance(self) -> "list[ScheduleChange]":
        """Do what is due now; returns what changed."""
        now = self.clock()
        return await self.store.advance_schedules(now, lambda view: advance_schedule(view, now, self.make_run))


class MakeFireRun:
    """Makes the run of one time of a schedule, with what it may do, spend and reach under the present settings."""

    def __init__(self, settings: Callable[[], Settings]) -> None:
        self.settings = settings

    def __call__(self, schedule: Schedule, fire: ScheduleFire, left: float | None) -> RunRecord:
        settings = self.settings()
        own = schedule.budget_cents if schedule.budget_cents is not None else settings.budget.run_cents
        cents = [each for each in (own, left) if each is not None]
        options: dict[str, Any] = {
            **schedule.options,
            **choose_rights(schedule, settings.policy.preset),
            "tabs": list(schedule.pages),
            "schedule": schedule.id,
            "history": False,
            "input_timeout": schedule.wait_hours * 3600,
            "budget_cents": min(cents) if cents else None,
        }
        loop = str(options.pop("loop", "") or settings.agent.loop)
        if schedule.watch is not None:
            loop = WATCH_LOOP
            options["watch"] = schedule.watch.model_dump(mode="json")
        return RunRecord(
            id=fire.run,
            user=schedule.user,
            conversation=f"{STANDING}{schedule.id}-{fire.due:%Y%m%dT%H%M%S}",
            task=schedule.task,
            loop=loop,
            options=options,
        )


def choose_rights(schedule: Schedule, preset: PolicyPreset) -> Mapping[str, Any]:
    """The policy of a run that nobody attends: effects are refused or asked about, but for those granted.

    Where the settings let nobody approve anything, only the owner of the machine can grant something.
    """
    strict = preset in STRICT
    may_grant = not strict or schedule.user == LOCAL
    asks = schedule.asks and not strict
    grants = [grant.model_dump(mode="json") for grant in schedule.grants] if may_grant else []
    if preset == "read_only" and not grants:
        return {"policy": "read_only", "attended": False}
    return {"policy": "ask_before_effects" if asks else "unattended", "attended": asks, "grants": grants}

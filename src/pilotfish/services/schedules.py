"""Makes, lists, changes, pauses, resumes and deletes schedules and watches. `standing_work.py` runs them."""

import os
import secrets
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, available_timezones

from pydantic import Field

from pilotfish.core.errors import NotFoundError, PersonError
from pilotfish.core.events import current_time
from pilotfish.core.recurrence import read_recurrence
from pilotfish.core.schedule_calendar import list_past, list_planned
from pilotfish.core.schedule_progress import MakeRun, ScheduleChange, find_next, fire_run_id
from pilotfish.core.schedules import (
    FREE_EFFECTS,
    CalendarEntry,
    Channel,
    Schedule,
    ScheduleFire,
    ScheduleGrant,
    SchedulePlan,
)
from pilotfish.core.settings import NoticeSettings
from pilotfish.core.users import LOCAL
from pilotfish.core.values import Value
from pilotfish.safety.address import parse_address
from pilotfish.safety.policy_judge import EFFECT_WORDS

if TYPE_CHECKING:
    from pilotfish.store.base import Store

Clock = Callable[[], datetime]
NEEDED_SETTINGS: Mapping[Channel, tuple[str, ...]] = {
    "webhook": ("webhook_url",),
    "email": ("smtp_host", "mail_to"),
    "ntfy": ("ntfy_url",),
}
"""Settings without which a channel reaches nobody."""
PREVIEWED_TIMES = 5
MOST_LISTED = 2000
MOST_SCHEDULES = 200
RUN_OPTIONS = frozenset({"loop", "model", "max_steps", "max_minutes", "chore", "iterations", "tools"}) | {
    "disabled_tools",
    "screenshots",
    "output_schema",
    "max_rows",
    "max_pages",
    "sites",
    "profile",
}
"""Options that a schedule may set for its runs. What they may do and spend is said by the schedule itself."""


class SchedulePreview(Value):
    """What a plan means: its next times, and what it may do while nobody attends it."""

    next: tuple[datetime, ...]
    zone: str
    allowed: tuple[str, ...]
    missing: tuple[str, ...] = Field(default=(), description="channels that no settings are made for yet")


class ScheduleService:
    """The schedules of all users."""

    def __init__(
        self, store: "Store", make_run: MakeRun, settings: Callable[[], NoticeSettings], clock: Clock = current_time
    ) -> None:
        self.store = store
        self.settings = settings
        self.clock = clock
        self.make_run = make_run

    async def create(self, plan: SchedulePlan, user: str = LOCAL) -> Schedule:
        """Keep a schedule. Its first time is the first one after now."""
        if len(await self.store.schedules(user)) >= MOST_SCHEDULES:
            raise PersonError(f"There are {MOST_SCHEDULES} schedules already.", "Delete one that is not needed.")
        return await self.store.save_schedule(self._begin(plan, user))

    async def preview(self, plan: SchedulePlan) -> SchedulePreview:
        """What a plan would do, without keeping it."""
        schedule = self._begin(plan, "")
        times: list[datetime] = []
        at = schedule.next
        while at is not None and len(times) < PREVIEWED_TIMES:
            times.append(at)
            at = find_next(schedule, at)
        missing = tuple(describe_missing_channels(plan, self.settings()))
        return SchedulePreview(
            next=tuple(times), zone=schedule.zone, allowed=tuple(describe_rights(plan)), missing=missing
        )

    def _begin(self, plan: SchedulePlan, user: str) -> Schedule:
        check_plan(plan)
        stated = {name: getattr(plan, name) for name in SchedulePlan.model_fields}
        stated["zone"] = check_zone(plan.zone) if plan.zone else machine_zone()
        schedule = Schedule(**stated, id=secrets.token_hex(6), user=user, created=self.clock())
        following = find_next(schedule, schedule.created)
        if following is None:
            raise PersonError(f"“{plan.when}” never happens again.", "Name a time that is still to come.")
        return schedule.model_copy(update={"next": following})

    async def list(self, user: str = LOCAL) -> Sequence[Schedule]:
        return await self.store.schedules(user)

    async def get(self, id: str, user: str = LOCAL) -> Schedule:
        """A schedule by its id, an unambiguous beginning of it, or its name."""
        mine = await self.store.schedules(user)
        found = [one for one in mine if id in (one.id, one.name)] or [one for one in mine if one.id.startswith(id)]
        if len(found) != 1 or not id:
            what = "more than one schedule" if len(found) > 1 else "no schedule"
            raise NotFoundError(f"There is {what} {id!r}.", "See `pilotfish schedules` for those there are.")
        return found[0]

    async def edit(self, id: str, plan: SchedulePlan, user: str = LOCAL) -> Schedule:
        """Put another plan in place of a schedule's. History and pause stay; its next time is the first after now."""
        known = await self.get(id, user)
        planned = self._begin(plan, user)
        stated = {name: getattr(planned, name) for name in SchedulePlan.model_fields}
        return await self._change(known.id, user, lambda _: {**stated, "next": planned.next})

    async def pause(self, id: str, user: str = LOCAL) -> Schedule:
        """Pause it until it is resumed. A run that is at work goes on."""
        return await self._change(id, user, lambda one: {"paused": True, "paused_why": "Paused by the person."})

    async def resume(self, id: str, user: str = LOCAL) -> Schedule:
        """Resume it from its next time on; what was left out meanwhile is not made up for."""
        read_recurrence((await self.get(id, user)).when)
        return await self._change(
            id,
            user,
            lambda one: {"paused": False, "paused_why": "", "failures": 0, "next": find_next(one, self.clock())},
        )

    async def delete(self, id: str, user: str = LOCAL) -> Schedule:
        """Delete a schedule and its history. Its runs stay in the list of runs."""
        schedule = await self.get(id, user)
        await self.store.delete_schedule(schedule.id)
        return schedule

    async def history(self, id: str, user: str = LOCAL, limit: int = 50) -> Sequence[ScheduleFire]:
        """Its times so far, newest first."""
        return await self.store.fires((await self.get(id, user)).id, limit)

    async def run_now(self, id: str, user: str = LOCAL) -> ScheduleFire:
        """Run it once now, also while it is paused, unless it is at work."""
        schedule = await self.get(id, user)
        busy = [fire for fire in await self.store.open_fires() if fire.schedule == schedule.id]
        if busy:
            raise PersonError("It is at work now.", f"Wait for its end, or stop run {busy[0].run}.")
        now = self.clock()
        fire = ScheduleFire(schedule=schedule.id, due=now, at=now, state="started")
        fire = fire.model_copy(update={"run": fire_run_id(fire)})
        await self.store.change_schedule(
            schedule.id, lambda one: ScheduleChange(one, (fire,), (self.make_run(one, fire, None),))
        )
        return fire

    async def calendar(self, since: datetime, until: datetime, user: str = LOCAL) -> Sequence[CalendarEntry]:
        """What was and what comes within a span, in order of time; many times of one day are one entry."""
        entries: list[CalendarEntry] = []
        for schedule in await self.store.schedules(user):
            fires = await self.store.fires(schedule.id, MOST_LISTED, since)
            entries += [*list_past(schedule, fires, until), *list_planned(schedule, since, until)]
        return sorted(entries, key=lambda entry: entry.at)

    async def _change(self, id: str, user: str, change: "Callable[[Schedule], dict[str, object]]") -> Schedule:
        schedule = await self.get(id, user)
        changed = await self.store.change_schedule(
            schedule.id, lambda one: ScheduleChange(one.model_copy(update=change(one)))
        )
        return changed or schedule


def check_plan(plan: SchedulePlan) -> None:
    """Refuse a plan that could not be carried out as it is said."""
    if not plan.task.strip():
        raise PersonError("There is nothing to do: the task is empty.", "Say what is to be done.")
    read_recurrence(plan.when)
    if plan.watch is not None and len(plan.pages) != 1:
        raise PersonError("A watch needs one page.", "Name the page that is watched.")
    if plan.watch is not None and plan.watch.kind != "page" and not plan.watch.what.strip():
        raise PersonError("It is not said what part of the page is watched.", "Name a selector or some words.")
    for page in plan.pages:
        if parse_address(page) is None:
            raise PersonError(f"{page[:200]!r} is not the address of a page.", "Write it as https://shop.example/….")
    for grant in plan.grants:
        check_grant(grant)
    if unknown := plan.options.keys() - RUN_OPTIONS:
        known = ", ".join(sorted(RUN_OPTIONS))
        raise PersonError(f"A schedule has no option {min(unknown)!r}.", f"Choose among: {known}.")


def check_grant(grant: ScheduleGrant) -> None:
    """Refuse a grant for no certain site, or of effects that nobody can or has to grant."""
    if parse_address(f"https://{grant.site}/") is None or "*" in grant.site or "/" in grant.site:
        raise PersonError(
            f"{grant.site!r} is not a site.", "Name one such as shop.example; a grant holds for one site."
        )
    for effect in grant.effects:
        if effect in FREE_EFFECTS:
            kinds = ", ".join(kind for kind in EFFECT_WORDS if kind not in FREE_EFFECTS)
            raise PersonError(f"{effect!r} cannot be granted.", f"Choose among: {kinds}.")


def describe_rights(plan: SchedulePlan) -> list[str]:
    """What runs of a plan may do while nobody attends them, one sentence each."""
    lines = [
        f"On {grant.site} it may {', '.join(EFFECT_WORDS[effect] for effect in grant.effects)} without asking."
        for grant in plan.grants
    ]
    which = "any other effect" if lines else "every effect"
    asked = f"Before {which} it asks, and waits up to {plan.wait_hours:g} hours"
    return [*lines, f"{asked if plan.asks else f'{which.capitalize()} is refused'}; reading is always allowed."]


def describe_missing_channels(plan: SchedulePlan, settings: NoticeSettings) -> list[str]:
    """A sentence for each channel of a plan that cannot tell anybody yet, with the settings that it needs."""
    lines: list[str] = []
    for channel in plan.notify:
        names = [f"notices.{name}" for name in NEEDED_SETTINGS.get(channel, ()) if not getattr(settings, name)]
        if names:
            lines.append(f"Nobody can be told by {channel} yet: set {' and '.join(names)}.")
    return lines


def check_zone(name: str) -> str:
    """The name of a time zone, as it is known."""
    known = {each.lower(): each for each in available_timezones()}
    if name.strip().lower() not in known:
        raise PersonError(f"There is no time zone {name[:60]!r}.", "Write it like Europe/Lisbon or UTC.")
    return known[name.strip().lower()]


def machine_zone() -> str:
    """The time zone of this machine, as far as it says so; else UTC."""
    link = os.path.realpath("/etc/localtime").partition("zoneinfo/")[2]
    for name in (os.environ.get("TZ", "").lstrip(":"), link):
        if name and name in available_timezones():
            return ZoneInfo(name).key
    return "UTC"

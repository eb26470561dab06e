"""Schedules and watches over HTTP: make, list, change, pause, resume, delete, run now, history and calendar."""

from datetime import datetime, timedelta
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field, ValidationError

from pilotfish.app import Pilotfish
from pilotfish.core.schedules import CalendarEntry, Schedule, ScheduleFire, SchedulePlan
from pilotfish.core.users import LOCAL, User
from pilotfish.core.values import Value
from pilotfish.interfaces.http.runs import RunOptions
from pilotfish.interfaces.web_server.dependencies import ERRORS, AppDep, RecordId, UserDep
from pilotfish.interfaces.web_server.problems import RequestRefused
from pilotfish.interfaces.web_server.run_options import check_budget, check_loop, check_options
from pilotfish.services.schedules import SchedulePreview, check_plan
from pilotfish.services.time_reading import PlainWhen

router = APIRouter(prefix="/api/schedules", tags=["schedules"], responses=ERRORS)
LONGEST_SPAN = timedelta(days=62)


class NewSchedule(SchedulePlan):
    """A plan for a schedule or a watch. Its `options` are those of runs, as far as a schedule may set them."""


class ScheduleCalendar(Value):
    """What was and what comes within a span of time."""

    entries: tuple[CalendarEntry, ...]


async def check_schedule(fish: Pilotfish, me: User, new: NewSchedule) -> SchedulePlan:
    """The plan, if this user may have it: no more money, no other model and no channels of others."""
    check_plan(new)
    try:
        asked = RunOptions.model_validate(new.options)
    except ValidationError as error:
        wrong = error.errors()[0]
        message = f"options.{'.'.join(map(str, wrong['loc']))}: {wrong['msg']}."
        raise RequestRefused(422, "invalid", message, "See /api/openapi.json for the options of runs.") from None
    check_loop(fish, asked.loop)
    await check_options(fish, me, asked.options())
    if not me.admin:
        check_budget(new.budget_cents, fish.settings.budget.run_cents)
        if set(new.notify) - {"page"}:
            message = "Only an admin may be told by desktop, webhook, e-mail or ntfy."
            raise RequestRefused(403, "admins_only", message, "Choose `page` alone.")
    if new.grants and me.id != LOCAL and fish.settings.policy.preset in ("unattended", "read_only"):
        message = f"The settings say {fish.settings.policy.preset}, so only the machine's owner may grant effects."
        raise RequestRefused(403, "too_free", message, "Leave `grants` out.")
    return new


@router.post("", status_code=201)
async def create_schedule(fish: AppDep, me: UserDep, new: NewSchedule) -> Schedule:
    """Make a schedule, or with `watch` a watch of a page."""
    return await fish.schedules.create(await check_schedule(fish, me, new), me.id)


@router.post("/preview")
async def preview_schedule(fish: AppDep, me: UserDep, new: NewSchedule) -> SchedulePreview:
    """Say when a plan would happen and what it may do, without keeping it."""
    return await fish.schedules.preview(await check_schedule(fish, me, new))


class SaidTime(Value):
    """Words that say when something happens, in no known form."""

    when: str = Field(min_length=1, max_length=200)
    zone: str = Field(default="", max_length=60)


@router.post("/read")
async def read_said_time(fish: AppDep, me: UserDep, said: SaidTime) -> PlainWhen:
    """Have a model say in a known form when something happens, to be confirmed by a person."""
    return await fish.read_when(said.when, zone=said.zone, user=me.id)


@router.get("")
async def list_schedules(fish: AppDep, me: UserDep) -> list[Schedule]:
    """List the user's schedules, oldest first."""
    return list(await fish.schedules.list(me.id))


@router.get("/calendar")
async def read_calendar(
    fish: AppDep, me: UserDep, since: Annotated[datetime, Query()], until: Annotated[datetime, Query()]
) -> ScheduleCalendar:
    """Read what was and what comes within at most two months."""
    if since.tzinfo is None or until.tzinfo is None or not since <= until <= since + LONGEST_SPAN:
        raise RequestRefused(422, "invalid", "That is not a span of time.", "Give two times with zone, within 62 days.")
    return ScheduleCalendar(entries=tuple(await fish.schedules.calendar(since, until, me.id)))


@router.get("/{schedule}")
async def read_schedule(fish: AppDep, me: UserDep, schedule: RecordId) -> Schedule:
    """Read a schedule."""
    return await fish.schedules.get(schedule, me.id)


@router.put("/{schedule}")
async def edit_schedule(fish: AppDep, me: UserDep, schedule: RecordId, new: NewSchedule) -> Schedule:
    """Put another plan in place of a schedule's; its history and its pause stay."""
    return await fish.schedules.edit(schedule, await check_schedule(fish, me, new), me.id)


@router.get("/{schedule}/history")
async def read_schedule_history(
    fish: AppDep, me: UserDep, schedule: RecordId, limit: Annotated[int, Query(ge=1, le=500)] = 50
) -> list[ScheduleFire]:
    """List its times so far, newest first, with what changed since the time before."""
    return list(await fish.schedules.history(schedule, me.id, limit))


@router.post("/{schedule}/pause")
async def pause_schedule(fish: AppDep, me: UserDep, schedule: RecordId) -> Schedule:
    """Pause it; a run that is at work goes on."""
    return await fish.schedules.pause(schedule, me.id)


@router.post("/{schedule}/resume")
async def resume_schedule(fish: AppDep, me: UserDep, schedule: RecordId) -> Schedule:
    """Resume it from the next time after now."""
    return await fish.schedules.resume(schedule, me.id)


@router.post("/{schedule}/run", status_code=201)
async def run_schedule_now(fish: AppDep, me: UserDep, schedule: RecordId) -> ScheduleFire:
    """Run it once now, also while it is paused."""
    fire = await fish.schedules.run_now(schedule, me.id)
    fish.queue.wake()
    return fire


@router.delete("/{schedule}", status_code=204)
async def delete_schedule(fish: AppDep, me: UserDep, schedule: RecordId) -> None:
    """Delete it with its history; its runs stay."""
    await fish.schedules.delete(schedule, me.id)

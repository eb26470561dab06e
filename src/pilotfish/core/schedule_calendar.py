"""What a calendar shows of a schedule: times to come and times that were; those of a busy day as one entry."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from zoneinfo import ZoneInfo

from pilotfish.core.schedule_progress import find_next
from pilotfish.core.schedules import CalendarEntry, Schedule, ScheduleFire

BUSY_TIMES = 4
"""More times of a day than this are one entry."""


def list_planned(schedule: Schedule, since: datetime, until: datetime) -> list[CalendarEntry]:
    """The times to come within a span; of a busy day the first one, with how often it happens."""
    entries: list[CalendarEntry] = []
    zone = ZoneInfo(schedule.zone)
    at = None if schedule.paused else schedule.next
    if at is not None and at < since:
        at = find_next(schedule, since - timedelta(microseconds=1))
    while at is not None and at <= until:
        end = day_end(at, zone)
        times: list[datetime] = []
        while at is not None and at < end and at <= until and len(times) <= BUSY_TIMES:
            times.append(at)
            at = find_next(schedule, at)
        if len(times) > BUSY_TIMES:
            entries.append(_make_entry(schedule, times[0], count=0))
            at = find_next(schedule, end - timedelta(microseconds=1))
        else:
            entries += [_make_entry(schedule, each) for each in times]
    return entries


def list_past(schedule: Schedule, fires: Iterable[ScheduleFire], until: datetime) -> list[CalendarEntry]:
    """The times that were; of a busy day those that ended alike are one entry, with the run of the last."""
    zone = ZoneInfo(schedule.zone)
    kept = sorted((fire for fire in fires if fire.due <= until), key=lambda fire: fire.due)
    entries: list[CalendarEntry] = []
    for _, day in groupby(kept, key=lambda fire: day_end(fire.due, zone)):
        times = list(day)
        kinds = dict.fromkeys((fire.state, fire.outcome) for fire in times)
        alike = [[fire for fire in times if (fire.state, fire.outcome) == kind] for kind in kinds]
        for group in alike if len(times) > BUSY_TIMES else [[fire] for fire in times]:
            entries.append(_fold(schedule, group))
    return entries


def day_end(at: datetime, zone: ZoneInfo) -> datetime:
    """When the day of a moment ends in a zone."""
    local = at.astimezone(zone)
    midnight = local.replace(hour=0, minute=0, second=0, microsecond=0, fold=0)
    return (midnight + timedelta(days=1)).astimezone(at.tzinfo)


def _fold(schedule: Schedule, fires: Sequence[ScheduleFire]) -> CalendarEntry:
    last = fires[-1]
    entry = _make_entry(schedule, fires[0].due, count=len(fires))
    return entry.model_copy(update={"state": last.state, "outcome": last.outcome, "run": last.run})


def _make_entry(schedule: Schedule, at: datetime, count: int = 1) -> CalendarEntry:
    return CalendarEntry(
        schedule=schedule.id,
        title=schedule.title,
        at=at,
        state="planned",
        count=count,
        when=schedule.when,
        zone=schedule.zone,
    )

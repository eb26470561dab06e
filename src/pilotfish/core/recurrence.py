"""When a schedule happens: cron text or plain words such as "every weekday at 8", read into times.

Intervals such as "every 2 hours" count from when the schedule was made, in real time.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from pilotfish.core.cron_times import CronTimes, local_time, parse_cron
from pilotfish.core.errors import PersonError, UnclearTimeError
from pilotfish.core.values import Value
from pilotfish.core.when_reader import LAST_WEEK, UNITS, Clock, SaidTimes, UnclearTime, WhenReader
from pilotfish.core.when_words import read_plain_words

KNOWN_FORMS = (
    "every 15 minutes; every 2 hours between 8 and 18; daily at 18:30; every weekday at 8; mon-fri at 9:15; every "
    "other friday at 17:00; monthly on the 1st at 9; the last friday of the month at noon; tomorrow at 9; in 2 hours; "
    "2026-12-24 18:00; or cron text such as 0 8 * * 1-5"
)
SHORTEST_INTERVAL = timedelta(minutes=1)
CRON_FIELD = re.compile(r"[\d*/,#L-]+|(?:(?:sun|mon|tue|wed|thu|fri|sat)[-,#\dL]*)+|(?:[a-z]{3}[-,]?)+", re.IGNORECASE)
LONGEST_STRIDE = 400
"""Days that a stride passes over before the next day that counts, at most."""


class Recurrence(Value):
    """All times of a schedule: by cron texts, by an interval, or one single moment.

    `stride`: of the days of the cron texts only each so many, of the weeks where `weekly`. `single`: only the first
    time. `ahead`: only on the day that is so many days after the one on which the schedule was made.
    """

    crons: tuple[CronTimes, ...] = ()
    interval: timedelta | None = None
    once: datetime | None = None
    stride: int = 1
    weekly: bool = False
    single: bool = False
    ahead: int | None = None

    def next_after(self, moment: datetime, zone: ZoneInfo, anchor: datetime) -> datetime | None:
        """The first time after a moment, in UTC. Intervals and strides count from the anchor."""
        if self.single:
            first = self._first(zone, anchor)
            return first if first and first > moment else None
        if self.interval is not None:
            past = max(0, (moment - anchor) // self.interval) if moment >= anchor else -1
            return anchor + (past + 1) * self.interval if past >= 0 else anchor + self.interval
        if self.once is not None:
            at = self.once.replace(tzinfo=zone).astimezone(UTC) if self.once.tzinfo is None else self.once
            return at.astimezone(UTC) if at > moment else None
        return self._next_cron(moment, zone) if self.stride == 1 else self._next_stride(moment, zone, anchor)

    def _next_cron(self, moment: datetime, zone: ZoneInfo) -> datetime | None:
        found = [at for cron in self.crons if (at := cron.next_after(moment, zone))]
        return min(found) if found else None

    def _first(self, zone: ZoneInfo, anchor: datetime) -> datetime | None:
        if self.interval is not None:
            return anchor + self.interval
        if self.ahead is None:
            return self._next_cron(anchor, zone)
        day = local_time(anchor, zone).date() + timedelta(days=self.ahead)
        midnight = datetime.combine(day, time(), zone).astimezone(UTC)
        return self._next_cron(midnight - timedelta(microseconds=1), zone)

    def _next_stride(self, moment: datetime, zone: ZoneInfo, anchor: datetime) -> datetime | None:
        begin, at = self._next_cron(anchor, zone), self._next_cron(moment, zone)
        for _ in range(LONGEST_STRIDE):
            if begin is None or at is None:
                return None
            first, day = local_time(begin, zone).date(), local_time(at, zone).date()
            if self.weekly:
                first, now = first - timedelta(days=first.weekday()), day - timedelta(days=day.weekday())
                passed = (now - first).days // 7
            else:
                passed = (day - first).days
            if passed % self.stride == 0:
                return at
            midnight = datetime.combine(day + timedelta(days=1), time(), zone).astimezone(UTC)
            at = self._next_cron(midnight - timedelta(microseconds=1), zone)
        return None


@lru_cache(256)
def read_recurrence(text: str) -> Recurrence:
    """Read cron text, plain words or a single date and time."""
    said = " ".join(text.split())
    fields = said.split()
    if said.startswith("@") or (all(map(CRON_FIELD.fullmatch, fields)) and ("*" in fields or len(fields) == 5)):
        return Recurrence(crons=(parse_cron(said),))
    if (once := _read_moment(said)) is not None:
        return Recurrence(once=once)
    try:
        words = read_plain_words(said)
        if not words:
            raise UnclearTime
        return make_recurrence(WhenReader(words).read())
    except (UnclearTime, PersonError) as error:
        if isinstance(error, PersonError) and "often" in error.message:
            raise
        raise UnclearTimeError(
            f"“{said[:80]}” does not surely say when.", f"Say it like one of these: {KNOWN_FORMS}."
        ) from None


def _read_moment(said: str) -> datetime | None:
    try:
        return datetime.fromisoformat(said) if said[:4].isdigit() and len(said) > 10 else None
    except ValueError:
        return None


def make_recurrence(said: SaidTimes) -> Recurrence:
    """The times that are meant by what was said; raises UnclearTime where it does not fit together."""
    if said.days.date is not None:
        hour, minute = (said.clocks or [(0, 0)])[0]
        return Recurrence(once=datetime.combine(said.days.date, time(hour, minute)))
    if said.delayed:
        if said.days.any or said.times or said.parts or said.every:
            raise UnclearTime
        return Recurrence(interval=_measure(said), single=True)
    if said.days.ahead is not None:
        if not said.clocks:
            raise UnclearTime
        return Recurrence(crons=_write_crons(said.clocks, "* * *"), single=True, ahead=said.days.ahead)
    if said.unit in ("second", "minute", "hour") or (said.days.units & {"minute", "hour"} and not said.times):
        return _repeat_within_days(said)
    if said.count and said.days.units - {said.unit}:
        raise UnclearTime
    if said.unit == "day" and said.days.weekdays:
        # "Every 14 days on monday" is every second Monday.
        if said.count % 7:
            raise UnclearTime
        said.count, said.unit = said.count // 7, "week"
    weeks = said.unit == "week" or "week" in said.days.units
    stride = max(said.days.stride, said.count if said.unit in ("day", "week") else 1)
    if stride > 1 and not said.days.weekdays and not said.clocks:
        return Recurrence(interval=timedelta(days=stride * (7 if weeks else 1)))
    if said.span or not (said.days.any or said.parts or said.clocks or said.unit):
        raise UnclearTime
    crons = _write_crons(said.clocks or [(0, 0)], _write_days(said))
    single = bool(said.days.month) and not (said.every or "year" in said.days.units)
    return Recurrence(crons=crons, stride=stride, weekly=weeks or bool(said.days.weekdays), single=single)


def _measure(said: SaidTimes) -> timedelta:
    """How long the count of units is."""
    interval = timedelta(seconds=said.count * UNITS[said.unit])
    if interval < SHORTEST_INTERVAL:
        raise PersonError("That is too often.", "Say a minute or more.")
    return interval


def _repeat_within_days(said: SaidTimes) -> Recurrence:
    """Every so many minutes or hours: all the time, or on some days or between two times of a day."""
    unit = said.unit or next(unit for unit in ("minute", "hour") if unit in said.days.units)
    said.count, said.unit = said.count or 1, unit
    interval = _measure(said)
    if said.times or said.parts or said.days.month or said.days.month_days:
        raise UnclearTime
    if not (said.span or said.days.weekdays):
        return Recurrence(interval=interval)
    first, last = said.span or ((0, 0), (23, 59))
    minutes = range(first[0] * 60 + first[1], last[0] * 60 + last[1] + 1, max(1, int(interval.total_seconds() // 60)))
    by_minute: dict[int, list[int]] = {}
    for at in minutes:
        by_minute.setdefault(at % 60, []).append(at // 60)
    if not by_minute:
        raise UnclearTime
    days = _write_days(said)
    return Recurrence(
        crons=tuple(parse_cron(f"{at} {','.join(map(str, hours))} {days}") for at, hours in by_minute.items())
    )


def _write_crons(clocks: Sequence[Clock], days: str) -> tuple[CronTimes, ...]:
    return tuple(parse_cron(f"{minute} {hour} {days}") for hour, minute in clocks)


def _write_days(said: SaidTimes) -> str:
    """The fields of a cron text for days, months and weekdays."""
    yearly, monthly = "year" in said.days.units, "month" in (said.unit, *said.days.units)
    if said.days.weekdays and (said.days.month_days or (monthly and not said.days.nth)):
        raise UnclearTime
    if said.days.month and not (said.days.month_days or said.days.weekdays):
        raise UnclearTime
    month_days = ["L" if day == LAST_WEEK else str(day) for day in said.days.month_days]
    which = "L" if said.days.nth == LAST_WEEK else f"#{said.days.nth}" if said.days.nth else ""
    week_days = [f"{day}{which}" for day in said.days.weekdays]
    if not month_days and not week_days and (yearly or monthly):
        month_days = ["1"]
    if "week" in (said.unit, *said.days.units) and not week_days:
        week_days = ["1"]
    months = str(said.days.month or (1 if yearly else "*"))
    if said.unit == "month" and said.count > 1:
        months = f"*/{said.count}"
    return f"{_join(month_days)} {months} {_join(week_days)}"


def _join(days: Iterable[str]) -> str:
    return ",".join(dict.fromkeys(days)) or "*"

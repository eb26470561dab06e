"""Cron text: five fields that say at which minutes, hours and days something happens, in the time of a zone.

A day that changes the clock is handled as people expect: a time that does not exist happens as much later as the clock
was put forward, and a time that exists twice happens the first time. Where every hour is meant, real hours count.
"""

import calendar
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from pilotfish.core.errors import PersonError
from pilotfish.core.values import Value

MACROS = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
}
MONTHS = {name.lower(): number for number, name in enumerate(calendar.month_abbr) if name}
WEEKDAYS = {name.lower(): (number + 1) % 7 for number, name in enumerate(calendar.day_abbr)}
HOURS = frozenset(range(24))
LONGEST_SEARCH = 366 * 9
"""Days that are looked at for the next time: 29 February may be eight years away."""
CLOCK_CHANGE = timedelta(hours=3)
LAST_DAY = "L"
NTH = re.compile(r"([0-7]|[a-z]{3})(?:#([1-5])|l)")
"""A weekday of a certain week of the month, as 1#2 or mon#2, or the last one, as 5l or fril."""


class CronTimes(Value):
    """The minutes, hours and days of one cron text. Weekdays count from Sunday, 0.

    `last_day`: the last day of a month, too. `nth`: weekdays with the number of their week in a month, -1 for the last.
    """

    minutes: frozenset[int]
    hours: frozenset[int]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]
    last_day: bool = False
    nth: frozenset[tuple[int, int]] = frozenset()
    either_day: bool = False

    def happens_on(self, day: date) -> bool:
        """Whether a day is meant. Where days and weekdays are both limited, either of them is enough."""
        if day.month not in self.months:
            return False
        weekday, length = (day.weekday() + 1) % 7, calendar.monthrange(day.year, day.month)[1]
        in_month = day.day in self.days or (self.last_day and day.day == length)
        week, last = (day.day + 6) // 7, day.day + 7 > length
        in_week = weekday in self.weekdays or (weekday, week) in self.nth or (last and (weekday, -1) in self.nth)
        return in_month or in_week if self.either_day else in_month and in_week

    def next_after(self, moment: datetime, zone: ZoneInfo) -> datetime | None:
        """The first time after a moment, in UTC; None if there is none within nine years."""
        local = local_time(moment, zone)
        for number in range(-1, LONGEST_SEARCH):
            day = local.date() + timedelta(days=number)
            if not self.happens_on(day):
                continue
            found: list[datetime] = []
            for at_clock in self._clock_times(day):
                # A clock change moves a time by a few hours at most.
                if at_clock < local - CLOCK_CHANGE or (found and at_clock > local_time(found[0], zone) + CLOCK_CHANGE):
                    continue
                found += [at for at in self._real_times(at_clock, zone) if at > moment]
            if found:
                return min(found)
        return None

    def _clock_times(self, day: date) -> Iterator[datetime]:
        for hour in sorted(self.hours):
            for minute in sorted(self.minutes):
                yield datetime.combine(day, time(hour, minute))

    def _real_times(self, at_clock: datetime, zone: ZoneInfo) -> Iterator[datetime]:
        """The moments at which the clock shows this, as far as they count."""
        every_hour = self.hours == HOURS
        first, second = (at_clock.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))
        exists = local_time(first, zone) == at_clock
        if exists or not every_hour:
            yield first
        if exists and every_hour and second != first:
            yield second


def local_time(moment: datetime, zone: ZoneInfo) -> datetime:
    """What the clock of a zone shows at a moment."""
    return moment.astimezone(zone).replace(tzinfo=None)


def parse_cron(text: str) -> CronTimes:
    """Read cron text such as `0 8 * * mon-fri`, or a name such as `@daily`."""
    fields = MACROS.get(text.strip().lower(), text).split()
    if len(fields) != 5:
        raise _refuse(text, f"it has {len(fields)} fields, not 5")
    minutes, hours, days, months, weekdays = fields
    plain_days = [part for part in days.split(",") if part.upper() != LAST_DAY]
    named = {part: NTH.fullmatch(part.lower()) for part in weekdays.split(",")}
    plain_weekdays = [part for part, nth in named.items() if nth is None]
    try:
        return CronTimes(
            minutes=_read_field(minutes, 0, 59),
            hours=_read_field(hours, 0, 23),
            days=_read_field(",".join(plain_days), 1, 31),
            months=_read_field(months, 1, 12, MONTHS),
            weekdays=frozenset(day % 7 for day in _read_field(",".join(plain_weekdays), 0, 7, WEEKDAYS)),
            last_day=len(plain_days) < days.count(",") + 1,
            nth=frozenset((_read_number(nth[1], WEEKDAYS) % 7, int(nth[2] or -1)) for nth in named.values() if nth),
            either_day=not days.startswith("*") and not weekdays.startswith("*"),
        )
    except ValueError as error:
        raise _refuse(text, str(error)) from None


def _read_field(field: str, least: int, most: int, names: Mapping[str, int] | None = None) -> frozenset[int]:
    found: set[int] = set()
    for part in filter(None, field.lower().split(",")):
        span, _, step = part.partition("/")
        first, dash, last = span.partition("-")
        if span == "*":
            low, high = least, most
        else:
            low = _read_number(first, names)
            high = _read_number(last, names) if dash else most if step else low
        every = _read_number(step, None) if step else 1
        if not least <= low <= high <= most or every < 1:
            raise ValueError(f"“{part}” is not within {least} to {most}")
        found |= set(range(low, high + 1, every))
    return frozenset(found)


def _read_number(text: str, names: Mapping[str, int] | None) -> int:
    known = (names or {}).get(text)
    if known is None and not (text.isascii() and text.isdigit() and len(text) <= 4):
        raise ValueError(f"“{text}” is not a number")
    return int(text) if known is None else known


def _refuse(text: str, why: str) -> PersonError:
    return PersonError(
        f"“{text[:80]}” is not cron text: {why}.",
        "Write minute, hour, day, month and weekday, such as `0 8 * * mon-fri`.",
    )

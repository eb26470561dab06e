"""When a schedule happens: cron text or plain words such as "every weekday at 8", read into times.

Intervals such as "every 2 hours" count from when the schedule was made, in real time.
"""

import re
from datetime import UTC, datetime, time, timedelta
from functools import lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo

from pilotfish.core.cron_times import CronTimes, local_time, parse_cron
from pilotfish.core.errors import PersonError, UnclearTimeError
from pilotfish.core.values import Value
from pilotfish.core.when_words import read_plain_words

KNOWN_FORMS = (
    "every 15 minutes; every 2 hours; every day at 18:30; every weekday at 8 and at 16:30; mon-fri at 9:15; every "
    "monday and thursday at 9; every other friday at 17:00; every 3 days at 9; every month on the 1st at 9; tomorrow "
    "at 9; in 2 hours; 2026-12-24 18:00; or cron text such as 0 8 * * 1-5; */30 8-17 * * *; 0 9 L * * for the last "
    "day of a month; 0 9 * * fri#1 for its first Friday"
)
SHORTEST_INTERVAL = timedelta(minutes=1)
SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86_400, "week": 604_800}
GROUPS = {"day": "*", "weekday": "1-5", "weekend": "6,0"}
WEEK = ("sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday")
CRON_FIELD = re.compile(r"[\d*/,#L-]+|(?:(?:sun|mon|tue|wed|thu|fri|sat)[-,#\dL]*)+|(?:[a-z]{3}[-,]?)+", re.IGNORECASE)
INTERVAL = re.compile(r"(?:(every|in) (\d{1,5})|every(?= (?:minute|hour|week))) (second|minute|hour|day|week)")
BARE_HOUR = re.compile(r"\bat (\d{1,2})(?: hour)?(?![\d:.])")
CLOCK = r"(?:at )?\d{1,2}:\d\d"
CLOCKS = re.compile(rf"{CLOCK}(?: and {CLOCK})*")
DATE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}")
DAYS = re.compile(r"(?:every )?(?:([1-9]\d{0,2}) )?(day|weekday|weekend)")
WEEKDAY = rf"(?:{'|'.join(WEEK)})"
WEEKDAYS = re.compile(
    rf"(?:every )?(?:(2) |(?:([1-9]\d?) )?week )?({WEEKDAY}(?: (?:and|plus|to|at)(?: every)? {WEEKDAY})*)"
)
MONTH_DAYS = re.compile(
    r"every month \d{1,2}\.?(?: and \d{1,2}\.?)*|\d{1,2}\.(?: and \d{1,2}\.)* (?:every )?month|\d{1,2} every month"
)
LONGEST_STRIDE = 400
"""Days that a stride passes over before the next day that counts, at most."""


class Recurrence(Value):
    """All times of a schedule: by cron texts, by an interval, or one single moment.

    `stride`: of the days of the cron texts only each so many, of the weeks where `weekly`. `single`: only once, after
    the interval or on the day after the one on which the schedule was made.
    """

    crons: tuple[CronTimes, ...] = ()
    interval: timedelta | None = None
    once: datetime | None = None
    stride: int = 1
    weekly: bool = False
    single: bool = False

    def next_after(self, moment: datetime, zone: ZoneInfo, anchor: datetime) -> datetime | None:
        """The first time after a moment, in UTC. Intervals and strides count from the anchor."""
        if self.single:
            first = anchor + self.interval if self.interval else self._next_cron(_end_of_day(anchor, zone), zone)
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
            at = self._next_cron(_end_of_day(at, zone), zone)
        return None


def _end_of_day(moment: datetime, zone: ZoneInfo) -> datetime:
    """The last moment of a day, as the clock of a zone has it."""
    day = local_time(moment, zone).date() + timedelta(days=1)
    return datetime.combine(day, time(), zone).astimezone(UTC) - timedelta(microseconds=1)


class SaidDays(NamedTuple):
    """Days as the last three fields of a cron text; `stride` and `weekly` as in Recurrence."""

    fields: str
    stride: int = 1
    weekly: bool = False


@lru_cache(256)
def read_recurrence(text: str) -> Recurrence:
    """Read cron text, plain words or a single date and time."""
    said = " ".join(text.split())
    fields = said.split()
    if said.startswith("@") or (all(map(CRON_FIELD.fullmatch, fields)) and ("*" in fields or len(fields) == 5)):
        return Recurrence(crons=(parse_cron(said),))
    found = _read_moment(said) or _read_words(read_plain_words(said) or "")
    if found is None:
        raise UnclearTimeError(f"“{said[:80]}” does not surely say when.", f"Say it like one of these: {KNOWN_FORMS}.")
    return found


def _read_moment(said: str) -> Recurrence | None:
    try:
        return Recurrence(once=datetime.fromisoformat(said)) if said[:4].isdigit() and len(said) > 10 else None
    except ValueError:
        return None


def _read_words(plain: str) -> Recurrence | None:
    """What plain words surely say: an interval, or days with times before or after them."""
    if repeated := INTERVAL.fullmatch(plain):
        return _read_interval(repeated)
    said = BARE_HOUR.sub(r"at \1:00", plain)
    times = CLOCKS.search(said)
    begin, end = times.span() if times else (len(said), len(said))
    clocks = [(int(hour), int(minute)) for hour, minute in re.findall(r"(\d{1,2}):(\d\d)", said[begin:end])]
    if (begin and end < len(said)) or any(hour > 23 for hour, _ in clocks):
        return None
    which = (said[:begin] or said[end:]).strip()
    if DATE.fullmatch(which):
        return _read_moment(f"{which} {clocks[0][0]:02}:{clocks[0][1]:02}") if len(clocks) == 1 else None
    if which == "tomorrow":
        crons = _write_crons(clocks, "* * *")
        return Recurrence(crons=crons, single=True) if crons else None
    days = _read_days(which)
    if days is None:
        return None
    return Recurrence(crons=_write_crons(clocks or [(0, 0)], days.fields), stride=days.stride, weekly=days.weekly)


def _read_interval(said: re.Match[str]) -> Recurrence:
    interval = timedelta(seconds=int(said[2] or 1) * SECONDS[said[3]])
    if interval < SHORTEST_INTERVAL:
        raise PersonError("That is too often.", "Say a minute or more.")
    return Recurrence(interval=interval, single=said[1] == "in")


def _read_days(said: str) -> SaidDays | None:
    """Which days are meant; None where that is not sure."""
    if days := DAYS.fullmatch(said):
        stride = int(days[1] or 1)
        return SaidDays(f"* * {GROUPS[days[2]]}", stride) if stride == 1 or days[2] == "day" else None
    if week := WEEKDAYS.fullmatch(said):
        return SaidDays(f"* * {_list_weekdays(week[3])}", int(week[1] or week[2] or 1), weekly=True)
    numbers = re.findall(r"\d+", said) if MONTH_DAYS.fullmatch(said) else []
    return SaidDays(f"{','.join(numbers)} * *") if numbers and all(1 <= int(day) <= 31 for day in numbers) else None


def _list_weekdays(said: str) -> str:
    """Weekdays and spans of them, such as monday to friday, as numbers."""
    found: list[int] = []
    reaches = False
    for word in said.split():
        if word in WEEK:
            last = WEEK.index(word)
            first = found[-1] + 1 if reaches else last
            found += [day % 7 for day in range(first, first + (last - first) % 7 + 1)]
        # Spanish has one word for "at" and for "to".
        reaches = word in ("to", "at") or (reaches and word == "every")
    return ",".join(map(str, dict.fromkeys(found)))


def _write_crons(clocks: list[tuple[int, int]], days: str) -> tuple[CronTimes, ...]:
    return tuple(parse_cron(f"{minute} {hour} {days}") for hour, minute in clocks)

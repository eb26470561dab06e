"""When a schedule happens: cron text or plain words such as "every weekday at 8", read into times.

Intervals such as "every 2 hours" count from when the schedule was made, in real time.
"""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from pilotfish.core.cron_times import CronTimes, parse_cron
from pilotfish.core.errors import PersonError
from pilotfish.core.values import Value

FORMS = (
    "every 15 minutes; every 2 hours; hourly; daily at 18:30; every weekday at 8; every monday and thursday at 9:15; "
    "weekly on friday at 17:00; monthly on the 1st at 9; 2026-12-24 18:00; or cron text such as 0 8 * * 1-5"
)
SHORTEST = timedelta(minutes=1)
UNITS = {
    "s": 1,
    "second": 1,
    "m": 60,
    "min": 60,
    "minute": 60,
    "h": 3600,
    "hour": 3600,
    "d": 86_400,
    "day": 86_400,
    "w": 604_800,
    "week": 604_800,
}
WEEK = ("sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday")
DAY_GROUPS = {"weekday": "1-5", "workday": "1-5", "weekend": "0,6", "day": "*", "daily": "*"}
NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "ten": 10, "other": 2}
NAMED_TIMES = {"noon": (12, 0), "midnight": (0, 0)}
FILLERS = frozenset({"on", "the", "and", "of", "each", "every", "in", "a", "an", "at", "o'clock"})
TIME = re.compile(r"(\d{1,2})(?:[:.](\d{2}))?(am|pm)?")
COUNT = re.compile(r"(\d{1,5}) ?([a-z]{1,8})")
ORDINAL = re.compile(r"(\d{1,2})(?:st|nd|rd|th)")


class Recurrence(Value):
    """All times of a schedule: by cron texts, by an interval, or one single moment."""

    crons: tuple[CronTimes, ...] = ()
    interval: timedelta | None = None
    once: datetime | None = None

    def next_after(self, moment: datetime, zone: ZoneInfo, anchor: datetime) -> datetime | None:
        """The first time after a moment, in UTC. Intervals count from the anchor."""
        if self.interval is not None:
            past = max(0, (moment - anchor) // self.interval) if moment >= anchor else -1
            return anchor + (past + 1) * self.interval if past >= 0 else anchor + self.interval
        if self.once is not None:
            at = self.once.replace(tzinfo=zone).astimezone(UTC) if self.once.tzinfo is None else self.once
            return at.astimezone(UTC) if at > moment else None
        found = [at for cron in self.crons if (at := cron.next_after(moment, zone))]
        return min(found) if found else None


def read_recurrence(text: str) -> Recurrence:
    """Read cron text, plain words or a single date and time."""
    said = " ".join(text.split())
    if said.startswith("@") or (said[:1] in "*0123456789" and said.count(" ") == 4):
        return Recurrence(crons=(parse_cron(said),))
    if (once := _read_moment(said)) is not None:
        return Recurrence(once=once)
    words = said.lower().replace(",", " ").split()
    found = _read_interval(words) or _read_days(words)
    if found is None:
        raise PersonError(f"“{said[:80]}” does not say when.", f"Say it like one of these: {FORMS}.")
    return found


def _read_moment(said: str) -> datetime | None:
    try:
        return datetime.fromisoformat(said) if said[:4].isdigit() and len(said) > 10 else None
    except ValueError:
        return None


def _read_interval(words: Sequence[str]) -> Recurrence | None:
    if list(words) in (["hourly"], ["every", "hour"]):
        return Recurrence(interval=timedelta(hours=1))
    if words[:1] != ["every"] or not 2 <= len(words) <= 3:
        return None
    rest = [str(NUMBERS.get(word, word)) for word in words[1:]]
    match = COUNT.fullmatch(" ".join(rest)) or COUNT.fullmatch(f"1 {' '.join(rest)}")
    unit = match and (UNITS.get(match[2]) or UNITS.get(match[2].removesuffix("s")))
    # "every day" and "every week" are calendar days, which the clock change must not move.
    if not match or not unit or (len(words) == 2 and words[1] in ("day", "week")):
        return None
    interval = timedelta(seconds=int(match[1]) * unit)
    if interval < SHORTEST:
        raise PersonError("That is too often.", "Say a minute or more.")
    return Recurrence(interval=interval)


def _read_days(words: Sequence[str]) -> Recurrence | None:
    """Days in words, with or without times after "at"."""
    place = words.index("at") if "at" in words else len(words)
    times = _read_times(words[place + 1 :]) if place < len(words) else [(0, 0)]
    days = _read_day_fields([word for word in words[:place] if word not in FILLERS])
    if times is None or days is None or not (days != ("", "") or place < len(words)):
        return None
    month_days, week_days = days
    fields = f"{month_days or '*'} * {week_days or '*'}"
    return Recurrence(crons=tuple(parse_cron(f"{minute} {hour} {fields}") for hour, minute in times))


def _read_times(words: Sequence[str]) -> list[tuple[int, int]] | None:
    joined = [word for word in words if word not in FILLERS]
    found: list[tuple[int, int]] = []
    for number, word in enumerate(joined):
        if word in ("am", "pm") and number:
            continue
        half = joined[number + 1] if joined[number + 1 : number + 2] in (["am"], ["pm"]) else ""
        match = TIME.fullmatch(word + half)
        if word in NAMED_TIMES:
            found.append(NAMED_TIMES[word])
            continue
        if match is None:
            return None
        hour, minute = int(match[1]), int(match[2] or 0)
        if match[3]:
            hour = hour % 12 + 12 * (match[3] == "pm")
        if hour > 23 or minute > 59:
            return None
        found.append((hour, minute))
    return found or None


def _read_day_fields(words: Sequence[str]) -> tuple[str, str] | None:
    """Days of the month and of the week as cron fields; None if a word is not understood."""
    month_days: list[str] = []
    week_days: list[str] = []
    for word in words:
        single = word.removesuffix("s")
        if match := ORDINAL.fullmatch(word):
            month_days.append(match[1])
        elif single in DAY_GROUPS:
            week_days.append(DAY_GROUPS[single])
        elif known := [day for day in WEEK if len(single) >= 3 and day.startswith(single)]:
            week_days.append(str(WEEK.index(known[0])))
        elif word not in ("weekly", "week", "monthly", "month"):
            return None
    if {"monthly", "month"} & set(words) and not month_days:
        month_days.append("1")
    if {"weekly", "week"} & set(words) and not week_days:
        week_days.append("1")
    return ",".join(month_days), "*" if "*" in week_days else ",".join(week_days)

"""Reads the plain words of a plan: what is counted, which days, which times, and whether it happens again."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

WEEK = ("sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday")
MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
UNITS = {"second": 1, "minute": 60, "hour": 3600, "day": 86_400, "week": 604_800, "month": 0, "year": 0}
GROUPS = {"weekday": (1, 2, 3, 4, 5), "weekend": (0, 6)}
NAMED_TIMES = {"noon": (12, 0), "midnight": (0, 0)}
PARTS_OF_DAY = {"morning": (8, 0), "afternoon": (15, 0), "evening": (18, 0), "night": (22, 0)}
"""When something happens of which only the part of the day is said."""
NIGHT_END = 6
"""The hour at which a day begins for who says “night”."""
LAST_WEEK = -1
Clock = tuple[int, int]


@dataclass
class SaidDays:
    """The days that were said. `units`: such as day or week, without a count. `stride`: only each so many of these
    days or weeks. `nth`: only the nth such weekday of a month, -1 the last one. `ahead`: so many days from now, once.
    """

    units: set[str] = field(default_factory=set[str])
    weekdays: list[int] = field(default_factory=list[int])
    nth: int = 0
    month_days: list[int] = field(default_factory=list[int])
    month: int = 0
    date: "dt.date | None" = None
    stride: int = 1
    ahead: int | None = None

    @property
    def any(self) -> bool:
        return bool(self.weekdays or self.month_days or self.units or self.month or self.date or self.ahead)


@dataclass
class SaidTimes:
    """What was said of when something happens: a count of units, days, times of a day or their span, parts of a day."""

    count: int = 0
    unit: str = ""
    days: SaidDays = field(default_factory=SaidDays)
    times: list[Clock] = field(default_factory=list[Clock])
    span: tuple[Clock, Clock] | None = None
    parts: list[str] = field(default_factory=list[str])
    every: bool = False
    delayed: bool = False

    @property
    def clocks(self) -> list[Clock]:
        """The times of a day; those of the part of the day that is said where no others are; else none."""
        if not self.times:
            return [PARTS_OF_DAY[part] for part in self.parts]
        late, night = bool({"afternoon", "evening"} & set(self.parts)), "night" in self.parts
        return [
            ((hour + 12 * ((late and 0 < hour < 12) or (night and 6 <= hour <= 12))) % 24, at)
            for hour, at in self.times
        ]


class UnclearTime(Exception):
    """The words do not say when."""


class WhenReader:
    """Reads words one after the other."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = words
        self.at = 0
        self.late_day = False
        self.tally = 0
        self.monthly = bool({"month", "ofmonth"} & set(words))
        self.said = SaidTimes(every="every" in words or "ofmonth" in words)

    def read(self) -> SaidTimes:
        """What all words say; raises UnclearTime where they say nothing."""
        while self.at < len(self.words):
            self._read_next(self.words[self.at])
            self.at += 1
        said = self.said
        timed = {"at", "noon", "midnight"} & set(self.words) or any(":" in word for word in self.words)
        if said.times and not (timed or said.days.any or said.parts):
            raise UnclearTime  # "Every 5" counts nothing.
        named = max(1, len(said.clocks)) * max(1, len(said.days.weekdays or said.days.month_days))
        unclear = (
            self.words[-1:] == ["at"],
            self.tally not in (0, named),  # "Three times a week" has to name three times.
            said.times and len(set(said.parts)) > 1,  # "Mornings at 9 and evenings at 9" are two times.
            said.unit == "minute" and "hour" in said.days.units,  # "Every hour on the half hour" is once an hour.
            "day" in said.days.units and len(said.days.units) > 1,  # "Every day of the week" is no day of each.
            # 1 in the night of Sunday is on Sunday or on Monday.
            "night" in said.parts and said.days.weekdays and any(hour < NIGHT_END for hour, _ in said.clocks),
        )
        if any(unclear):
            raise UnclearTime
        return said

    def _next(self, ahead: int = 1) -> str:
        return self.words[self.at + ahead] if 0 <= self.at + ahead < len(self.words) else ""

    def _read_next(self, word: str) -> None:
        said = self.said
        takes = {
            "in": self._read_delay,
            "between": self._read_span,
            "to": self._read_range,
            "at": self._read_range,
            "last": partial(self._read_ordinal, LAST_WEEK),
            "second": partial(self._read_ordinal, 2),
            "other": partial(self._read_ordinal, 2),
            "tomorrow": partial(setattr, said.days, "ahead", 1),
            "overmorrow": partial(setattr, said.days, "ahead", 2),
            "hourly": partial(self._count, 1, "hour"),
            "ofmonth": partial(said.days.units.add, "month"),
            "quarterly": partial(self._count, 3, "month"),
        }
        if word in ("every", "and") or (word == "at" and not self._is_to()):
            return
        if word in takes:
            takes[word]()
        elif word in WEEK or word in GROUPS:
            said.days.weekdays += GROUPS.get(word) or (WEEK.index(word),)
            self.late_day = bool(said.times)
        elif word in MONTHS:
            if said.days.month:
                raise UnclearTime
            said.days.month = MONTHS.index(word) + 1
        elif word in UNITS:
            said.days.units.add(word)
        elif word in PARTS_OF_DAY:
            said.parts.append(word)
        elif word.count("-") == 2:
            said.days.date = _read_date(word)
        elif word.endswith("."):
            self._read_ordinal(int(word.removesuffix(".")))
        else:
            self._read_number(word)

    def _is_to(self) -> bool:
        """Whether "at" stands between two weekdays: in Spanish that is "to"."""
        return self._next(-1) in WEEK and self._next() in WEEK

    def _count(self, count: int, unit: str) -> None:
        if self.said.count or not count:
            raise UnclearTime
        self.said.count, self.said.unit = count, unit

    def _read_number(self, word: str) -> None:
        """A number of units, a day of a month, or a time."""
        following, before = self._next(), self._next(-1)
        if following in UNITS and before != "at" and word.isdecimal():
            if not (self.said.every or "in" in self.words):
                raise UnclearTime  # The French "18h" is a time.
            self._count(int(word), following)
        elif following == "times" and word.isdecimal():
            self.tally = int(word)
        elif word.isdecimal() and (following in MONTHS or before in MONTHS):
            self.said.days.month_days.append(int(word))
            return
        elif self._is_loose(word):
            if not self.monthly:
                raise UnclearTime
            self.said.days.month_days.append(int(word))
            return
        else:
            if self.late_day or (before.isdecimal() and word.isdecimal()):
                raise UnclearTime
            self.said.times.append(read_clock(word))
            if not (before == "at" and following == "hour"):
                return
        self.at += 1

    def _is_loose(self, word: str) -> bool:
        """Whether a bare number is no time: the times are those after "at"."""
        goes_on = self._next(-1) == "and" and self._next(-2)[:1].isdigit() and bool(self.said.times)
        return word.isdecimal() and "at" in self.words and not (self._next(-1) == "at" or goes_on)

    def _read_ordinal(self, number: int) -> None:
        """The nth weekday or day of a month, each nth of something, or a date."""
        word, following, monthly = self.words[self.at], self._next(), self.monthly
        if following in WEEK and (monthly or number in (1, LAST_WEEK)):
            self.said.days.nth = number
        elif (following in ("day", "week") or (following in WEEK and number == 2)) and not monthly and number > 1:
            self.said.days.stride = number
        elif following == "month" and self._next(-1) == "every" and number > 1:
            self._count(number, following)
            self.at += 1
        elif number == LAST_WEEK and following == "day":
            self.said.days.month_days.append(LAST_WEEK)
            self.at += 1
        elif number != LAST_WEEK and following not in (*WEEK, "year") and word not in ("second", "other"):
            self.said.days.month_days.append(number)
            self.at += following == "day"
        else:
            raise UnclearTime

    def _read_delay(self) -> None:
        """ "In 2 hours"; "in the morning" says nothing more than the part of the day."""
        if self._next() in UNITS:
            raise UnclearTime
        self.said.delayed = self._next().isdecimal() and self._next(2) in UNITS

    def _read_span(self) -> None:
        """The first and the last time of a day, between which something is repeated; of weekdays see "to"."""
        if self._next() in WEEK:
            return
        words = [word for word in self.words[self.at + 1 :] if word not in ("at", "hour")][:3]
        if len(words) < 3 or words[1] not in ("and", "to"):
            raise UnclearTime
        self.said.span = read_clock(words[0]), read_clock(words[2])
        self.at = self.words.index(words[2], self.words.index(words[1], self.at))
        self.at += self._next() == "hour"

    def _read_range(self) -> None:
        """All weekdays from one to another, or a span of times."""
        following = self._next()
        if self.said.days.weekdays and following in WEEK:
            first, last = self.said.days.weekdays[-1], WEEK.index(following)
            self.said.days.weekdays += [(first + step) % 7 for step in range(1, (last - first) % 7 + 1)]
        elif self.said.times and following:
            self.said.span = self.said.times.pop(), read_clock(following)
        else:
            raise UnclearTime
        self.at += 1


def read_clock(word: str) -> Clock:
    """A time such as 8, 8:30 or noon; raises UnclearTime for any other word."""
    if word in NAMED_TIMES:
        return NAMED_TIMES[word]
    hour, _, minute = word.partition(":")
    if not hour.isdecimal() or int(hour) > 23 or int(minute or 0) > 59:
        raise UnclearTime
    return int(hour), int(minute or 0)


def _read_date(word: str) -> dt.date:
    try:
        return dt.date(*map(int, word.split("-")))
    except ValueError:
        raise UnclearTime from None

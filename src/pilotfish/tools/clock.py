"""The clock tool: the time in one or several zones, and the date that a phrase such as "in 3 working days" means."""

import calendar
import difflib
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Annotated, Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from pydantic import Field

from pilotfish.core.errors import ToolError
from pilotfish.tools.base import ToolContext, ToolResult, tool

IsDayOff = Callable[[date], bool]
DAYS = [name.lower() for name in calendar.day_name]
NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "ten": 10}
UNITS = {"second": 1, "minute": 60, "hour": 3600, "day": 86_400, "week": 604_800, "fortnight": 1_209_600}
FORMS = (
    "in 3 working days; 2 weeks ago; tomorrow; next friday; last monday; in 90 minutes; in 2 months;"
    " end of month; start of next month; 2026-12-24"
)


@tool(group="clock", timeout=10)
async def get_current_time(
    ctx: ToolContext,
    timezone: Annotated[str, Field(description="IANA zone such as Europe/Lisbon; empty: the computer's own")] = "",
    timezones: Annotated[list[str], Field(description="several zones at once", max_length=20)] = [],  # noqa: B006
    relative: Annotated[str, Field(description=f"a day to work out, as in: {FORMS}")] = "",
    country: Annotated[str, Field(description="ISO code such as PT or US-CA, for its public holidays")] = "",
) -> ToolResult:
    """Tell the present date and time, in one or several time zones, and work out dates relative to now.

    Use it for anything that depends on today: weekdays, deadlines, working days, public holidays.
    """
    names = list(dict.fromkeys(filter(None, [timezone, *timezones])))
    moments = [datetime.now(find_zone(name)) for name in names] or [datetime.now().astimezone()]
    book = load_holidays(country, moments[0].year) if country else HolidayCalendar()
    lines = [describe_moment(moment, name) for moment, name in zip(moments, names or ["local time"], strict=True)]
    data: dict[str, Any] = {"now": [moment.isoformat(timespec="seconds") for moment in moments]}
    if country:
        lines += book.describe_holidays(moments[0].date())
    if relative:
        goal = shift_moment(relative, moments[0], book.off)
        lines.append(
            f"{relative}: {describe_moment(goal, names[0] if names else 'local time')}, "
            f"{describe_distance(moments[0], goal)}"
        )
        data["relative"] = goal.isoformat(timespec="seconds")
    return ToolResult(output="\n".join(lines), text=lines[-1], data=data)


def find_zone(name: str) -> ZoneInfo:
    """Find a zone by its name or by its city alone. The error for an unknown name lists similar ones."""
    known = available_timezones()
    wanted = name.strip().replace(" ", "_")
    folded = {each.lower(): each for each in known} | {each.rsplit("/", 1)[-1].lower(): each for each in sorted(known)}
    found = wanted if wanted in known else folded.get(wanted.lower(), "")
    try:
        return ZoneInfo(found or wanted)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        near = [folded[each] for each in difflib.get_close_matches(wanted.lower(), folded, 4, 0.5)]
        hint = f"Did you mean {', '.join(dict.fromkeys(near))}?" if near else "Use an IANA name such as Europe/Lisbon."
        raise ToolError(f"There is no time zone {name!r}.", hint) from None


def describe_moment(moment: datetime, name: str) -> str:
    """A moment as people and models read it."""
    ahead = moment.strftime("%z")
    week = moment.isocalendar().week
    return f"{moment:%A, %Y-%m-%d %H:%M:%S} {name} (UTC{ahead[:3]}:{ahead[3:5]}, week {week})"


def describe_distance(start: datetime, goal: datetime) -> str:
    days = (goal.date() - start.date()).days
    if days:
        return f"{abs(days)} day{'s' * (abs(days) != 1)} {'from today' if days > 0 else 'ago'}"
    minutes = round((goal - start).total_seconds() / 60)
    return f"today, {abs(minutes)} minutes {'from now' if minutes >= 0 else 'ago'}"


def is_weekend(day: date) -> bool:
    return day.weekday() > 4


@dataclass(frozen=True)
class HolidayCalendar:
    """Days that are not worked, and the names of those that are holidays."""

    off: IsDayOff = is_weekend
    names: Callable[[date], str] = lambda _: ""
    place: str = ""

    def describe_holidays(self, today: date) -> Iterable[str]:
        """Whether today is a holiday and which come next."""
        days = (today + timedelta(days=count) for count in range(366))
        holidays = [f"{day:%Y-%m-%d} ({day:%a}) {name}" for day in days if (name := self.names(day))][:4]
        free = self.names(today) or ("weekend" if self.off(today) else "a working day")
        return [f"Today in {self.place}: {free}", f"Next public holidays in {self.place}: {'; '.join(holidays)}"]


def load_holidays(country: str, year: int) -> HolidayCalendar:
    """The holidays of a country or, as in US-CA, of a part of it."""
    try:
        import holidays
    except ImportError:
        fix = "Install it with: pip install 'pilotfish[holidays]', or ask without a country."
        raise ToolError("Public holidays need the package holidays, which is not installed.", fix) from None
    code, _, part = country.strip().upper().partition("-")
    try:
        book: Any = holidays.country_holidays(code, subdiv=part or None, years=range(year - 1, year + 3))
    except NotImplementedError:
        fix = "Use an ISO 3166 code such as PT, or US-CA for a part of a country."
        raise ToolError(f"There are no holidays for {country!r}.", fix) from None
    return HolidayCalendar(
        lambda day: not book.is_working_day(day), lambda day: str(book.get(day) or ""), country.strip().upper()
    )


def shift_moment(text: str, start: datetime, off: IsDayOff = is_weekend) -> datetime:
    """The moment that a phrase means, counted from `start`."""
    phrase = " ".join(text.lower().replace(",", " ").split()).removeprefix("on ").removeprefix("the ")
    for read in (read_fixed_phrase, shift_working_days, shift_units, find_weekday, find_edge):
        goal = read(phrase, start, off)
        if goal is not None:
            return goal
    raise ToolError(f"{text!r} is no date that I understand.", f"Use one of these forms: {FORMS}.")


def read_fixed_phrase(phrase: str, start: datetime, off: IsDayOff) -> datetime | None:
    steps = {"now": 0, "today": 0, "tomorrow": 1, "yesterday": -1, "day after tomorrow": 2, "day before yesterday": -2}
    if phrase in steps:
        return start + timedelta(days=steps[phrase])
    try:
        day = date.fromisoformat(phrase)
    except ValueError:
        return None
    return start.replace(year=day.year, month=day.month, day=day.day)


def read_amount(phrase: str, unit: str) -> int | None:
    """The number in "in 3 UNIT", "3 UNIT from now" or "3 UNIT ago"; the past is negative."""
    number = rf"(\d{{1,6}}|{'|'.join(NUMBERS)})"
    found = re.fullmatch(
        rf"(?:in |after )?{number} (?:{unit})s?(?: (ago|from now|from today|later|before|hence))?", phrase
    )
    if found is None:
        return None
    count = NUMBERS.get(found[1]) or int(found[1])
    return -count if found[2] in ("ago", "before") else count


def shift_working_days(phrase: str, start: datetime, off: IsDayOff) -> datetime | None:
    phrase = re.sub(r"^next (?=working|business)", "in 1 ", phrase)
    count = read_amount(phrase, r"(?:working|business|work) day|workday|weekday")
    if count is None:
        return None
    if abs(count) > 5000:
        raise ToolError("That is more than 5000 working days.", "Ask for fewer.")
    goal, step = start, timedelta(days=1 if count >= 0 else -1)
    for _ in range(abs(count)):
        goal += step
        while off(goal.date()):
            goal += step
    return goal


def shift_units(phrase: str, start: datetime, off: IsDayOff) -> datetime | None:
    phrase = re.sub(r"^(next|last) (?=week$|month$|year$)", lambda m: "in 1 " if m[1] == "next" else "last ", phrase)
    phrase = re.sub(r"^last (week|month|year)$", r"1 \1 ago", phrase)
    try:
        for unit, seconds in UNITS.items():
            if (count := read_amount(phrase, unit)) is not None:
                return move_by(start, count, seconds)
        for unit, months in {"month": 1, "quarter": 3, "year": 12}.items():
            if (count := read_amount(phrase, unit)) is not None:
                return add_months(start, count * months)
    except (OverflowError, ValueError):
        raise ToolError(f"{phrase!r} lies outside the calendar.", "Ask for something nearer.") from None
    return None


def move_by(start: datetime, count: int, seconds: int) -> datetime:
    """Move a moment. Days keep the local hour; hours and less are elapsed time, also across a clock change."""
    if seconds >= 86_400:
        return start + timedelta(seconds=count * seconds)
    return datetime.fromtimestamp(start.timestamp() + count * seconds, start.tzinfo)


def add_months(start: datetime, months: int) -> datetime:
    """The same day some months later, or the last day of a shorter month."""
    year, month = divmod(start.year * 12 + start.month - 1 + months, 12)
    return start.replace(year=year, month=month + 1, day=min(start.day, calendar.monthrange(year, month + 1)[1]))


def find_weekday(phrase: str, start: datetime, off: IsDayOff) -> datetime | None:
    """The first such day after today; with "last" the one before it; with "this" today counts."""
    found = re.fullmatch(rf"(next |last |this |coming )?({'|'.join(DAYS)})", phrase)
    if found is None:
        return None
    ahead = (DAYS.index(found[2]) - start.weekday()) % 7
    if found[1] == "last ":
        return start - timedelta(days=7 - ahead)
    return start + timedelta(days=ahead if found[1] == "this " else ahead or 7)


def find_edge(phrase: str, start: datetime, off: IsDayOff) -> datetime | None:
    """The first or last day of a week, month or year."""
    found = re.fullmatch(
        r"(start|beginning|end|first day|last day) of (?:the )?(this |next |last )?(week|month|year)", phrase
    )
    if found is None:
        return None
    last, step = found[1] in ("end", "last day"), {"next ": 1, "last ": -1}.get(found[2] or "", 0)
    if found[3] == "week":
        return start + timedelta(days=7 * step - start.weekday() + 6 * last)
    begin = add_months(
        start.replace(day=1, month=start.month if found[3] == "month" else 1), step * (1 if found[3] == "month" else 12)
    )
    length = 1 if found[3] == "month" else 12
    return add_months(begin, length) - timedelta(days=1) if last else begin

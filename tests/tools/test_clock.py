"""The clock."""

import builtins
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, cast
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pilotfish.core.errors import ToolError
from pilotfish.tools.base import ToolContext, ToolResult
from pilotfish.tools.clock import find_zone, get_current_time, load_holidays, shift_moment

LISBON = ZoneInfo("Europe/Lisbon")
NOON = datetime(2026, 11, 11, 12, 0, tzinfo=LISBON)
"""A Wednesday."""


async def ask(**args: Any) -> ToolResult:
    return await get_current_time.run(cast(ToolContext, None), cast(Mapping[str, Any], args))


@pytest.mark.parametrize(
    ("phrase", "goal"),
    [
        ("today", "2026-11-11"),
        ("tomorrow", "2026-11-12"),
        ("the day after tomorrow", "2026-11-13"),
        ("in 3 working days", "2026-11-16"),
        ("In three business days", "2026-11-16"),
        ("next working day", "2026-11-12"),
        ("3 working days ago", "2026-11-06"),
        ("in 2 weeks", "2026-11-25"),
        ("10 days ago", "2026-11-01"),
        ("a fortnight from now", "2026-11-25"),
        ("next friday", "2026-11-13"),
        ("friday", "2026-11-13"),
        ("next wednesday", "2026-11-18"),
        ("this wednesday", "2026-11-11"),
        ("last wednesday", "2026-11-04"),
        ("last friday", "2026-11-06"),
        ("in 3 months", "2027-02-11"),
        ("next month", "2026-12-11"),
        ("last year", "2025-11-11"),
        ("end of month", "2026-11-30"),
        ("start of next month", "2026-12-01"),
        ("end of last month", "2026-10-31"),
        ("end of the year", "2026-12-31"),
        ("start of this week", "2026-11-09"),
        ("end of next week", "2026-11-22"),
        ("2026-12-24", "2026-12-24"),
    ],
)
def test_a_phrase_means_a_day(phrase: str, goal: str) -> None:
    assert shift_moment(phrase, NOON).date().isoformat() == goal


def test_a_month_later_is_the_last_day_of_a_shorter_month() -> None:
    assert shift_moment("in 1 month", datetime(2027, 1, 31, tzinfo=LISBON)).date() == date(2027, 2, 28)


def test_hours_are_true_time_when_the_clocks_change() -> None:
    before = datetime(2026, 10, 25, 0, 30, tzinfo=LISBON)
    assert shift_moment("in 3 hours", before).isoformat() == "2026-10-25T02:30:00+00:00"
    assert shift_moment("in 1 day", before).hour == 0


def test_working_days_pass_over_holidays() -> None:
    book = load_holidays("PT", 2026)
    assert shift_moment("in 1 working day", datetime(2026, 11, 30, 9, 0), book.off).date() == date(2026, 12, 2)


@pytest.mark.parametrize(
    "phrase", ["", "soon", "in some days", "next", "in 99999999 days", "in 999999 years", "31-31-31"]
)
def test_what_is_no_date_is_a_clear_error(phrase: str) -> None:
    with pytest.raises(ToolError):
        shift_moment(phrase, NOON)


@given(st.text(max_size=40))
def test_no_phrase_crashes(phrase: str) -> None:
    try:
        assert isinstance(shift_moment(phrase, NOON), datetime)
    except ToolError as error:
        assert error.fix


@given(st.integers(1, 400))
def test_a_working_day_is_never_on_a_weekend(count: int) -> None:
    assert shift_moment(f"in {count} working days", NOON).weekday() < 5


async def test_several_zones_come_at_once() -> None:
    result = await ask(timezones=["Asia/Tokyo", "America/New_York", "UTC"])
    assert result.ok
    assert [line.split(" ")[3] for line in result.output.splitlines()] == ["Asia/Tokyo", "America/New_York", "UTC"]


async def test_with_no_zone_the_computers_own_is_told() -> None:
    result = await ask()
    assert f"{datetime.now().astimezone():%Y-%m-%d}" in result.output
    assert "local time" in result.output


async def test_a_relative_day_is_told_with_its_distance() -> None:
    result = await ask(timezone="UTC", relative="in 5 days")
    assert "5 days from today" in result.output
    assert result.data["relative"][:4].isdigit()


@pytest.mark.parametrize("name", ["tokyo", "ASIA/TOKYO", "New York", "utc"])
def test_zones_are_found_by_city_and_in_any_case(name: str) -> None:
    assert find_zone(name).key


@pytest.mark.parametrize("name", ["Europe/Lisbonne", "Atlantis/City", "../etc/passwd", "\x00", "/etc/localtime"])
async def test_an_unknown_zone_is_answered_with_what_to_write(name: str) -> None:
    result = await ask(timezone=name)
    assert not result.ok
    assert "time zone" in result.error


async def test_a_near_zone_is_offered() -> None:
    assert "Europe/Lisbon" in (await ask(timezone="Europe/Lisbom")).error


async def test_holidays_of_a_country_are_told() -> None:
    result = await ask(timezone="Europe/Lisbon", country="pt")
    assert "Next public holidays in PT: 20" in result.output


async def test_an_unknown_country_is_a_clear_error() -> None:
    assert "ISO 3166" in (await ask(country="Atlantis")).error


async def test_without_the_package_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name == "holidays":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    assert "pilotfish[holidays]" in (await ask(country="PT")).error

"""When a schedule happens: cron text, plain words, time zones and clock changes."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from pilotfish.core.cron_times import parse_cron
from pilotfish.core.errors import PersonError
from pilotfish.core.recurrence import read_recurrence

BERLIN = ZoneInfo("Europe/Berlin")
NEW_YORK = ZoneInfo("America/New_York")


def times(when: str, after: str, count: int = 3, zone: ZoneInfo = BERLIN) -> list[str]:
    """The next times, as the clock of the zone shows them."""
    moment = datetime.fromisoformat(after).replace(tzinfo=zone).astimezone(UTC)
    anchor, recurrence = moment, read_recurrence(when)
    found: list[str] = []
    while len(found) < count:
        at = recurrence.next_after(moment, zone, anchor)
        if at is None:
            break
        found.append(f"{at.astimezone(zone):%a %m-%d %H:%M}")
        moment = at
    return found


@pytest.mark.parametrize(
    ("when", "expected"),
    [
        ("0 8 * * mon-fri", ["Thu 11-19 08:00", "Fri 11-20 08:00", "Mon 11-23 08:00"]),
        ("every weekday at 8", ["Thu 11-19 08:00", "Fri 11-20 08:00", "Mon 11-23 08:00"]),
        ("Daily at 18:30", ["Wed 11-18 18:30", "Thu 11-19 18:30", "Fri 11-20 18:30"]),
        ("every day at 7 and 6 pm", ["Wed 11-18 18:00", "Thu 11-19 07:00", "Thu 11-19 18:00"]),
        ("every monday and thursday at 9:15", ["Thu 11-19 09:15", "Mon 11-23 09:15", "Thu 11-26 09:15"]),
        ("saturdays at noon", ["Sat 11-21 12:00", "Sat 11-28 12:00", "Sat 12-05 12:00"]),
        ("weekly on friday at 17:00", ["Fri 11-20 17:00", "Fri 11-27 17:00", "Fri 12-04 17:00"]),
        ("monthly on the 1st at 9am", ["Tue 12-01 09:00", "Fri 01-01 09:00", "Mon 02-01 09:00"]),
        ("on the 31st of every month at 9", ["Thu 12-31 09:00", "Sun 01-31 09:00", "Wed 03-31 09:00"]),
        ("every 2 hours", ["Wed 11-18 14:00", "Wed 11-18 16:00", "Wed 11-18 18:00"]),
        ("every 90 minutes", ["Wed 11-18 13:30", "Wed 11-18 15:00", "Wed 11-18 16:30"]),
        ("hourly", ["Wed 11-18 13:00", "Wed 11-18 14:00", "Wed 11-18 15:00"]),
        ("@weekly", ["Sun 11-22 00:00", "Sun 11-29 00:00", "Sun 12-06 00:00"]),
        ("*/20 9-10 * * 3", ["Wed 11-25 09:00", "Wed 11-25 09:20", "Wed 11-25 09:40"]),
        ("0 0 13 * fri", ["Fri 11-20 00:00", "Fri 11-27 00:00", "Fri 12-04 00:00"]),
        ("2026-12-24 18:00", ["Thu 12-24 18:00"]),
    ],
)
def test_a_time_is_read_from_words_and_from_cron_text(when: str, expected: list[str]) -> None:
    assert times(when, "2026-11-18 12:00") == expected


@pytest.mark.parametrize(
    "when",
    ["", "often", "every", "at 25:00", "daily at lunch", "0 8 * *", "61 * * * *", "* * * * mun", "every 5 bananas"],
)
def test_what_says_no_time_is_refused_with_words_that_would(when: str) -> None:
    with pytest.raises(PersonError) as refused:
        read_recurrence(when)
    assert refused.value.fix


def test_more_often_than_once_a_minute_is_refused() -> None:
    with pytest.raises(PersonError, match="too often"):
        read_recurrence("every 30 seconds")


def test_a_time_that_the_clock_skips_happens_as_much_later() -> None:
    assert times("30 2 * * *", "2026-03-28 12:00") == ["Sun 03-29 03:30", "Mon 03-30 02:30", "Tue 03-31 02:30"]


def test_a_time_that_exists_twice_happens_once() -> None:
    assert times("30 2 * * *", "2026-10-24 12:00") == ["Sun 10-25 02:30", "Mon 10-26 02:30", "Tue 10-27 02:30"]


def test_hours_are_real_hours_when_the_clock_changes() -> None:
    back = times("0 * * * *", "2026-10-25 00:30", 4)
    assert back == ["Sun 10-25 01:00", "Sun 10-25 02:00", "Sun 10-25 02:00", "Sun 10-25 03:00"]
    assert times("0 * * * *", "2026-03-29 00:30", 3) == ["Sun 03-29 01:00", "Sun 03-29 03:00", "Sun 03-29 04:00"]


def test_a_skipped_time_and_a_real_one_at_the_same_moment_happen_once() -> None:
    assert times("30 2,3 * * *", "2026-03-29 00:00", 3) == ["Sun 03-29 03:30", "Mon 03-30 02:30", "Mon 03-30 03:30"]


def test_a_morning_stays_the_same_morning_across_the_change_in_another_zone() -> None:
    found = times("every day at 8", "2026-03-07 09:00", 2, NEW_YORK)
    assert found == ["Sun 03-08 08:00", "Mon 03-09 08:00"]


def test_a_leap_day_is_found_and_a_day_that_never_comes_is_not() -> None:
    start = datetime(2097, 1, 1, tzinfo=UTC)
    leap = parse_cron("0 0 29 2 *").next_after(start, ZoneInfo("UTC"))
    assert leap == datetime(2104, 2, 29, tzinfo=UTC)
    assert parse_cron("0 0 30 2 *").next_after(start, ZoneInfo("UTC")) is None

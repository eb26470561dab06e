"""When a schedule happens: cron text, plain words, time zones and clock changes."""

import tomllib
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from pilotfish.core import when_words
from pilotfish.core.cron_times import parse_cron
from pilotfish.core.errors import PersonError
from pilotfish.core.recurrence import KNOWN_FORMS, read_recurrence

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
    ("when", "expected"),
    [
        ("at 8 every weekday", ["Thu 11-19 08:00", "Fri 11-20 08:00", "Mon 11-23 08:00"]),
        ("mon-fri at 8", ["Thu 11-19 08:00", "Fri 11-20 08:00", "Mon 11-23 08:00"]),
        ("fri-mon at 8", ["Fri 11-20 08:00", "Sat 11-21 08:00", "Sun 11-22 08:00"]),
        ("every weekend at 10", ["Sat 11-21 10:00", "Sun 11-22 10:00", "Sat 11-28 10:00"]),
        ("every other day at 9", ["Thu 11-19 09:00", "Sat 11-21 09:00", "Mon 11-23 09:00"]),
        ("every 2 weeks on friday at 17", ["Fri 11-20 17:00", "Fri 12-04 17:00", "Fri 12-18 17:00"]),
        ("every month on the 1st and 15th at 9", ["Tue 12-01 09:00", "Tue 12-15 09:00", "Fri 01-01 09:00"]),
        ("0 8 * * fri#1", ["Fri 12-04 08:00", "Fri 01-01 08:00", "Fri 02-05 08:00"]),
        ("0 8 L * *", ["Mon 11-30 08:00", "Thu 12-31 08:00", "Sun 01-31 08:00"]),
        ("0 8 * * 5L", ["Fri 11-27 08:00", "Fri 12-25 08:00", "Fri 01-29 08:00"]),
        ("tomorrow at 9", ["Thu 11-19 09:00"]),
        ("in 30 minutes", ["Wed 11-18 12:30"]),
        ("24.12.2026 18:00", ["Thu 12-24 18:00"]),
    ],
)
def test_spans_of_days_each_so_many_days_and_single_times_are_read_too(when: str, expected: list[str]) -> None:
    assert times(when, "2026-11-18 12:00") == expected


@pytest.mark.parametrize(
    ("when", "plain"),
    [
        ("jeden Werktag um 8 Uhr 30", "every weekday at 8:30"),
        ("Mo-Fr um 8", "mon-fri at 8"),
        ("von Montag bis Freitag um 17:30 Uhr", "mon-fri at 17:30"),
        ("alle 2 Stunden", "every 2 hours"),
        ("morgen um 9", "tomorrow at 9"),
        ("tous les lundis et jeudis à 9h15", "every monday and thursday at 9:15"),
        ("du lundi au vendredi à 8h", "mon-fri at 8"),
        ("toutes les 2h", "every 2 hours"),
        ("mañana a las 9", "tomorrow at 9"),
        ("de lunes a viernes a las 8", "mon-fri at 8"),
        ("el 15 de cada mes a las 9", "on the 15th of every month at 9"),
        ("ogni giorno alle 8", "every day at 8"),
        ("lunedì e giovedì alle 18.30", "every monday and thursday at 18:30"),
        ("每周一和周三9点30分", "every monday and wednesday at 9:30"),
        ("每月1号9点", "every month on the 1st at 9"),
        ("每2小时", "every 2 hours"),
    ],
)
def test_times_are_read_in_other_languages(when: str, plain: str) -> None:
    assert read_recurrence(when) == read_recurrence(plain)


@pytest.mark.parametrize("form", KNOWN_FORMS.replace("or cron text such as ", "").split("; "))
def test_each_example_that_people_and_models_are_given_is_read(form: str) -> None:
    assert read_recurrence(form.split(" for ")[0])


@pytest.mark.parametrize(
    "when",
    [
        "at 8",
        "every monday at 8 and tuesday at 9",
        "every day from 9 to 17",
        "every friday 13th",
        "every 5",
        "on the 15 at 9",
        "on the 15th at 9",
        "every 2nd month at 9",
        "every weekday at 8 except friday",
        "12/24/2026 18:00",
        "2026-02-30 18:00",
        "0 0 8 * * *",
        "cada día a las 8 y 20",
        "jeden Morgen um 9",
        "täglich um halb eins",
        "every month on friday at 9",
        "in 3 weeks on monday",
        "in the week",
        "three times a week at 9",
        "daily at 8 12",
        "daily at 13 pm",
        "every 1,5 hours",
        "every 0 minutes",
        "every 0 days at 9",
        "every 32nd of the month at 9",
        "every morning at 9",
        "sunday nights at 12",
        "every third friday at 8",
        "every second at 9",
        "every other weekday at 9",
        "18h",
    ],
)
def test_what_is_not_surely_read_is_refused(when: str) -> None:
    with pytest.raises(PersonError):
        read_recurrence(when)


@pytest.mark.parametrize("table", ["times", "months"])
def test_a_word_means_one_thing(table: str) -> None:
    data = tomllib.loads(Path(when_words.__file__).with_suffix(".toml").read_text("utf-8"))[table]
    said = [word for words in data.values() for word in words.split()]
    assert len(said) == len(set(said)), [word for word in said if said.count(word) > 1]
    assert said == [when_words.fold_accents(word) for word in said]


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

"""When a schedule happens: cron text, plain words, time zones and clock changes."""

import tomllib
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from pilotfish.core import when_words
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
    ("when", "expected"),
    [
        ("at 8 every weekday", ["Thu 11-19 08:00", "Fri 11-20 08:00", "Mon 11-23 08:00"]),
        ("mon-fri at 8", ["Thu 11-19 08:00", "Fri 11-20 08:00", "Mon 11-23 08:00"]),
        ("every morning", ["Thu 11-19 08:00", "Fri 11-20 08:00", "Sat 11-21 08:00"]),
        ("every evening at 6", ["Wed 11-18 18:00", "Thu 11-19 18:00", "Fri 11-20 18:00"]),
        ("every half hour", ["Wed 11-18 12:30", "Wed 11-18 13:00", "Wed 11-18 13:30"]),
        ("every 2 hours between 9 and 14", ["Wed 11-18 13:00", "Thu 11-19 09:00", "Thu 11-19 11:00"]),
        ("every 40 minutes mon-fri 9-10:30", ["Thu 11-19 09:00", "Thu 11-19 09:40", "Thu 11-19 10:20"]),
        ("every hour on weekends", ["Sat 11-21 00:00", "Sat 11-21 01:00", "Sat 11-21 02:00"]),
        ("every other day at 9", ["Thu 11-19 09:00", "Sat 11-21 09:00", "Mon 11-23 09:00"]),
        ("every two weeks on friday at 17", ["Fri 11-20 17:00", "Fri 12-04 17:00", "Fri 12-18 17:00"]),
        ("the first monday of every month at 9", ["Mon 12-07 09:00", "Mon 01-04 09:00", "Mon 02-01 09:00"]),
        ("every second monday of the month at 9", ["Mon 12-14 09:00", "Mon 01-11 09:00", "Mon 02-08 09:00"]),
        ("the last day of the month at noon", ["Mon 11-30 12:00", "Thu 12-31 12:00", "Sun 01-31 12:00"]),
        ("every 24 December at 18", ["Thu 12-24 18:00", "Fri 12-24 18:00", "Sun 12-24 18:00"]),
        ("quarterly", ["Fri 01-01 00:00", "Thu 04-01 00:00", "Thu 07-01 00:00"]),
        ("0 8 * * fri#1", ["Fri 12-04 08:00", "Fri 01-01 08:00", "Fri 02-05 08:00"]),
        ("0 8 L * *", ["Mon 11-30 08:00", "Thu 12-31 08:00", "Sun 01-31 08:00"]),
        ("0 8 * * 5L", ["Fri 11-27 08:00", "Fri 12-25 08:00", "Fri 01-29 08:00"]),
        ("tomorrow at 9", ["Thu 11-19 09:00"]),
        ("in half an hour", ["Wed 11-18 12:30"]),
        ("on 3 May at 10", ["Mon 05-03 10:00"]),
        ("24.12.2026 18:00", ["Thu 12-24 18:00"]),
    ],
)
def test_days_of_weeks_and_months_spans_and_single_times_are_read_too(when: str, expected: list[str]) -> None:
    assert times(when, "2026-11-18 12:00") == expected


@pytest.mark.parametrize(
    ("when", "plain"),
    [
        ("jeden Werktag um 8 Uhr 30", "every weekday at 8:30"),
        ("Mo-Fr um 8", "mon-fri at 8"),
        ("von Montag bis Freitag um 8", "mon-fri at 8"),
        ("alle 2 Stunden", "every 2 hours"),
        ("jeden zweiten Tag um 7", "every other day at 7"),
        ("am letzten Freitag im Monat um 12", "the last friday of the month at 12"),
        ("am 15. um 9", "on the 15th at 9"),
        ("jeden Morgen", "every morning"),
        ("morgen um 9", "tomorrow at 9"),
        ("tous les lundis et jeudis à 9h15", "every monday and thursday at 9:15"),
        ("du lundi au vendredi à 8h", "mon-fri at 8"),
        ("cada mañana a las 7", "every morning at 7"),
        ("mañana a las 9", "tomorrow at 9"),
        ("de lunes a viernes a las 8", "mon-fri at 8"),
        ("el 15 de cada mes a las 9", "on the 15th of every month at 9"),
        ("ogni giorno alle 8", "every day at 8"),
        ("il primo lunedì di ogni mese alle 9", "the first monday of every month at 9"),
        ("每周一和周三上午9点半", "every monday and wednesday at 9:30"),
        ("每天下午3点", "every day at 15"),
        ("every morning at half past six", "every morning at 6:30"),
        ("the 28th at a quarter to eleven at night", "the 28th at 22:45"),
        ("daily at seven fifteen", "every day at 7:15"),
        ("twice a day, at 8 and at 20", "every day at 8 and 20"),
        ("every second month on the 2nd of the month at 8", "every 2 months on the 2nd at 8"),
        ("in an hour", "in 60 minutes"),
        ("in einer Woche", "in 7 days"),
        ("jeden Dienstag um halb acht", "every tuesday at 7:30"),
        ("täglich um fünf nach halb sieben", "every day at 6:35"),
        ("montags bis donnerstags um 17:30 Uhr", "mon-thu at 17:30"),
        ("tous les jours à sept heures", "every day at 7"),
        ("à dix heures moins le quart du lundi au jeudi", "mon-thu at 9:45"),
        ("todos los días a las once", "every day at 11"),
        ("cada viernes a la una y media de la tarde", "every friday at 13:30"),
        ("il 5 di ogni mese alle 8 di sera", "on the 5th of every month at 20"),
        ("ogni giovedì alle 18 e 30", "every thursday at 18:30"),
        ("每月一号早上九点", "on the 1st of every month at 9"),
        ("übermorgen um 12 Uhr", "the day after tomorrow at 12"),
        ("alle 14 Tage montags um 9", "every other monday at 9"),
    ],
)
def test_times_are_read_in_other_languages(when: str, plain: str) -> None:
    assert read_recurrence(when) == read_recurrence(plain)


@pytest.mark.parametrize(
    "when",
    [
        "every monday at 8 and tuesday at 9",
        "every day from 9 to 17",
        "every friday 13th",
        "every 5",
        "on the 15 at 9",
        "di 9",
        "every weekday at 8 except friday",
        "12/24/2026 18:00",
        "0 0 8 * * *",
        "cada día a las 8 y 20",
        "cada hora y media",
        "täglich um halb eins",
        "every month on friday at 9",
        "in 3 weeks on monday",
        "in the week",
        "five days a week at 9",
        "three times a week at 9",
        "on the 1st of January and July at 8",
        "daily at 8 12",
        "every 1,5 hours",
        "a quarter past every hour",
        "every 0 minutes",
        "every morning at 9 and evening at 9",
        "sunday nights at 12",
        "freitags nachts um 1",
        "tous les quinze jours le lundi à 9h",
        "every hour on the half hour",
        "every third friday at 8",
        "every second at 9",
        "every other year",
        "tous les jours de la semaine à 9h",
        "18h",
    ],
)
def test_what_could_be_taken_for_something_else_is_refused(when: str) -> None:
    with pytest.raises(PersonError):
        read_recurrence(when)


def test_a_word_means_one_thing() -> None:
    data = tomllib.loads(Path(when_words.__file__).with_suffix(".toml").read_text("utf-8"))
    said = [word for words in data["words"].values() for word in words.split()]
    said += [phrase for phrases in data["phrases"].values() for phrase in phrases.split("|")]
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

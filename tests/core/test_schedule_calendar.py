"""The calendar: every schedule has its place in it, and a busy day is one entry."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from pilotfish.core.schedule_calendar import BUSY_TIMES, day_end, list_past, list_planned
from pilotfish.core.schedules import CalendarEntry, Schedule, ScheduleFire

START = datetime(2026, 11, 18, 20, 50, tzinfo=UTC)


def make(when: str, zone: str = "UTC", **how: object) -> Schedule:
    made = {"id": "s", "user": "local", "task": "t", "when": when, "zone": zone, "created": START, "next": START}
    return Schedule.model_validate({**made, **how})


def fire(minutes: int, outcome: str = "completed") -> ScheduleFire:
    due = START + timedelta(minutes=minutes)
    return ScheduleFire.model_validate(
        {"schedule": "s", "due": due, "state": "ended", "outcome": outcome, "run": f"r{minutes}"}
    )


def days(entries: Sequence[CalendarEntry]) -> list[str]:
    return [f"{entry.at:%d %H:%M}" for entry in entries]


def test_what_happens_every_minute_is_one_entry_a_day_that_says_so() -> None:
    entries = list_planned(make("every 1m"), START, START + timedelta(days=3))
    assert days(entries) == ["18 20:50", "19 00:00", "20 00:00", "21 00:00"]
    assert {(entry.count, entry.when) for entry in entries} == {(0, "every 1m")}


def test_a_few_times_a_day_are_entries_of_their_own() -> None:
    hours = ", ".join(str(8 + at) for at in range(BUSY_TIMES))
    plan = make(f"0 {hours.replace(' ', '')} * * *", next=START.replace(hour=8, minute=0) + timedelta(days=1))
    entries = list_planned(plan, START, START + timedelta(days=1))
    assert days(entries) == ["19 08:00", "19 09:00", "19 10:00", "19 11:00"]
    assert {(entry.count, entry.zone) for entry in entries} == {(1, "UTC")}


def test_only_what_lies_in_the_span_is_planned_and_nothing_while_it_is_paused() -> None:
    plan = make("0 8 * * *", next=START.replace(hour=8, minute=0) + timedelta(days=1))
    later = START + timedelta(days=30)
    assert days(list_planned(plan, later, later + timedelta(days=2))) == ["19 08:00", "20 08:00"]
    assert list_planned(plan.model_copy(update={"paused": True}), START, later) == []


def test_past_times_of_a_busy_day_are_told_by_how_they_ended_with_the_last_run() -> None:
    fires = [fire(at) for at in range(10)] + [fire(20, "failed"), fire(60 * 24)]
    entries = list_past(make("every 1m"), reversed(fires), START + timedelta(days=2))
    assert [(entry.count, entry.outcome, entry.run) for entry in entries] == [
        (10, "completed", "r9"),
        (1, "failed", "r20"),
        (1, "completed", f"r{60 * 24}"),
    ]


def test_a_day_ends_where_the_schedule_is_also_when_the_clock_changes() -> None:
    zone = ZoneInfo("Europe/Berlin")
    assert day_end(datetime(2026, 10, 25, 0, 30, tzinfo=UTC), zone) == datetime(2026, 10, 25, 23, 0, tzinfo=UTC)
    assert day_end(datetime(2026, 3, 29, 0, 30, tzinfo=UTC), zone) == datetime(2026, 3, 29, 22, 0, tzinfo=UTC)


def test_words_that_are_not_read_any_more_leave_the_calendar_whole() -> None:
    plan = make("jeden Morgen um halb acht", next=START + timedelta(hours=1))
    assert days(list_planned(plan, START, START + timedelta(days=2))) == ["18 21:50"]

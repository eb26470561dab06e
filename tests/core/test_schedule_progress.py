"""What becomes of a schedule at a moment."""

from datetime import UTC, datetime, timedelta
from typing import Any

from pilotfish.core.records import RunRecord
from pilotfish.core.schedule_progress import (
    NO_MONEY,
    STILL_AT_WORK,
    OpenFire,
    ScheduleView,
    add_jitter,
    advance_schedule,
    find_next,
    fire_run_id,
)
from pilotfish.core.schedules import Schedule, ScheduleFire
from pilotfish.core.usage import Usage

MADE = datetime(2026, 11, 18, 6, 0, tzinfo=UTC)
EIGHT = datetime(2026, 11, 18, 8, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)


def make_schedule(**how: Any) -> Schedule:
    given: dict[str, Any] = {
        "id": "s",
        "user": "ann",
        "task": "read the news",
        "when": "0 * * * *",
        "zone": "UTC",
        "created": MADE,
    }
    schedule = Schedule(**{**given, **how})
    return schedule if schedule.next else schedule.model_copy(update={"next": find_next(schedule, MADE)})


def make_run(schedule: Schedule, fire: ScheduleFire, left: float | None) -> RunRecord:
    options = {"left": left}
    return RunRecord(id=fire.run, user="ann", conversation="c", task=schedule.task, loop="chat", options=options)


def at_work(schedule: Schedule, **how: Any) -> OpenFire:
    fire = ScheduleFire(schedule=schedule.id, due=MADE, state="started", run="r")
    given: dict[str, Any] = {"id": "r", "user": "ann", "conversation": "c", "task": "t", "loop": "chat"}
    return OpenFire(fire, RunRecord(**{**given, **how}))


def test_a_time_that_is_due_starts_one_run_and_sets_the_next_time() -> None:
    change = advance_schedule(ScheduleView(make_schedule(next=EIGHT)), EIGHT, make_run)
    [fire] = change.fires
    assert (fire.state, fire.due, fire.run) == ("started", EIGHT, change.runs[0].id)
    assert change.schedule.next == EIGHT + HOUR
    assert fire.run == fire_run_id(fire)


def test_missed_times_are_made_up_for_once_or_all_or_not_at_all() -> None:
    late = EIGHT + 3 * HOUR + HOUR / 2
    states: dict[str, list[str]] = {}
    for rule in ("once", "all", "skip"):
        view = ScheduleView(make_schedule(next=EIGHT, missed=rule))
        change = advance_schedule(view, late, make_run)
        states[rule] = [fire.state for fire in sorted(change.fires, key=lambda fire: fire.due)]
        assert change.schedule.next == EIGHT + 4 * HOUR
    assert states == {
        "once": ["missed", "missed", "missed", "started"],
        "all": ["started", "waiting", "waiting", "waiting"],
        "skip": ["missed", "missed", "missed", "missed"],
    }


def test_a_time_found_a_moment_late_was_not_missed() -> None:
    view = ScheduleView(make_schedule(next=EIGHT, missed="skip"))
    assert advance_schedule(view, EIGHT + timedelta(seconds=90), make_run).fires[0].state == "started"


def test_a_year_without_a_server_is_told_in_few_lines_and_runs_once() -> None:
    change = advance_schedule(ScheduleView(make_schedule(next=EIGHT)), EIGHT + timedelta(days=365), make_run)
    assert len(change.runs) == 1
    assert 100 <= len(change.fires) < 110


def test_a_time_at_which_it_is_still_at_work_is_skipped_or_waits() -> None:
    schedule = make_schedule(next=EIGHT)
    skipped = advance_schedule(ScheduleView(schedule, [at_work(schedule)]), EIGHT, make_run)
    assert [(fire.state, fire.text) for fire in skipped.fires] == [("skipped", STILL_AT_WORK)]
    queued = schedule.model_copy(update={"overlap": "queue"})
    waits = advance_schedule(ScheduleView(queued, [at_work(queued)]), EIGHT, make_run)
    assert [fire.state for fire in waits.fires] == ["waiting"] and not waits.runs

    over = at_work(queued, outcome="completed", state="ended", answer="done")
    after = advance_schedule(ScheduleView(waits.schedule, [over, OpenFire(waits.fires[0])]), EIGHT + HOUR / 2, make_run)
    assert [(fire.state, fire.due) for fire in after.fires] == [("ended", MADE), ("started", EIGHT)]


def test_a_paused_schedule_does_not_happen() -> None:
    change = advance_schedule(ScheduleView(make_schedule(next=EIGHT, paused=True)), EIGHT + HOUR, make_run)
    assert not change.fires and not change.runs


def test_the_third_failure_in_a_row_pauses_it_and_tells_over_each_channel() -> None:
    schedule = make_schedule(next=EIGHT, failures=1, notify=("page", "email"))
    second = advance_schedule(
        ScheduleView(schedule, [at_work(schedule, outcome="failed", answer="no page")]), MADE, make_run
    )
    assert (second.schedule.failures, second.schedule.paused) == (2, False)
    assert {notice.kind for notice in second.notices} == {"problem"}
    third = advance_schedule(
        ScheduleView(second.schedule, [at_work(schedule, outcome="failed", answer="no page")]), EIGHT, make_run
    )
    assert third.schedule.paused and "3 times in a row" in third.schedule.paused_why
    assert [(notice.kind, notice.channel) for notice in third.notices] == [("paused", "page"), ("paused", "email")]
    assert not third.runs


def test_a_success_forgets_failures_and_a_run_that_was_stopped_counts_as_none() -> None:
    schedule = make_schedule(next=EIGHT, failures=2)
    good = ScheduleView(schedule, [at_work(schedule, outcome="completed", answer="fine")])
    assert advance_schedule(good, MADE, make_run).schedule.failures == 0
    stopped = ScheduleView(schedule, [at_work(schedule, outcome="stopped")])
    assert advance_schedule(stopped, MADE, make_run).schedule.failures == 2


def test_the_budget_of_a_month_limits_runs_and_is_told_once() -> None:
    schedule = make_schedule(next=EIGHT, month_cents=10)
    first = advance_schedule(ScheduleView(schedule, month_cents=4), EIGHT, make_run)
    assert first.runs[0].options["left"] == 6
    spent = advance_schedule(ScheduleView(schedule, month_cents=10), EIGHT, make_run)
    assert [(fire.state, fire.text) for fire in spent.fires] == [("skipped", NO_MONEY)]
    again = advance_schedule(ScheduleView(spent.schedule, month_cents=10), EIGHT + HOUR, make_run)
    assert [notice.id for notice in again.notices] == [notice.id for notice in spent.notices]


def test_history_says_what_changed_since_the_last_time_and_what_it_cost() -> None:
    schedule = make_schedule(next=EIGHT, notify_when="changes")
    last = ScheduleFire(schedule="s", due=MADE - HOUR, state="ended", text="Kettle\n45 euros")
    ended = at_work(schedule, outcome="completed", answer="Kettle\n39 euros", usage=Usage(cost=0.02))
    change = advance_schedule(ScheduleView(schedule, [ended], last), MADE, make_run)
    assert change.fires[0].change.splitlines() == ["-45 euros", "+39 euros"]
    assert change.fires[0].cents == 2
    assert len(change.notices) == 1
    same = last.model_copy(update={"text": "Kettle\n39 euros"})
    assert not advance_schedule(ScheduleView(schedule, [ended], same), MADE, make_run).notices


def test_jitter_is_bounded_and_the_same_for_the_same_time() -> None:
    schedule = make_schedule(jitter=600)
    delays = {add_jitter(schedule, EIGHT + number * HOUR) - (EIGHT + number * HOUR) for number in range(50)}
    assert len(delays) == 50 and all(timedelta(0) <= delay < timedelta(minutes=10) for delay in delays)
    assert add_jitter(schedule, EIGHT) == add_jitter(schedule, EIGHT)


def test_words_that_an_earlier_version_read_and_this_one_does_not_pause_it_and_are_told() -> None:
    schedule = make_schedule(next=EIGHT, when="jeden Morgen um halb acht", notify=("page",))
    change = advance_schedule(ScheduleView(schedule), EIGHT, make_run)
    assert (
        change.schedule.paused and "“jeden Morgen um halb acht” does not surely say when" in change.schedule.paused_why
    )
    assert not change.runs and [notice.kind for notice in change.notices] == ["paused"]
    assert not advance_schedule(ScheduleView(change.schedule), EIGHT + HOUR, make_run).notices

"""The time that a run works is limited; the time that it waits for a person does not count."""

import pytest

from pilotfish.core.errors import OutOfBudget
from pilotfish.runtime.work_time import WorkTime


def test_steps_count_and_waiting_does_not() -> None:
    now = 0.0
    work = WorkTime(1, clock=lambda: now)
    with work.count_time():
        now += 50
        with work.pause_count():
            now += 600
    work.check()
    assert (work.used, work.left) == (50, 10)
    with work.count_time():
        now += 10
    with pytest.raises(OutOfBudget, match="worked for 1 minutes"):
        work.check()


def test_without_a_limit_a_run_may_work_on() -> None:
    now = 0.0
    work = WorkTime(None, clock=lambda: now)
    with work.count_time():
        now += 1e6
    work.check()


def test_of_two_limits_the_smaller_one_holds() -> None:
    assert WorkTime(5, 60).limit == WorkTime(60, 5).limit == WorkTime(5).limit == WorkTime(None, 5).limit == 5
    assert WorkTime(None).limit is None

"""The sense of progress: what is pointed out, what ends a run, and what must be looked at before it is claimed."""

import pytest

from pilotfish.core.messages import Call
from pilotfish.runtime.progress import Progress, Stuck
from pilotfish.tools.base import Result

CLICK = Call(id="1", tool="click", args={"id": 3})
SAME = Result(output="Nothing changed on the page.")


def test_the_same_action_with_the_same_outcome_is_pointed_out_the_third_time_and_ends_the_run_the_sixth() -> None:
    progress = Progress()
    told: list[str] = []
    with pytest.raises(Stuck, match="6 times"):
        for _ in range(7):
            progress.acted(CLICK, SAME)
            told.append(progress.hints())
    assert [bool(hint) for hint in told] == [False, False, True, True, True]
    assert "click {'id': 3}" in told[2]


def test_going_round_between_two_actions_is_noticed_too() -> None:
    progress = Progress()
    other = Call(id="2", tool="press_key", args={"key": "Escape"})
    for _ in range(3):
        progress.acted(CLICK, SAME)
        progress.acted(other, SAME)
    assert progress.hints().count("with the same outcome") == 2


def test_another_outcome_is_progress() -> None:
    progress = Progress()
    for number in range(10):
        progress.acted(CLICK, Result(output=f"Cart ({number})"))
    assert progress.hints() == ""


def test_a_page_that_does_not_change_under_actions_is_noticed_but_not_one_that_is_only_looked_at() -> None:
    progress = Progress()
    for _ in range(6):
        progress.saw("a")
    assert progress.hints() == ""
    for number in range(3):
        progress.acted(Call(id="1", tool="click", args={"id": number}), SAME)
        progress.saw("a")
    assert "has not changed in your last 3 actions" in progress.hints()
    progress.acted(CLICK, SAME)
    progress.saw("b")
    assert progress.hints() == ""


def test_a_tool_that_keeps_failing_is_named() -> None:
    progress = Progress()
    for number in range(3):
        progress.acted(Call(id="1", tool="upload", args={"id": number}), Result(ok=False, error=f"no file {number}"))
    assert "upload has failed 3 times in a row" in progress.hints()


def test_nothing_is_claimed_between_a_touch_and_the_next_look() -> None:
    progress = Progress()
    progress.acted(Call(id="1", tool="web_search"), SAME, touched=False)
    assert not progress.unseen
    progress.acted(CLICK, SAME)
    assert progress.unseen
    progress.saw("a")
    assert not progress.unseen

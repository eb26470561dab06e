"""The sense of progress: what is pointed out, what ends a run, and what must be looked at before it is claimed."""

import pytest

from pilotfish.core.messages import ToolCall
from pilotfish.runtime.progress import NoProgress, ProgressWatch
from pilotfish.tools.base import ToolResult

CLICK = ToolCall(id="1", tool="click", args={"id": 3})
SAME = ToolResult(output="Nothing changed on the page.")


def test_the_same_action_with_the_same_outcome_is_pointed_out_the_third_time_and_ends_the_run_the_sixth() -> None:
    progress = ProgressWatch()
    told: list[str] = []
    with pytest.raises(NoProgress, match="6 times"):
        for _ in range(7):
            progress.record_action(CLICK, SAME)
            told.append(progress.take_hints())
    assert [bool(hint) for hint in told] == [False, False, True, True, True]
    assert "click {'id': 3}" in told[2]


def test_going_round_between_two_actions_is_noticed_too() -> None:
    progress = ProgressWatch()
    other = ToolCall(id="2", tool="press_key", args={"key": "Escape"})
    for _ in range(3):
        progress.record_action(CLICK, SAME)
        progress.record_action(other, SAME)
    assert progress.take_hints().count("with the same outcome") == 2


def test_another_outcome_is_progress() -> None:
    progress = ProgressWatch()
    for number in range(10):
        progress.record_action(CLICK, ToolResult(output=f"Cart ({number})"))
    assert progress.take_hints() == ""


def test_a_page_that_does_not_change_under_actions_is_noticed_but_not_one_that_is_only_looked_at() -> None:
    progress = ProgressWatch()
    for _ in range(6):
        progress.record_page("a")
    assert progress.take_hints() == ""
    for number in range(3):
        progress.record_action(ToolCall(id="1", tool="click", args={"id": number}), SAME)
        progress.record_page("a")
    assert "has not changed in your last 3 actions" in progress.take_hints()
    progress.record_action(CLICK, SAME)
    progress.record_page("b")
    assert progress.take_hints() == ""


def test_a_tool_that_keeps_failing_is_named() -> None:
    progress = ProgressWatch()
    for number in range(3):
        progress.record_action(
            ToolCall(id="1", tool="upload", args={"id": number}), ToolResult(ok=False, error=f"no file {number}")
        )
    assert "upload has failed 3 times in a row" in progress.take_hints()


def test_nothing_is_claimed_between_a_touch_and_the_next_look() -> None:
    progress = ProgressWatch()
    progress.record_action(ToolCall(id="1", tool="web_search"), SAME, touched=False)
    assert not progress.unseen
    progress.record_action(CLICK, SAME)
    assert progress.unseen
    progress.record_page("a")
    assert not progress.unseen

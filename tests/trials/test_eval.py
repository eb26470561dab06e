"""Evaluations: judged by the site, told as they come, carried on where they were interrupted."""

import io
from pathlib import Path

import pytest
from rich.console import Console

from pilotfish.core.errors import PersonError
from pilotfish.interfaces.terminal.evaluation import EvaluationRequest, evaluate
from pilotfish.trials.case import TrialOutcome
from pilotfish.trials.report import TrialReport

pytestmark = pytest.mark.anyio


def outcome(name: str, *, success: bool, seed: int = 0) -> TrialOutcome:
    return TrialOutcome(
        name=name, loop="pilot", model="m", seed=seed, success=success, claimed=True, steps=2, seconds=1.5, tokens=100,
        cents=0.5,
    )  # fmt: skip


def test_a_report_sets_what_was_done_beside_what_was_claimed() -> None:
    report = TrialReport(suite="short", model="m", outcomes=(outcome("a", success=True), outcome("b", success=False)))
    assert "1 of 2 right (50%), claimed 100%" in report.summary() and "1.00 cents" in report.summary()
    assert TrialReport(suite="short", model="m", outcomes=()).summary() == "short: nothing was tried."


@pytest.mark.slow
async def test_trials_are_judged_by_the_site_and_kept_as_they_come(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PILOTFISH_HOME", str(tmp_path / "home"))
    file, screen = tmp_path / "report.json", io.StringIO()
    script = tmp_path / "script.json"
    script.write_text('[{"text": "{\\"reasoning\\":\\"x\\",\\"needs_action\\":false,\\"message\\":\\"All done!\\"}"}]')
    wanted = EvaluationRequest("short", f"scripted:{script}", limit=1, file=file)
    report = await evaluate(wanted, Console(file=screen, width=200))
    assert [(o.success, o.claimed, o.answer) for o in report.outcomes] == [(False, True, "All done!")]
    assert "open-timetable" in screen.getvalue() and "0 of 1 right (0%), claimed 100%" in screen.getvalue()
    again = await evaluate(
        EvaluationRequest("short", f"scripted:{script}", limit=2, file=file), Console(file=screen, width=200)
    )
    assert again.outcomes[0] == report.outcomes[0] and len(again.outcomes) == 2
    assert TrialReport.model_validate_json(file.read_text()) == again


async def test_what_is_not_there_is_said_with_what_is(tmp_path: Path) -> None:
    with pytest.raises(PersonError, match="no suite named"):
        await evaluate(EvaluationRequest("nothing"), Console(file=io.StringIO()))
    with pytest.raises(PersonError, match="no trial named"):
        await evaluate(EvaluationRequest("short", only=("nothing",)), Console(file=io.StringIO()))

"""`pilotfish eval`: trials with a live table."""

from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError
from rich.console import Console

from pilotfish.app import Pilotfish
from pilotfish.core.errors import PersonError
from pilotfish.interfaces.commands.base import write_file
from pilotfish.trials import miniwob, practice, runner
from pilotfish.trials.case import TrialCase, TrialOutcome
from pilotfish.trials.report import HEAD, TrialReport, outcome_row

SUITES = ("questions", "short", "everyday", "tasks", "miniwob")
WIDTHS = (2, 28, 5, 7, 6, 7, 9, 9, 60)


@dataclass(frozen=True)
class EvaluationRequest:
    """The suite, the model and loop, the number of trials, and the file of the report."""

    suite: str
    model: str = ""
    loop: str = ""
    seeds: int = 1
    limit: int = 0
    only: tuple[str, ...] = ()
    file: Path | None = None
    time_limit: float = 600


async def evaluate(wanted: EvaluationRequest, console: Console) -> TrialReport:
    """Run a suite and show each outcome at once. An unfinished report is continued."""
    async with AsyncExitStack() as stack:
        cases = await _cases(stack, wanted)
        fish = await stack.enter_async_context(Pilotfish(adopt=False))
        name = await fish.models.name("main", wanted.model)
        await fish.models.of("main", name)
        outcomes = _load_outcomes(wanted, name)
        _save_outcomes(wanted, name, outcomes)
        console.print(_row(HEAD), style="bold", highlight=False)
        for outcome in outcomes:
            console.print(_row(outcome_row(outcome)), highlight=False, markup=False, style="dim")
        known = {(outcome.name, outcome.seed) for outcome in outcomes}
        seeds = range(wanted.seeds)
        async for outcome in runner.run_trials(
            fish, cases, model=name, seeds=seeds, known=known, time_limit=wanted.time_limit
        ):
            outcomes.append(outcome)
            console.print(_row(outcome_row(outcome)), highlight=False, markup=False)
            _save_outcomes(wanted, name, outcomes)
    report = TrialReport(suite=wanted.suite, model=name, outcomes=tuple(outcomes))
    console.print(report.summary(), style="bold", highlight=False)
    return report


def _load_outcomes(wanted: EvaluationRequest, model: str) -> list[TrialOutcome]:
    """The outcomes of an earlier, interrupted evaluation of the same suite and model."""
    if not wanted.file or not wanted.file.exists():
        return []
    try:
        report = TrialReport.model_validate_json(wanted.file.read_bytes())
    except (ValidationError, OSError) as error:
        raise PersonError(f"{wanted.file} is not a report.", "Name another file, or remove this one.") from error
    if (report.suite, report.model) != (wanted.suite, model):
        held = f"{wanted.file} holds {report.suite} with {report.model}."
        raise PersonError(held, "Name another file, or remove this one.")
    return list(report.outcomes)


def _save_outcomes(wanted: EvaluationRequest, model: str, outcomes: Sequence[TrialOutcome]) -> None:
    if wanted.file:
        report = TrialReport(suite=wanted.suite, model=model, outcomes=tuple(outcomes))
        write_file(wanted.file, report.model_dump_json(indent=1))


async def _cases(stack: AsyncExitStack, wanted: EvaluationRequest) -> list[TrialCase]:
    if wanted.suite not in SUITES:
        raise PersonError(f"There is no suite named {wanted.suite!r}.", f"Choose one of: {', '.join(SUITES)}.")
    if wanted.suite == "miniwob":
        arcade = await stack.enter_async_context(miniwob.serve_miniwob())
        return arcade.cases(
            _pick_names(wanted.only, miniwob.list_tasks()) or miniwob.draw_tasks(wanted.limit or 50), wanted.loop
        )
    from pilotfish.practice.server import Practice

    site = await stack.enter_async_context(Practice())
    every = practice.practice_cases(site, wanted.suite, wanted.loop)
    only = _pick_names(wanted.only, [case.name for case in every])
    cases = [case for case in every if not only or case.name in only]
    return cases[: wanted.limit] if wanted.limit else cases


def _pick_names(only: Sequence[str], names: Sequence[str]) -> Sequence[str]:
    if missing := [name for name in only if name not in names]:
        raise PersonError(f"There is no trial named {missing[0]!r}.", f"There are: {', '.join(names)}.")
    return only


def _row(cells: Sequence[str]) -> str:
    return " ".join(cell.ljust(width)[:width] for cell, width in zip(cells, WIDTHS, strict=True)).rstrip()

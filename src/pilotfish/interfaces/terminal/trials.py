"""`pilotfish eval`: trials with a live table."""

from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError
from rich.console import Console

from pilotfish.app import Pilotfish
from pilotfish.core.errors import PersonError
from pilotfish.interfaces.cli import write
from pilotfish.trials import miniwob, practice, runner
from pilotfish.trials.case import Case, Outcome
from pilotfish.trials.report import HEAD, Report, line

SUITES = ("questions", "short", "tasks", "miniwob")
WIDTHS = (2, 28, 5, 7, 6, 7, 9, 9, 60)


@dataclass(frozen=True)
class Wanted:
    """What to try, with what, how often, and where to write it down."""

    suite: str
    model: str = ""
    loop: str = ""
    seeds: int = 1
    limit: int = 0
    only: tuple[str, ...] = ()
    file: Path | None = None
    patience: float = 600


async def evaluate(wanted: Wanted, console: Console) -> Report:
    """Try a suite, showing each outcome as it comes. A report that is there already is carried on."""
    async with AsyncExitStack() as stack:
        cases = await _cases(stack, wanted)
        fish = await stack.enter_async_context(Pilotfish(adopt=False))
        name = await fish.minds.name("main", wanted.model)
        await fish.minds.of("main", name)
        outcomes = _kept(wanted, name)
        _keep(wanted, name, outcomes)
        console.print(_row(HEAD), style="bold", highlight=False)
        for outcome in outcomes:
            console.print(_row(line(outcome)), highlight=False, markup=False, style="dim")
        known = {(outcome.name, outcome.seed) for outcome in outcomes}
        seeds = range(wanted.seeds)
        async for outcome in runner.run(fish, cases, model=name, seeds=seeds, known=known, patience=wanted.patience):
            outcomes.append(outcome)
            console.print(_row(line(outcome)), highlight=False, markup=False)
            _keep(wanted, name, outcomes)
    report = Report(suite=wanted.suite, model=name, outcomes=tuple(outcomes))
    console.print(report.summary(), style="bold", highlight=False)
    return report


def _kept(wanted: Wanted, model: str) -> list[Outcome]:
    """What an earlier, interrupted evaluation of the same suite and model has found."""
    if not wanted.file or not wanted.file.exists():
        return []
    try:
        report = Report.model_validate_json(wanted.file.read_bytes())
    except (ValidationError, OSError) as error:
        raise PersonError(f"{wanted.file} is not a report.", "Name another file, or remove this one.") from error
    if (report.suite, report.model) != (wanted.suite, model):
        told = f"{wanted.file} holds {report.suite} with {report.model}."
        raise PersonError(told, "Name another file, or remove this one.")
    return list(report.outcomes)


def _keep(wanted: Wanted, model: str, outcomes: Sequence[Outcome]) -> None:
    if wanted.file:
        report = Report(suite=wanted.suite, model=model, outcomes=tuple(outcomes))
        write(wanted.file, report.model_dump_json(indent=1))


async def _cases(stack: AsyncExitStack, wanted: Wanted) -> list[Case]:
    if wanted.suite not in SUITES:
        raise PersonError(f"There is no suite named {wanted.suite!r}.", f"Choose one of: {', '.join(SUITES)}.")
    if wanted.suite == "miniwob":
        arcade = await stack.enter_async_context(miniwob.serve())
        return arcade.cases(_picked(wanted.only, miniwob.names()) or miniwob.draw(wanted.limit or 50), wanted.loop)
    from pilotfish.practice.server import Practice

    site = await stack.enter_async_context(Practice())
    every = practice.cases(site, wanted.suite, wanted.loop)
    only = _picked(wanted.only, [case.name for case in every])
    cases = [case for case in every if not only or case.name in only]
    return cases[: wanted.limit] if wanted.limit else cases


def _picked(only: Sequence[str], names: Sequence[str]) -> Sequence[str]:
    if missing := [name for name in only if name not in names]:
        raise PersonError(f"There is no trial named {missing[0]!r}.", f"There are: {', '.join(names)}.")
    return only


def _row(cells: Sequence[str]) -> str:
    return " ".join(cell.ljust(width)[:width] for cell, width in zip(cells, WIDTHS, strict=True)).rstrip()

"""`pilotfish eval`: trials with a live table."""

from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from pilotfish.app import Pilotfish
from pilotfish.core.errors import PersonError
from pilotfish.trials import miniwob, practice, runner
from pilotfish.trials.case import Case, Outcome
from pilotfish.trials.report import HEAD, Report, line

SUITES = ("questions", "short", "tasks", "miniwob")
WIDTHS = (2, 28, 5, 7, 6, 7, 9, 60)


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


async def evaluate(wanted: Wanted, console: Console) -> Report:
    """Try a suite, showing each outcome as it comes."""
    async with AsyncExitStack() as stack:
        cases = await _cases(stack, wanted)
        fish = await stack.enter_async_context(Pilotfish(adopt=False))
        console.print(_row(HEAD), style="bold", highlight=False)
        outcomes: list[Outcome] = []
        async for outcome in runner.run(fish, cases, model=wanted.model, seeds=range(wanted.seeds)):
            outcomes.append(outcome)
            console.print(_row(line(outcome)), highlight=False, markup=False)
        name = outcomes[0].model if outcomes else wanted.model
        report = Report(suite=wanted.suite, model=name, outcomes=tuple(outcomes))
    console.print(report.summary(), style="bold", highlight=False)
    if wanted.file:
        wanted.file.write_text(report.model_dump_json(indent=1))
    return report


async def _cases(stack: AsyncExitStack, wanted: Wanted) -> list[Case]:
    if wanted.suite not in SUITES:
        raise PersonError(f"There is no suite named {wanted.suite!r}.", f"Choose one of: {', '.join(SUITES)}.")
    if wanted.suite == "miniwob":
        arcade = await stack.enter_async_context(miniwob.serve())
        return arcade.cases(wanted.only or miniwob.draw(wanted.limit or 50), wanted.loop)
    from pilotfish.practice.server import Practice

    site = await stack.enter_async_context(Practice())
    every = practice.cases(site, wanted.suite, wanted.loop)
    cases = [case for case in every if not wanted.only or case.name in wanted.only]
    return cases[: wanted.limit] if wanted.limit else cases


def _row(cells: Sequence[str]) -> str:
    return " ".join(cell.ljust(width)[:width] for cell, width in zip(cells, WIDTHS, strict=True)).rstrip()

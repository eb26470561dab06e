"""`pilotfish eval`: trials with a live table."""

from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path

from rich.console import Console

from pilotfish.app import Pilotfish
from pilotfish.core.errors import PersonError
from pilotfish.trials import miniwob, practice, runner
from pilotfish.trials.case import Case, Outcome
from pilotfish.trials.report import HEAD, Report, line

SUITES = ("questions", "short", "tasks", "miniwob")
WIDTHS = (2, 28, 5, 7, 6, 7, 9, 60)


async def evaluate(
    suite: str, *, model: str, loop: str, seeds: int, limit: int, only: list[str], file: Path | None, console: Console
) -> Report:
    """Try a suite, showing each outcome as it comes."""
    async with AsyncExitStack() as stack:
        cases = await _cases(stack, suite, loop, limit, only)
        fish = await stack.enter_async_context(Pilotfish(adopt=False))
        console.print(_row(HEAD), style="bold", highlight=False)
        outcomes: list[Outcome] = []
        async for outcome in runner.run(fish, cases, model=model, seeds=range(seeds)):
            outcomes.append(outcome)
            console.print(_row(line(outcome)), highlight=False, markup=False)
        report = Report(suite=suite, model=outcomes[0].model if outcomes else model, outcomes=tuple(outcomes))
    console.print(report.summary(), style="bold", highlight=False)
    if file:
        file.write_text(report.model_dump_json(indent=1))
    return report


async def _cases(stack: AsyncExitStack, suite: str, loop: str, limit: int, only: list[str]) -> list[Case]:
    if suite not in SUITES:
        raise PersonError(f"There is no suite named {suite!r}.", f"Choose one of: {', '.join(SUITES)}.")
    if suite == "miniwob":
        arcade = await stack.enter_async_context(miniwob.serve())
        return arcade.cases(only or miniwob.draw(limit or 50), loop)
    from pilotfish.practice.server import Practice

    site = await stack.enter_async_context(Practice())
    cases = [case for case in practice.cases(site, suite, loop) if not only or case.name in only]
    return cases[:limit] if limit else cases


def _row(cells: Sequence[str]) -> str:
    return " ".join(cell.ljust(width)[:width] for cell, width in zip(cells, WIDTHS, strict=True)).rstrip()

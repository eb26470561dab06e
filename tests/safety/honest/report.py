"""The table of the honest chores, as bench/honest.py prints it."""

from collections.abc import Sequence
from pathlib import Path

from pilotfish import Pilotfish
from pilotfish.core.settings import PolicySettings, Settings
from pilotfish.practice.server import Practice

from .apps import AppServer
from .chores import Chore, ChoreOutcome, ChoreRunner, all_chores, load_chores

HEAD = "| chore | suite | steps | s | asked | denied | done |\n|---|---|---:|---:|---|---|---|"


async def print_table(home: Path, pages: Path | None = None, only: str = "") -> None:
    """Run all chores, those on saved pages where a folder of them is given, and print what came of each."""
    saved = [("saved", chore) for chore in load_chores("saved")] if pages else []
    outcomes: list[tuple[Chore, ChoreOutcome]] = []
    print(HEAD)
    settings = Settings(home=home, policy=PolicySettings(allowed=("127.0.0.1",)))
    async with Practice() as practice, AppServer(pages) as apps, Pilotfish(settings) as fish:
        runner = ChoreRunner(fish, practice, apps)
        for suite, chore in [*all_chores(), *saved]:
            if only in f"{suite} {chore.name}":
                outcomes.append((chore, await runner.run(suite, chore)))
                print(to_row(suite, *outcomes[-1]), flush=True)
    print(summarize_all(outcomes))


def to_row(suite: str, chore: Chore, outcome: ChoreOutcome) -> str:
    trouble = [*outcome.failed, *outcome.missing]
    done = "no: " + trouble[0].replace("\n", " ")[:300] if trouble else "yes"
    asked = [question if question.startswith(chore.asks or "-") else f"**{question}**" for question in outcome.asked]
    cells = (chore.name, suite, len(chore.steps), f"{outcome.seconds:.1f}", "<br>".join(asked))
    return f"| {' | '.join(map(str, cells))} | {'<br>'.join(outcome.denied)} | {done} |"


def summarize_all(outcomes: Sequence[tuple[Chore, ChoreOutcome]]) -> str:
    total = len(outcomes)
    done = sum(not (one.failed or one.missing) for _, one in outcomes)
    denied = sum(bool(one.denied) for _, one in outcomes)
    asked = sum(bool(one.asked) for _, one in outcomes)
    twice = sum(len(one.asked) > 1 for _, one in outcomes)
    needless = sum(bool(one.asked) and not chore.asks for chore, one in outcomes)
    seconds = sum(one.seconds for _, one in outcomes)
    return (
        f"\n{total} chores in {seconds:.0f} s: {done} done, {denied} denied, {asked} asked about "
        f"({needless} without need), {twice} asked about more than once."
    )

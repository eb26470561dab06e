"""Prints the table of chores on real apps, ours beside browser-use with the same strong model.

    python bench/apps.py [FILE …]        (none: every bench/results/apps-*.json)

A file is a list of chores: `id`, `app`, `start`, `words` (what the person said), `check` (what has to hold afterwards
in the app's own state), `long` (the same thing done to many), and under `ours` and `browser-use` what came of it:
`done`, `calls` (requests to the model), `characters` (of all requests), `wrong` (things touched that should not have
been). Chores without results are left out.
"""

import json
import sys
from pathlib import Path
from typing import Any

from pydantic import BaseModel, Field

RESULTS = Path(__file__).parent / "results"
PRODUCTS = ("ours", "browser-use")


class ChoreResult(BaseModel):
    """What one product made of a chore."""

    done: bool
    calls: int
    characters: int
    wrong: int = 0
    note: str = ""


class AppChore(BaseModel):
    """A chore that both products were given, in a person's words."""

    id: str
    app: str
    start: str
    words: str
    check: str
    long: bool = False
    ours: ChoreResult
    peer: ChoreResult = Field(alias="browser-use")


def line(name: str, chores: list[AppChore]) -> str:
    """The sums over some chores, ours and browser-use's, and ours as a share of browser-use's."""
    cells = [f"{name:26.26}"]
    for results in ([chore.ours for chore in chores], [chore.peer for chore in chores]):
        done = f"{sum(one.done for one in results)}/{len(results)}"
        calls, characters, wrong = (
            sum(getattr(one, what) for one in results) for what in ("calls", "characters", "wrong")
        )
        cells.append(f"{done:>6} {calls:>6} {characters:>10,} {wrong:>6}")
    calls = sum(chore.ours.calls for chore in chores) / sum(chore.peer.calls for chore in chores)
    characters = sum(chore.ours.characters for chore in chores) / sum(chore.peer.characters for chore in chores)
    return "  ".join([*cells, f"{calls:>5.2f} {characters:>6.2f}"])


def table(chores: list[AppChore]) -> str:
    """One line a chore, then the sums by app, of the short, of the long and of all."""
    column = f"{'done':>6} {'calls':>6} {'characters':>10} {'wrong':>6}"
    lines = [
        "  ".join([" " * 26, *(f"{name:>31}" for name in PRODUCTS), f"{'ratio':>12}"]),
        "  ".join([f"{'chore':26}", column, column, f"{'calls':>5} {'chars':>6}"]),
        *(line(f"{chore.id}{' (long)' if chore.long else ''}", [chore]) for chore in chores),
        "",
    ]
    groups = {
        app: [chore for chore in chores if chore.app == app] for app in dict.fromkeys(chore.app for chore in chores)
    }
    groups |= {
        "short": [chore for chore in chores if not chore.long],
        "long": [chore for chore in chores if chore.long],
    }
    lines += [line(name, group) for name, group in groups.items() if group]
    return "\n".join([*lines, line("all", chores)])


def read(file: Path) -> list[AppChore]:
    """The chores of a file that have results."""
    rows: list[dict[str, Any]] = json.loads(file.read_bytes())
    return [AppChore.model_validate(row) for row in rows if all(name in row for name in PRODUCTS)]


def main(files: list[Path]) -> None:
    chores = [chore for file in files for chore in read(file)]
    print(table(chores) if chores else "There is no result yet; see the first lines of this file.")


if __name__ == "__main__":
    main([Path(word) for word in sys.argv[1:]] or sorted(RESULTS.glob("apps-*.json")))

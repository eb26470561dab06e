"""Compares two measurements of the same tasks: what only one of them did, and what each claimed falsely.

    python -m gym.paired --old old*.jsonl --new new*.jsonl

Files are those of `gym.evaluate` or reports of `pilotfish eval`. Tasks that only one side has are left out.
"""

import argparse
import json
from collections.abc import Iterable, Mapping, Sequence
from math import comb
from pathlib import Path
from typing import Any, NamedTuple


class Outcome(NamedTuple):
    """How a task ended: whether it was done, and whether the run said so."""

    done: bool
    claimed: bool
    seconds: float

    @property
    def sign(self) -> str:
        return "+" if self.done else "!" if self.claimed else "-"


TaskName = tuple[str, int]
Outcomes = Mapping[TaskName, Outcome]


def read_outcomes(paths: Iterable[Path]) -> dict[TaskName, Outcome]:
    """The outcomes of files."""
    found: dict[TaskName, Outcome] = {}
    for path in paths:
        text = path.read_text("utf-8")
        found |= collect_outcomes(
            json.loads(text)["outcomes"] if path.suffix == ".json" else map(json.loads, text.splitlines())
        )
    return found


def collect_outcomes(rows: Iterable[Mapping[str, Any]]) -> dict[TaskName, Outcome]:
    """The outcomes by family or name, and by seed."""
    return {
        (str(row.get("family") or row["name"]), int(row["seed"])): Outcome(
            bool(row["success"] if "success" in row else row["done"]), row["claimed"], row["seconds"]
        )
        for row in rows
    }


def write_pairs(old: Outcomes, new: Outcomes) -> str:
    """A table: one line a task that ended differently, then the counts. `+` done, `!` falsely claimed, `-` neither."""
    names = sorted(old.keys() & new.keys())
    pairs = [(name, old[name], new[name]) for name in names]
    changed = [(name, seed, before, after) for (name, seed), before, after in pairs if before.sign != after.sign]
    lines = [f"{before.sign} → {after.sign}  {name} {seed}" for name, seed, before, after in changed]
    gained = sum(after.done and not before.done for _, before, after in pairs)
    lost = sum(before.done and not after.done for _, before, after in pairs)
    lines.append(f"{len(pairs)} tasks of both; only the old one did {lost}, only the new one {gained}")
    for side, outcomes in (("old", [before for _, before, _ in pairs]), ("new", [after for _, _, after in pairs])):
        lines.append(f"{side}: {describe(outcomes)}")
    return "\n".join([*lines, f"such a difference or more by chance: {chance_of(gained, lost):.3f}"])


def describe(outcomes: Sequence[Outcome]) -> str:
    """Done tasks, false claims and seconds of one side."""
    done, false = sum(one.done for one in outcomes), sum(one.claimed and not one.done for one in outcomes)
    seconds = sum(one.seconds for one in outcomes) / max(1, len(outcomes))
    return f"{done} done, {false} claimed falsely, {seconds:.0f} s a task"


def chance_of(gained: int, lost: int) -> float:
    """How likely at least so uneven a split of the differing tasks is, were both sides equally good."""
    count = gained + lost
    tail = sum(comb(count, at) for at in range(min(gained, lost) + 1)) / 2**count
    return min(1.0, 2 * tail)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--old", type=Path, nargs="+", required=True)
    parser.add_argument("--new", type=Path, nargs="+", required=True)
    given = parser.parse_args()
    print(write_pairs(read_outcomes(given.old), read_outcomes(given.new)))


if __name__ == "__main__":
    main()

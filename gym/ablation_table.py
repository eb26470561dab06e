"""Prints what each aid of the short loop does, from the files of `gym.evaluate --each`.

    python -m gym.ablation_table each-*.jsonl --out report.json
    python -m gym.ablation_table report.json

The first table counts the plays with all aids in which each of them acted. The second needs `--each`. A line per aid:
the lines of code that it costs, the tasks that were compared, those in which it acted, and with and without it the done
tasks, the false claims and the seconds a task. Where it did not act, the task is the same without it. `nothing`
compares two plays of each task: what differs there differs by chance. Tasks that were not played without an aid that
acted in them are left out of its line.
"""

import argparse
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from gym.ablation import NOTHING
from gym.aids import AIDS
from gym.paired import Outcome, TaskName, chance_of, collect_outcomes

Row = dict[str, Any]
HEAD = "| aid | lines | tasks | acted | done | false claims | only with | only without | chance | seconds |"


@dataclass(frozen=True)
class AidEffect:
    """What an aid does: each pair is with it and without it."""

    aid: str
    lines: int
    tasks: int
    acted: int
    done: tuple[int, int]
    false: tuple[int, int]
    seconds: tuple[float, float]
    lost: int
    """Tasks that were done only with it."""
    gained: int
    """Tasks that were done only without it."""


@dataclass(frozen=True)
class AidUse:
    """In how many plays an aid acted, and of those how many were done and how many falsely claimed."""

    aid: str
    lines: int
    plays: int
    acted: int
    done: int
    false: int


def read_results(paths: Iterable[Path]) -> list[Row]:
    return [json.loads(line) for path in paths for line in path.read_text("utf-8").splitlines()]


def compare_plays(rows: Sequence[Row]) -> list[AidEffect]:
    """What each aid does that was off in some of the plays."""
    whole = [row for row in rows if not row["without"]]
    usual = collect_outcomes(whole)
    acted = {(str(row["family"]), int(row["seed"])): {*row["acted"], NOTHING} for row in whole}
    effects = list[AidEffect]()
    for name in (*AIDS, NOTHING):
        other = collect_outcomes(row for row in rows if row["without"] == [name])
        pairs = {
            task: (usual[task], other.get(task, usual[task]))
            for task in usual
            if task in other or name not in acted[task]
        }
        if other:
            effects.append(compare_pairs(name, pairs, len(pairs.keys() & other.keys())))
    return effects


def compare_pairs(name: str, pairs: dict[TaskName, tuple[Outcome, Outcome]], acted: int) -> AidEffect:
    sides: Sequence[Sequence[Outcome]] = [[pair[side] for pair in pairs.values()] for side in (0, 1)]
    done, false, seconds = (
        [sum(one.done for one in side) for side in sides],
        [sum(one.claimed and not one.done for one in side) for side in sides],
        [round(sum(one.seconds for one in side) / max(1, len(side)), 1) for side in sides],
    )
    lost, gained = (sum(pair[a].done and not pair[1 - a].done for pair in pairs.values()) for a in (0, 1))
    lines = AIDS[name].lines if name in AIDS else 0
    counted = (done[0], done[1]), (false[0], false[1]), (seconds[0], seconds[1])
    return AidEffect(name, lines, len(pairs), acted, *counted, lost, gained)


def count_uses(rows: Sequence[Row]) -> list[AidUse]:
    """In how many plays with all aids each of them acted. Without one that never acts, each of them is the same."""
    whole = [row for row in rows if not row["without"]]
    uses = list[AidUse]()
    for aid in AIDS.values():
        ends = [
            *collect_outcomes({**row, "seed": at} for at, row in enumerate(whole) if aid.name in row["acted"]).values()
        ]
        done, false = sum(one.done for one in ends), sum(one.claimed and not one.done for one in ends)
        uses.append(AidUse(aid.name, aid.lines, len(whole), len(ends), done, false))
    return uses


def write_uses(uses: Iterable[AidUse]) -> str:
    lines = ["| aid | lines | plays | acted | of those done | falsely claimed |", "|---|" + "---:|" * 5]
    lines += [f"| {' | '.join(map(str, asdict(one).values()))} |" for one in uses]
    return "\n".join(lines)


def write_table(effects: Iterable[AidEffect]) -> str:
    lines = [HEAD, "|---|" + "---:|" * (HEAD.count("|") - 2)]
    for one in effects:
        pairs = (f"{before} → {after}" for before, after in (one.done, one.false))
        seconds = f"{one.seconds[0]:.0f} → {one.seconds[1]:.0f}"
        cells = (one.aid, one.lines, one.tasks, one.acted, *pairs, one.lost, one.gained)
        lines.append(f"| {' | '.join(map(str, cells))} | {chance_of(one.gained, one.lost):.2f} | {seconds} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="+", help="results, or one report that was kept")
    parser.add_argument("--out", type=Path, help="keep the figures there")
    given = parser.parse_args()
    if given.files[0].suffix == ".json":
        kept = json.loads(given.files[0].read_text("utf-8"))
        effects, uses = [AidEffect(**row) for row in kept["aids"]], [AidUse(**row) for row in kept["uses"]]
    else:
        rows = read_results(given.files)
        effects, uses = compare_plays(rows), count_uses(rows)
    print("\n\n".join([write_uses(uses), *([write_table(effects)] if effects else [])]))
    if given.out:
        kept = {"aids": [asdict(one) for one in effects], "uses": [asdict(one) for one in uses]}
        given.out.write_text(json.dumps(kept, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()

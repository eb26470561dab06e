"""Prints the evaluation tables from the reports that `pilotfish eval … --report FILE` wrote.

    python bench/tasks.py [FILE …]        (none: every report in bench/results)

To make the reports (a report that was interrupted is carried on):

    pilotfish eval questions --model embedded --report bench/results/questions.json
    pilotfish eval short --model embedded --report bench/results/short.json
    pilotfish eval miniwob --model embedded --seeds 3 --report bench/results/miniwob.json
"""

import sys
from collections import defaultdict
from pathlib import Path

from pilotfish.trials.case import TrialOutcome
from pilotfish.trials.report import TrialReport

RESULTS = Path(__file__).parent / "results"


def table(report: TrialReport) -> str:
    """One line a trial: how often it was done and claimed, and the middle of what it took."""
    trials: defaultdict[str, list[TrialOutcome]] = defaultdict(list)
    for outcome in report.outcomes:
        trials[outcome.name].append(outcome)
    lines = [f"{'trial':30} {'done':>6} {'claimed':>8} {'steps':>6} {'s':>7} {'tokens':>8}"]
    for name, tries in sorted(trials.items()):
        done, claimed = (sum(getattr(one, field) for one in tries) for field in ("success", "claimed"))
        steps, seconds, tokens = (
            sorted(getattr(one, field) for one in tries)[len(tries) // 2] for field in ("steps", "seconds", "tokens")
        )
        lines.append(f"{name:30} {done}/{len(tries):<4} {claimed:>8} {steps:>6} {seconds:>7.1f} {tokens:>8,}")
    return "\n".join(lines)


def main(files: list[Path]) -> None:
    for file in files:
        report = TrialReport.model_validate_json(file.read_text("utf-8"))
        print(table(report), report.summary(), "", sep="\n")
    if not files:
        print("There is no report yet; see the first lines of this file.")


if __name__ == "__main__":
    kept = [file for file in sorted(RESULTS.glob("*.json")) if b'"suite"' in file.read_bytes()]
    main([Path(word) for word in sys.argv[1:]] or kept)

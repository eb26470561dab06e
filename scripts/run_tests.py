"""Runs the tests, and those that failed once more: alone, one after the other. It needs pytest.

    python scripts/run_tests.py [OPTIONS OF PYTEST]

A busy machine may fail a test once; broken code fails it twice. What passed only alone is named at the end. The run is
red at once where an attack failed (what got through once did get through), where a file could not be read, and where
many tests failed.
"""

import multiprocessing
import sys
import time
from collections.abc import Collection, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from datetime import timedelta

import pytest

ATTACKS = "tests/safety/test_attacks"
"""How the names of all tests of attacks begin."""
MOST = 12
"""So many failures are not the machine's."""


@dataclass(eq=False)
class Results:
    """What came of each test, and the exit status. As a plugin of pytest it notes this itself."""

    passed: set[str] = field(default_factory=set[str])
    skipped: set[str] = field(default_factory=set[str])
    failed: set[str] = field(default_factory=set[str])
    unread: set[str] = field(default_factory=set[str])
    status: int = pytest.ExitCode.INTERNAL_ERROR

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.add(report.nodeid)
        elif report.skipped:
            self.skipped.add(report.nodeid)
        elif report.when == "call":
            self.passed.add(report.nodeid)
        self.passed -= self.failed

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.unread.add(report.nodeid)


def run(words: Sequence[str]) -> Results:
    """Run pytest in this process."""
    results = Results()
    results.status = int(pytest.main([*words], plugins=[results]))
    return results


def run_apart(words: Sequence[str]) -> Results:
    """Run pytest in a process of its own, so that nothing of another run is left in it."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
        return process.submit(run, words).result()


def find_reason(first: Results) -> str:
    """Why the run is red at once; empty if what failed may be run again."""
    if first.status != pytest.ExitCode.TESTS_FAILED:
        return f"pytest ended with {first.status}."
    if first.unread or not first.failed:
        return f"What pytest could not read: {', '.join(sorted(first.unread)) or 'nothing named'}."
    if grave := sorted(name for name in first.failed if name.startswith(ATTACKS)):
        return f"Attacks are not tried again: {', '.join(grave)}."
    return f"{len(first.failed)} tests failed, more than {MOST}." if len(first.failed) > MOST else ""


def tell(title: str, names: Collection[str]) -> None:
    if names:
        print("\n  ".join((title, *sorted(names))))


def close(first: Results, again: Results, seconds: int) -> int:
    """Name what passed only alone and what failed twice, write a last line as pytest does, return the exit status."""
    saved = first.failed & again.passed
    lost = (first.failed | again.failed) - saved
    tell("passed only when run alone:", saved)
    tell("failed twice:", lost)
    counts = {"failed": len(lost), "passed": len(first.passed | saved), "skipped": len(first.skipped)}
    told = ", ".join(f"{count} {outcome}" for outcome, count in counts.items() if count)
    print(f"{told} in {seconds}.00s ({timedelta(seconds=seconds)})")
    return int(bool(lost))


def main(words: Sequence[str]) -> int:
    began = time.monotonic()
    first = run_apart(words)
    if first.status == pytest.ExitCode.OK:
        return 0
    if reason := find_reason(first):
        print(f"Red at once: {reason}")
        return first.status
    print(f"\n{len(first.failed)} failed. Once more, alone:", flush=True)
    return close(first, run_apart(sorted(first.failed)), round(time.monotonic() - began))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

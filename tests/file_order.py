"""Puts the longest test files first, so that no worker of pytest-xdist is left alone with a long one at the end.

How long a slow test takes is known from its last run. One that was not run yet is taken to be as long as most are.
"""

from collections import defaultdict
from typing import cast

import pytest

KEY = "pilotfish/slow_tests"
GUESS = 1.5
"""Seconds of a slow test."""
FAST = 0.02
"""Seconds of any other test."""


class SlowTestTimes:
    """Adds up how long each slow test takes, its fixtures included, and keeps that for the next run."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.seconds = defaultdict[str, float](float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if "slow" in report.keywords:
            self.seconds[report.nodeid] += report.duration

    def pytest_sessionfinish(self) -> None:
        if self.config.pluginmanager.has_plugin("cacheprovider") and self.config.cache:
            self.config.cache.set(KEY, {**read_times(self.config), **self.seconds})


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(SlowTestTimes(config))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    known, files = read_times(config), defaultdict[str, float](float)
    for item in items:
        files[str(item.path)] += known.get(item.nodeid, GUESS) if item.get_closest_marker("slow") else FAST
    items.sort(key=lambda item: (-files[str(item.path)], str(item.path)))


def read_times(config: pytest.Config) -> dict[str, float]:
    if not config.pluginmanager.has_plugin("cacheprovider") or not config.cache:
        return {}
    return cast("dict[str, float]", config.cache.get(KEY, {}))

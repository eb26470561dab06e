"""Collects garbage seldom: looking through all that was imported again and again takes a fifth of the tests' time."""

import gc

import pytest

OBJECTS, OLDER, OLDEST = 100_000, 20, 20
"""So many new objects bring a collection; so many of these one of what is older, and so many of those one of all."""

gc.set_threshold(OBJECTS, OLDER, OLDEST)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """What was imported and collected until now lives to the end, so no collection looks at it any more."""
    gc.collect()
    gc.freeze()

"""A practice site for the tests of a loop, and a run that does not wait long for what never comes."""

from collections.abc import AsyncIterator

import pytest

from pilotfish.loop_support import action_batch, evidence
from pilotfish.practice.server import Practice


@pytest.fixture(scope="module")
async def practice() -> AsyncIterator[Practice]:
    async with Practice() as site:
        yield site


@pytest.fixture
def site(practice: Practice) -> Practice:
    """The site of the module as nobody has touched it; what a test does in a world of its own stays there."""
    practice.reset()
    return practice


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests in which words or elements never come: look once more, then give up."""
    for module in (action_batch, evidence):
        monkeypatch.setattr(module, "APPEAR_SECONDS", 0.1)

"""A practice site for every test of a loop."""

from collections.abc import AsyncIterator

import pytest

from pilotfish.practice.server import Practice


@pytest.fixture
async def site() -> AsyncIterator[Practice]:
    async with Practice() as site:
        yield site

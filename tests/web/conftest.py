"""What the tests of the web share."""

from collections.abc import AsyncIterator

import pytest

from .loopback import Site, site


@pytest.fixture
async def web() -> AsyncIterator[Site]:
    async with site() as made:
        yield made

"""One server for all tests of a module."""

from collections.abc import AsyncGenerator

import pytest

from .house import House, opened


@pytest.fixture(scope="module")
async def house(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[House]:
    async with opened(tmp_path_factory.mktemp("home")) as running:
        yield running

"""What the tests of models share."""

from collections.abc import AsyncGenerator

import pytest

from llm.wire import Wire, running


@pytest.fixture
async def wire() -> AsyncGenerator[Wire, None]:
    async with running() as server:
        yield server

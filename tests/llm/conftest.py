"""What the tests of models share."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from llm.smol import NAME, shared
from llm.wire import Wire, running
from pilotfish.core.settings import Models
from pilotfish.llm.catalog import SHARED
from pilotfish.llm.embedded import Embedded
from pilotfish.llm.providers import connect


@pytest.fixture
async def wire() -> AsyncGenerator[Wire, None]:
    async with running() as server:
        yield server


@pytest.fixture(scope="session")
def weights() -> Path:
    """The folder with the small real model."""
    return shared()


@pytest.fixture
async def smol(weights: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[Embedded, None]:
    """The small real model, in a child process of its own."""
    monkeypatch.setenv(SHARED, str(weights))
    model = await connect(f"embedded:{NAME}", Models(), Path())
    assert isinstance(model, Embedded)
    yield model
    await model.close()

"""What the tests of models share."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from llm.fake_provider import Wire, serve_provider
from llm.smol import NAME, find_shared_folder
from pilotfish.core.settings import ModelSettings
from pilotfish.llm.catalog import SHARED_FOLDER_VARIABLE
from pilotfish.llm.embedded import EmbeddedModel
from pilotfish.llm.providers import connect_model


@pytest.fixture
async def wire() -> AsyncGenerator[Wire, None]:
    async with serve_provider() as server:
        yield server


@pytest.fixture(scope="session")
def weights() -> Path:
    """The folder with the small real model."""
    return find_shared_folder()


@pytest.fixture
async def smol(weights: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[EmbeddedModel, None]:
    """The small real model, in a child process of its own."""
    monkeypatch.setenv(SHARED_FOLDER_VARIABLE, str(weights))
    model = await connect_model(f"embedded:{NAME}", ModelSettings(), Path())
    assert isinstance(model, EmbeddedModel)
    yield model
    await model.close()

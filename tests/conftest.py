"""What every test shares."""

import hypothesis
import pytest

pytest_plugins = ["postgres", "fish"]

# Machines are shared and slow now and then; how long an example takes says nothing about the code.
hypothesis.settings.register_profile("calm", deadline=None)
hypothesis.settings.load_profile("calm")


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"

"""What every test shares."""

import pytest

pytest_plugins = ["postgres"]


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"

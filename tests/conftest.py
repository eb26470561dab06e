"""What every test shares."""

import os

import hypothesis
import pytest

pytest_plugins = ["postgres", "fish"]

# A person's own keyring is none of a test's business.
os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.fail.Keyring"

# Machines are shared and slow now and then; how long an example takes says nothing about the code.
hypothesis.settings.register_profile("calm", deadline=None)
hypothesis.settings.load_profile("calm")


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files with slow tests go first, so that no worker is left alone with a long one at the end."""
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)

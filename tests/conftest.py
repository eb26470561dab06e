"""Settings and fixtures of all tests."""

import os

import hypothesis
import pytest

pytest_plugins = ["file_order", "postgres", "scripted_app"]

# Tests must not read or change the keyring of the person who runs them.
os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.fail.Keyring"

# On a shared machine the time of one example says nothing about the code.
hypothesis.settings.register_profile("calm", deadline=None)
hypothesis.settings.load_profile("calm")


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"

"""Settings and fixtures of all tests."""

import functools
import os

import httpcore2
import hypothesis
import pytest

pytest_plugins = [
    "file_order",
    "light_browser",
    "module_sessions",
    "postgres",
    "prepared_databases",
    "rare_garbage_collection",
    "scripted_app",
    "slow_marks",
]

# Each HTTP client reads all certificates of the system, which takes longer than most tests.
httpcore2.default_ssl_context = functools.cache(httpcore2.default_ssl_context)

# Tests must not read or change the keyring of the person who runs them.
os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.fail.Keyring"

# On a shared machine the time of one example says nothing about the code.
hypothesis.settings.register_profile("calm", deadline=None)
hypothesis.settings.load_profile("calm")


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"

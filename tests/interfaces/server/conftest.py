"""One server for all tests of a module."""

from collections.abc import AsyncGenerator

import pytest

from .running_server import RunningServer, serve_app_at


@pytest.fixture(scope="module")
async def running(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[RunningServer]:
    async with serve_app_at(tmp_path_factory.mktemp("home")) as running:
        yield running

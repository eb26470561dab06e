"""A fresh session and a small site for each test."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from browser.stage import Site, serving
from pilotfish.browser.pool import Pool
from pilotfish.browser.session import Session


@pytest.fixture
async def session(pool: Pool, tmp_path: Path) -> AsyncIterator[Session]:
    run = tmp_path.name
    yield await pool.lease(run, tmp_path)
    await pool.end(run)


@pytest.fixture
def site() -> Iterator[Site]:
    with serving() as site:
        yield site

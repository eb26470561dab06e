"""A fresh session and a small site for each test."""

import logging
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from browser.stage import Site, serving
from pilotfish.browser.sessions.browser_pool import BrowserPool
from pilotfish.browser.sessions.session import BrowserSession


@pytest.fixture
async def session(pool: BrowserPool, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> AsyncIterator[BrowserSession]:
    """A look that had to leave something out says so in the log: then the script has a fault."""
    run = tmp_path.name
    yield await pool.lease(run, tmp_path)
    await pool.end(run)
    assert not [told for told in map(logging.LogRecord.getMessage, caplog.records) if "could not be read" in told]


@pytest.fixture
def site() -> Iterator[Site]:
    with serving() as site:
        yield site

"""A session and a small site for each test."""

import logging
from collections.abc import Iterator

import pytest

from browser.stage import Site, serve_site
from pilotfish.browser.sessions.session import BrowserSession


@pytest.fixture
def session(browser_session: BrowserSession, caplog: pytest.LogCaptureFixture) -> Iterator[BrowserSession]:
    """A look that had to leave something out says so in the log: then the script has a fault."""
    yield browser_session
    assert not [told for told in map(logging.LogRecord.getMessage, caplog.records) if "could not be read" in told]


@pytest.fixture
def site() -> Iterator[Site]:
    with serve_site() as site:
        yield site

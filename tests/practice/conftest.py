"""The practice site, running once for each test module."""

from collections.abc import AsyncIterator

import httpx2
import pytest

from pilotfish.practice.server import Practice


@pytest.fixture(scope="module")
async def site() -> AsyncIterator[Practice]:
    async with Practice() as running:
        yield running


@pytest.fixture
async def visitor(site: Practice) -> AsyncIterator[httpx2.AsyncClient]:
    """A visitor of a fresh world named `main`."""
    site.reset()
    async with httpx2.AsyncClient(base_url=site.url, follow_redirects=True) as client:
        yield client

"""A Pilotfish whose model says what a test tells it to."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from pilotfish import Pilotfish
from pilotfish.browser.pool import Pool
from pilotfish.core.events import Live
from pilotfish.core.settings import Browser, Settings
from pilotfish.llm.scripted import Line, Scripted

Open = Callable[..., Awaitable[Pilotfish]]


@pytest.fixture(scope="session")
async def pool() -> AsyncIterator[Pool]:
    """One browser for all tests of a worker, started when the first of them needs it."""
    pool = Pool(Browser(timeout=10))
    yield pool
    await pool.close()


@pytest.fixture
async def opened(tmp_path: Path, pool: Pool) -> AsyncIterator[Open]:
    """Opens the app with a scripted model; settings may be given. Who says nothing about browsers shares one."""
    async with AsyncExitStack() as stack:

        async def open(replies: Sequence[Line] = (), **settings: Any) -> Pilotfish:
            fish = await stack.enter_async_context(Pilotfish(Settings(home=tmp_path, **settings)))
            if "browser" not in settings:
                fish.browsers.pool.engine = pool.engine
            script(fish, replies)
            return fish

        yield open


def script(fish: Pilotfish, replies: Sequence[Line]) -> Scripted:
    model = Scripted(replies)
    fish.minds.pretend("scripted", model)
    return model


async def told(fish: Pilotfish, task: str = "do it", **how: Any) -> list[Live]:
    """Everything that a run said."""
    return [event async for event in fish.run(task, **how)]

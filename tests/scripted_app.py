"""An app whose model gives the replies that a test scripts."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from pilotfish import Pilotfish
from pilotfish.browser.sessions.browser_pool import BrowserPool
from pilotfish.core.events import StreamItem
from pilotfish.core.settings import BrowserSettings, Settings
from pilotfish.llm.scripted import ScriptedModel, ScriptLine

Open = Callable[..., Awaitable[Pilotfish]]


@pytest.fixture(scope="session")
async def pools() -> AsyncIterator[Mapping[bool, BrowserPool]]:
    """For all tests of a worker: one whole browser and a light one, each started when the first of them needs it."""
    pools = {whole: BrowserPool(BrowserSettings(timeout=10)) for whole in (False, True)}
    yield pools
    for pool in pools.values():
        await pool.close()


@pytest.fixture(scope="module")
async def pool(pools: Mapping[bool, BrowserPool], whole_browser: bool) -> BrowserPool:
    """The browser of a module's tests."""
    return pools[whole_browser]


@pytest.fixture
async def opened(tmp_path: Path, pool: BrowserPool) -> AsyncIterator[Open]:
    """Opens the app with a scripted model. Without browser settings it uses the browser that all tests share."""
    async with AsyncExitStack() as stack:

        async def open(replies: Sequence[ScriptLine] = (), **settings: Any) -> Pilotfish:
            fish = await stack.enter_async_context(Pilotfish(Settings(home=tmp_path, **settings)))
            if "browser" not in settings:
                fish.browsers.pool.living_browser = pool.living_browser
            script(fish, replies)
            return fish

        yield open


def script(fish: Pilotfish, replies: Sequence[ScriptLine]) -> ScriptedModel:
    model = ScriptedModel(replies)
    fish.models.set_default("scripted", model)
    return model


async def events_of(fish: Pilotfish, task: str = "do it", **how: Any) -> list[StreamItem]:
    """All events of a run, from its start to its end."""
    return [event async for event in fish.run(task, **how)]

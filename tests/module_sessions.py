"""Browser sessions for tests. The tests of a module share one: opening one takes longer than most tests."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from pilotfish.browser.actions.keys import ClipboardText
from pilotfish.browser.sessions.browser_pool import BrowserPool
from pilotfish.browser.sessions.session import BrowserSession
from pilotfish.core.errors import ToolError

BLANK = "about:blank"


class ModuleSession:
    """Gives the session of a module to one test after the other, each time with one blank tab and no cookies."""

    def __init__(self, pool: BrowserPool, folder: Path) -> None:
        self.pool = pool
        self.folder = folder
        self._opened = 0
        self._name = ""

    async def take(self) -> BrowserSession:
        if self._name:
            session = await self.pool.lease(self._name, self.folder)
            if await clear(session):
                return session
            await self.close()
        self._opened += 1
        self._name = f"{self.folder.name}-{self._opened}"
        return await self.pool.lease(self._name, self.folder)

    async def close(self) -> None:
        await self.pool.end(self._name)
        self._name = ""


async def clear(session: BrowserSession) -> bool:
    """Remove what a test left behind; false if the session cannot be used any more."""
    try:
        first, *others = session.tabs
        for number in others:
            await session.close(number)
        tab = await session.tab(first)
        await tab.goto(BLANK)
        await session.replace_cookies(lambda host: True)
    except ToolError:
        return False
    reset(session, first)
    return tab.url == BLANK


def reset(session: BrowserSession, tab: int) -> None:
    """Forget what a session knows of former tests; this tab is the active one."""
    session.active = tab
    session.clipboard = ClipboardText()
    session.popups.clear()
    session.take_notices()


@pytest.fixture(scope="module")
async def module_session(pool: BrowserPool, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[ModuleSession]:
    shared = ModuleSession(pool, tmp_path_factory.mktemp("session"))
    yield shared
    await shared.close()


@pytest.fixture
async def browser_session(
    request: pytest.FixtureRequest, module_session: ModuleSession, pool: BrowserPool, tmp_path: Path
) -> AsyncIterator[BrowserSession]:
    """The session of the module; with the mark `own_session` a new one."""
    if not request.node.get_closest_marker("own_session"):
        yield await module_session.take()
        return
    yield await pool.lease(tmp_path.name, tmp_path)
    await pool.end(tmp_path.name)

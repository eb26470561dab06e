"""A visible browser window in which a person signs in to sites; what they hold is remembered as it changes."""

import asyncio
import os
import sys
import tempfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from pilotfish.core.errors import PersonError, ToolError
from pilotfish.core.settings import BrowserSettings
from pilotfish.runtime.session_logins import SessionLogins

if TYPE_CHECKING:
    from pilotfish.browser.sessions.session import BrowserSession

LOOK_PERIOD = 0.5


class LoginWindow:
    """The open window."""

    def __init__(self, session: "BrowserSession", logins: SessionLogins) -> None:
        self.session = session
        self.logins = logins
        self._before = dict(logins.known)

    async def wait_closed(self) -> list[str]:
        """Remember what changes until the person closes the window; the sites that changed."""
        try:
            while any(not tab.page.is_closed() for tab in self.session.tabs.values()):
                await self._keep()
                await asyncio.sleep(LOOK_PERIOD)
            await self._keep()
        except ToolError:
            pass  # The browser was closed as a whole; it was saved half a second ago.
        return sorted(site for site, state in self.logins.known.items() if not state.is_same(self._before.get(site)))

    async def _keep(self) -> None:
        await self.logins.write(self.session, (await self.session.save()).state)


@asynccontextmanager
async def open_login_window(settings: BrowserSettings, logins: SessionLogins, url: str) -> AsyncGenerator[LoginWindow]:
    """Open an address in a browser of its own that holds the user's remembered logins."""
    from pilotfish.browser.sessions.browser_pool import BrowserPool
    from pilotfish.browser.sessions.session import SavedSession

    pool = BrowserPool(settings.model_copy(update={"attach": ""}))
    saved = SavedSession(state=await logins.read())
    with tempfile.TemporaryDirectory() as folder:
        try:
            session = await pool.lease("login", Path(folder), saved)
            window = LoginWindow(session, logins)
            await (await session.tab()).goto(url)
            yield window
        finally:
            await pool.close()


def require_screen() -> None:
    """Refuse to open a window on a machine without a screen."""
    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        raise PersonError(
            "This machine has no screen to open a window on.",
            "Sign in by the live view of a server: `pilotfish --server ADDRESS login SITE`, or Settings, Logins.",
        )

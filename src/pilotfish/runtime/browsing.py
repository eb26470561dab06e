"""Which browser session belongs to which conversation, and how it comes back after a crash."""

import asyncio
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pilotfish.core.errors import PilotfishError, ToolError
from pilotfish.core.records import RunRecord
from pilotfish.core.settings import Settings
from pilotfish.core.values import Value
from pilotfish.runtime.kit import Kit
from pilotfish.safety.fence import Limits
from pilotfish.safety.proxy import Proxy

if TYPE_CHECKING:
    from pilotfish.browser.download import Arrival
    from pilotfish.browser.pool import Pool
    from pilotfish.browser.session import Session
    from pilotfish.browser.tab import Tab


class Kept(Value):
    """What outlives the process: the session, and which tab was opened for which address."""

    session: Mapping[str, Any]
    opened: Mapping[str, int] = {}


class Tabs:
    """One conversation's browser session: leased when first needed, its tabs and cookies kept on disk.

    It reaches the world through its own proxy, within `limits`.
    """

    def __init__(self, pool: "Pool", key: str, folder: Path, limits: Limits) -> None:
        self.pool = pool
        self.key = key
        self.folder = folder
        self.limits = limits
        self.proxy = Proxy(lambda: self.limits)
        self._session: Session | None = None
        self._closed = False
        self._turn = asyncio.Lock()
        self._opened: dict[str, int] = {}
        self.read: Mapping[int, object] = {}

    @property
    def _file(self) -> Path:
        return self.folder / "browser.json"

    @property
    def known(self) -> bool:
        """Whether there is a session, or was one before a crash."""
        return self._session is not None or self._file.exists()

    async def session(self) -> "Session":
        """The session; those who ask at the same time get the same one."""
        async with self._turn:
            if self._closed:
                raise ToolError("The browser of this conversation was closed.")
            if self._session is None:
                self._session = await self._lease()
            return self._session

    async def _lease(self) -> "Session":
        from pilotfish.browser.session import Fence, Saved

        saved = None
        if self._file.exists():
            kept = Kept.model_validate_json(self._file.read_bytes())
            saved, self._opened = Saved.model_validate(kept.session), dict(kept.opened)
        self.folder.mkdir(parents=True, exist_ok=True)
        fence = Fence(allow=lambda url: self.limits.url(url), proxy=await self.proxy.start())
        return await self.pool.lease(self.key, self.folder, saved, fence)

    async def tab(self, wanted: int | str) -> "Tab":
        """A tab by its number, or by the address that it was opened for; opened now if it was not."""
        session = await self.session()
        number = wanted if isinstance(wanted, int) else self._opened.get(wanted)
        if number is not None and (isinstance(wanted, int) or number in session.tabs):
            return await session.tab(number)
        first = await session.tab()
        try:
            if first.url == "about:blank":
                await first.goto(str(wanted))
            else:
                first = await session.open(str(wanted))
        except ToolError as error:
            why = self.proxy.why(str(wanted))
            raise ToolError(f"{wanted} could not be opened: {why}." if why else error.message, error.fix) from None
        self._opened[str(wanted)] = first.number
        return first

    async def save(self) -> None:
        """Keep where the tabs are and the cookies, readable by the owner only."""
        if self._session is None:
            return
        try:
            saved = await self._session.save()
        except PilotfishError:
            return
        if self._closed:
            return
        kept = Kept(session=saved.model_dump(mode="json"), opened=self._opened)
        part = self._file.with_suffix(".part")
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(kept.model_dump_json())
        part.replace(self._file)

    def arrivals(self) -> "list[Arrival]":
        """What was downloaded since the last time."""
        return self._session.desk.intake.drain() if self._session else []

    def begin(self) -> None:
        """A new run: its downloads are counted from nothing."""
        if self._session is not None:
            self._session.desk.intake.spent = 0

    async def close(self) -> None:
        self._closed = True
        if self._session is not None:
            await self.pool.end(self.key)
            self._session = None
        await self.proxy.close()


class Browsers:
    """The sessions of all conversations under way."""

    def __init__(self, pool: "Pool", home: Path, settings: Settings | None = None) -> None:
        self.pool = pool
        self.home = home
        self.limits = Limits.of(settings or Settings(browser=pool.settings))
        self._tabs: dict[str, Tabs] = {}

    def of(self, conversation: str) -> Tabs:
        folder = self.home / "conversations" / conversation
        if conversation not in self._tabs:
            self._tabs[conversation] = Tabs(self.pool, conversation, folder, self.limits)
        return self._tabs[conversation]

    async def close(self, conversation: str = "") -> None:
        for key in [conversation] if conversation else list(self._tabs):
            if tabs := self._tabs.pop(key, None):
                await tabs.close()
        if not conversation:
            await self.pool.close()


def browsing(kit: Kit, record: RunRecord) -> Tabs:
    """The session of a run's conversation, held to what this run may reach."""
    browsers = cast(Browsers, kit.services[Browsers])
    tabs = browsers.of(record.conversation)
    if not record.parent:
        tabs.begin()
    tabs.limits = replace(Limits.of(kit.settings, tuple(record.options.get("sites", ()))), own=browsers.limits.own)
    return tabs

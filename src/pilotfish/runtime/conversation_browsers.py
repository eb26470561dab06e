"""Keeps the browsers of all open conversations, and finds that of a run."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from pilotfish.core.records import RunRecord
from pilotfish.core.settings import BrowserProfile, BrowserSettings, Settings
from pilotfish.runtime.conversation_browser import (
    Announce,
    BrowserChoice,
    ConversationBrowser,
    OpenLogins,
    SessionPool,
    announce_nothing,
)
from pilotfish.runtime.run_context import RunContext
from pilotfish.runtime.shared_files import SharedFiles
from pilotfish.safety.network_limits import NetworkLimits

if TYPE_CHECKING:
    from pilotfish.browser.sessions.browser_pool import BrowserPool


class ConversationBrowsers:
    """The browsers of all open conversations."""

    def __init__(
        self,
        pool: "BrowserPool",
        home: Path,
        settings: Settings | None = None,
        open_logins: OpenLogins | None = None,
    ) -> None:
        self.pool = pool
        pool.make_room = self.end_idle
        self.home = home
        self.limits = NetworkLimits.of(settings or Settings(browser=pool.settings))
        self.profile: BrowserProfile = pool.settings.profile
        self.open_logins = open_logins
        self.shared: SharedFiles | None = None
        self.find_pool: Callable[[str], SessionPool | None] = lambda conversation: None
        self.announce: Announce = announce_nothing
        self.call_back: Callable[[str], Awaitable[None]] = announce_nothing
        """Makes another process that holds the browser of a conversation store its state and close it."""
        self._tabs: dict[str, ConversationBrowser] = {}
        self._former: list[BrowserPool] = []

    async def end_idle(self) -> bool:
        """Save and close the session that was used least lately and by no run now; returns whether there was one."""
        idle = [key for key, tabs in self._tabs.items() if tabs.is_in(self.pool) and not tabs.is_in_use]
        if idle:
            await self.end(idle[0])
        return bool(idle)

    def of(self, conversation: str) -> ConversationBrowser:
        folder = self.home / "conversations" / conversation
        if conversation not in self._tabs:
            pool = self.find_pool(conversation) or self.pool
            tabs = ConversationBrowser(pool, conversation, folder, self.limits, self.open_logins)
            tabs.choice = self.choose(tabs)
            tabs.shared, tabs.announce = self.shared, self.announce
            tabs.proxy.address = self.pool.settings.remote_proxy
            self._tabs[conversation] = tabs
        # The order is that of the last use.
        self._tabs[conversation] = self._tabs.pop(conversation)
        return self._tabs[conversation]

    def holds(self, conversation: str) -> bool:
        """Whether the browser of a conversation is open in this process."""
        return conversation in self._tabs and self._tabs[conversation].is_open

    async def take_over(self, conversation: str) -> None:
        """Go on with the tabs and cookies that another machine stored, if they are not those of this one."""
        tabs = self._tabs.get(conversation)
        if not (tabs and tabs.is_in_use):
            await self.call_back(conversation)
        if self.shared:
            await self.shared.fetch_below(f"conversations/{conversation}/")
        state = await self.shared.read_session(conversation) if self.shared else None
        file = self.home / "conversations" / conversation / "browser.json"
        here = file.read_bytes() if file.exists() else None
        if state is None or state == here or (tabs and tabs.is_in_use):
            return
        await self.close(conversation)
        file.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as target:
            target.write(state)

    def choose(self, tabs: ConversationBrowser) -> BrowserChoice:
        """The browser for a conversation now, and the profile that was last asked for in it, else that of settings."""
        return BrowserChoice(self.find_pool(tabs.key) or self.pool, tabs.asked_profile or self.profile)

    async def save(self) -> None:
        """Save every open session; logins that were forgotten are forgotten there."""
        await asyncio.gather(*(tabs.save() for tabs in list(self._tabs.values())))

    async def change_settings(self, settings: BrowserSettings) -> None:
        """Use other settings for new runs. A browser that they replace ends when no conversation uses it any more."""
        from pilotfish.browser.sessions.remote_pool import make_pool

        former, self.profile = self.pool, settings.profile
        if not await former.adopt(settings):
            self.pool = make_pool(settings)
            self.pool.make_room = self.end_idle
            self._former.append(former)
            await former.retire()

    async def end(self, conversation: str) -> None:
        """Save the session of a conversation and close it; the next use opens its tabs again."""
        if tabs := self._tabs.get(conversation):
            await tabs.save()
            await self.close(conversation)

    async def close(self, conversation: str = "") -> None:
        for key in [conversation] if conversation else list(self._tabs):
            if tabs := self._tabs.pop(key, None):
                await tabs.close()
        if not conversation:
            for pool in (self.pool, *self._former):
                await pool.close()


def open_run_browser(context: RunContext, record: RunRecord) -> ConversationBrowser:
    """The browser of a run's conversation, limited to the sites that this run may reach."""
    browsers = cast(ConversationBrowsers, context.services[ConversationBrowsers])
    tabs = browsers.of(record.conversation)
    if not record.parent:
        tabs.asked_profile = record.options.get("profile") or tabs.asked_profile
        tabs.begin(tabs.choice if tabs.is_in_use else browsers.choose(tabs))
    limits = replace(
        NetworkLimits.of(context.settings, tuple(record.options.get("sites", ()))), own=browsers.limits.own
    )
    tabs.limits = limits.within(tabs.limits) if tabs.is_in_use else limits
    return tabs

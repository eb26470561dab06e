"""Finds the browser of a conversation, in this process or in another one, and shows it."""

import asyncio
import hashlib
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from pilotfish.core.errors import PilotfishError
from pilotfish.core.gestures import Gesture, PointerTarget, TabInfo
from pilotfish.core.records import RunRecord
from pilotfish.core.workers import WorkerRecord
from pilotfish.runtime.conversation_browsers import ConversationBrowsers
from pilotfish.runtime.worker_registry import WorkerRegistry
from pilotfish.services.local_browser_view import LocalBrowserView, ScreenFrame
from pilotfish.services.remote_browser_view import RemoteBrowserView, WorkerLink

if TYPE_CHECKING:
    from pilotfish.browser.sessions.tab_icon import TabIcon

LOOK_PERIOD = 0.5
StartReading = Callable[[RunRecord], "asyncio.Task[None]"]


class BrowserView(Protocol):
    """What people see of a conversation's browser and do in it, wherever it is."""

    async def list(self) -> list[TabInfo]: ...
    async def open(self, url: str) -> TabInfo: ...
    async def select(self, number: int) -> TabInfo: ...
    async def close(self, number: int) -> None: ...
    async def go(self, number: int, to: str) -> TabInfo: ...
    async def icon(self, number: int) -> "TabIcon | None": ...
    async def screenshot(self, number: int | None = None) -> bytes: ...
    def frames(self) -> AsyncGenerator[ScreenFrame | PointerTarget]: ...
    async def apply_gesture(self, gesture: Gesture) -> None: ...
    async def remember(self) -> None: ...
    async def warm(self, tabs: Sequence[str | int], user: str, model: str = "") -> None: ...


class BrowserViews:
    """The browsers of all conversations, as people see them.

    `start_reading` reads tabs ahead of a question. A process that drives no runs has no browser either, where a worker
    could have it.
    """

    def __init__(
        self, browsers: ConversationBrowsers, start_reading: StartReading, registry: WorkerRegistry, home: Path
    ) -> None:
        self.browsers = browsers
        self.start_reading = start_reading
        self.registry = registry
        self.home = home
        self._views: dict[str, LocalBrowserView] = {}
        self._links: dict[str, WorkerLink] = {}

    def of(self, conversation: str) -> LocalBrowserView:
        """The browser of a conversation in this process."""
        tabs = self.browsers.of(conversation)
        view = self._views.get(conversation)
        if view is None or view.tabs is not tabs:
            view = self._views[conversation] = LocalBrowserView(tabs, self.start_reading)
        return view

    async def find(self, conversation: str) -> BrowserView:
        """The browser of a conversation, where it is."""
        if worker := await self._find_holder(conversation):
            return RemoteBrowserView(await self._link(worker), conversation)
        return await self.find_here(conversation)

    async def find_here(self, conversation: str) -> LocalBrowserView:
        """The browser in this process, with the tabs that another machine left, if nobody has it now."""
        if not self.browsers.holds(conversation):
            await self.browsers.take_over(conversation)
        return self.of(conversation)

    async def follow(self, conversation: str) -> AsyncIterator[BrowserView]:
        """The browser of a conversation, and each next one when it has moved to another process."""
        while True:
            yield await self.find(conversation)
            await asyncio.sleep(LOOK_PERIOD)
            # Another process tells by the store alone that it has the browser now.
            while not await self.registry.holder(conversation):  # noqa: ASYNC110
                await asyncio.sleep(LOOK_PERIOD)

    async def call_back(self, conversation: str) -> None:
        """Let another process that holds the browser of a conversation store its state and close it."""
        worker = await self.registry.find(await self.registry.holder(conversation))
        if worker and worker.address:
            # A worker that cannot be reached has stored its state after each action.
            with suppress(PilotfishError):
                await (await self._link(worker)).request("release", conversation)

    async def release(self, conversation: str) -> None:
        """Store and close the browser of a conversation, unless a run uses it."""
        if self.browsers.holds(conversation) and not self.browsers.of(conversation).is_in_use:
            await self.browsers.end(conversation)

    async def end(self, conversation: str) -> None:
        """Store and close the browser of a conversation, wherever it is."""
        await self.call_back(conversation)
        await self.browsers.end(conversation)

    async def discard(self, conversation: str) -> None:
        """Close the browser of a deleted conversation, wherever it is, and keep nothing of it."""
        worker = await self.registry.find(await self.registry.holder(conversation))
        if worker and worker.address:
            with suppress(PilotfishError):
                await (await self._link(worker)).request("discard", conversation)
        await self.browsers.close(conversation)
        await self.registry.forget(conversation)

    async def save(self) -> None:
        """Save every open session, here and elsewhere; logins that were forgotten are forgotten there."""
        await self.browsers.save()
        for worker in await self.registry.workers():
            if worker.address and await self.registry.find(worker.id):
                with suppress(PilotfishError):
                    await (await self._link(worker)).request("save")

    async def close(self) -> None:
        for view in self._views.values():
            await view.end()
        for link in self._links.values():
            await link.close()

    async def _find_holder(self, conversation: str) -> WorkerRecord | None:
        """The other process that has the browser of a conversation, or should open it."""
        holder = await self.registry.holder(conversation)
        if holder == self.registry.me.id:
            return None
        worker = await self.registry.find(holder) if holder else None
        if worker and worker.address:
            return worker
        return await self._choose(conversation) if not self.registry.room() else None

    async def _choose(self, conversation: str) -> WorkerRecord | None:
        """A worker that can open a browser: the same one for the same conversation, as long as there are no others."""
        found = [worker for worker in await self.registry.workers() if worker.takes_runs and worker.address]
        found.sort(key=lambda worker: hashlib.sha256(f"{worker.id} {conversation}".encode()).digest())
        for worker in found:
            if await self.registry.find(worker.id):
                return worker
        return None

    async def _link(self, worker: WorkerRecord) -> WorkerLink:
        link = self._links.get(worker.id)
        if link is None or link.worker.sealed != worker.sealed:
            link = self._links[worker.id] = WorkerLink(worker, self.home)
        return link

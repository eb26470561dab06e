"""Records in the store which processes there are, and which of them holds the browser of a conversation."""

import asyncio
import platform
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from pilotfish.core.errors import StoreError
from pilotfish.core.events import StateChanged
from pilotfish.core.records import BROWSER_HOLDERS, RunRecord
from pilotfish.core.workers import WorkerRecord

if TYPE_CHECKING:
    from pilotfish.runtime.lease import Lease
    from pilotfish.store.base import Store

WORKER_KIND = "worker"
FORGET_SECONDS = 30.0
"""Seconds after which a process that was killed is forgotten."""


class WorkerRegistry:
    """This process among those that share the database."""

    def __init__(self, store: "Store", lease: "Lease", me: str) -> None:
        self.store = store
        self.lease = lease
        self.me = WorkerRecord(id=me, host=platform.node())
        self.room: Callable[[], int] = lambda: 0
        self._due = 0.0

    async def change(self, **fields: object) -> None:
        """Change what is stored of this process."""
        self.me = self.me.model_copy(update=fields)
        self._due = 0.0
        await self.register()

    async def register(self) -> None:
        """Store now and then what this process is, unless it takes no runs and nobody can reach it."""
        now, room = asyncio.get_running_loop().time(), self.room()
        if room != self.me.runs:
            self.me, self._due = self.me.model_copy(update={"runs": room}), 0.0
        if now >= self._due and (room or self.me.address):
            self._due = now + FORGET_SECONDS / 3
            await self.store.put(WORKER_KIND, self.me.id, self.me.model_dump_json().encode(), FORGET_SECONDS)

    async def leave(self) -> None:
        """Remove this process, because it ends."""
        self._due = float("inf")
        with suppress(StoreError):
            await self.store.drop(WORKER_KIND, self.me.id)

    async def workers(self) -> list[WorkerRecord]:
        """The processes that registered and were not yet forgotten."""
        kept = await self.store.entries(WORKER_KIND)
        return [WorkerRecord.model_validate_json(value) for value in kept.values()]

    async def explain_wait(self, record: RunRecord) -> StateChanged | None:
        """Why a run waits that asks for labels which no worker has; None if one has them."""
        wanted = sorted(set(record.options.get("labels", ())))
        if not wanted or any(worker.fits(wanted) for worker in await self.workers()):
            return None
        flags = " ".join(f"--label {label}" for label in wanted)
        why = f"It waits for a worker with: {', '.join(wanted)}. None is there; `pilotfish worker {flags}` starts one."
        return StateChanged(run=record.id, key="no worker fits", state="queued", why=why, cause="labels")

    async def find(self, worker: str) -> WorkerRecord | None:
        """Another process, if it lives."""
        kept = await self.store.get(WORKER_KIND, worker) if worker != self.me.id else None
        if kept is None or not await self.lease.is_alive(worker):
            return None
        return WorkerRecord.model_validate_json(kept)

    async def announce(self, conversation: str, held: bool) -> None:
        """Say that this process has the browser of a conversation, or has it no longer."""
        if held:
            await self.store.put(BROWSER_HOLDERS, conversation, self.me.id.encode())
        else:
            with suppress(StoreError):
                if await self.holder(conversation) == self.me.id:
                    await self.store.drop(BROWSER_HOLDERS, conversation)

    async def holder(self, conversation: str) -> str:
        """The process that opened the browser of a conversation last; it may be gone."""
        return (await self.store.get(BROWSER_HOLDERS, conversation) or b"").decode()

    async def clear_dead(self) -> None:
        """Forget which browsers dead processes had: nobody needs to wait for them."""
        kept = {key: value.decode() for key, value in (await self.store.entries(BROWSER_HOLDERS)).items()}
        dead = {worker for worker in set(kept.values()) - {self.me.id} if not await self.lease.is_alive(worker)}
        for conversation, worker in kept.items():
            if worker in dead:
                await self.store.drop(BROWSER_HOLDERS, conversation)

    async def forget(self, conversation: str) -> None:
        """Forget which process has the browser of a deleted conversation."""
        await self.store.drop(BROWSER_HOLDERS, conversation)

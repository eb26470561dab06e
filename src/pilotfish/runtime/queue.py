"""Which runs this process drives: those that wait, while there is room, and those whose driver died.

Every second it shows that it lives, looks whether the others do, and lets go of runs that are not its own any more.
"""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING

from pilotfish.core.errors import StoreError
from pilotfish.core.events import Delta, now
from pilotfish.core.records import RunRecord
from pilotfish.core.settings import Work

if TYPE_CHECKING:
    from pilotfish.runtime.driver import Driver
    from pilotfish.runtime.engine import Engine
    from pilotfish.store.base import Store

BEAT = 1.0
PATIENCE = 10.0
log = logging.getLogger(__name__)


class Queue:
    """Takes runs up. With no limits given it takes none, and only keeps those that its process started itself."""

    def __init__(self, store: "Store", engine: "Engine", driver: "Driver", limits: Callable[[], Work | None]) -> None:
        self.store = store
        self.engine = engine
        self.driver = driver
        self.limits = limits
        self._news = asyncio.Event()
        self._late: list[RunRecord] = []
        self._stray: set[str] = set()
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        self._tasks = [asyncio.create_task(self._serve()), asyncio.create_task(self._listen())]

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    def wake(self) -> None:
        """A run waits, or there is room for one."""
        self._news.set()

    async def _serve(self) -> None:
        clock = asyncio.get_running_loop().time
        due = 0.0
        while True:
            self._news.clear()
            try:
                if clock() >= due:
                    due = clock() + BEAT
                    await self._beat()
                await self._take()
            except StoreError as error:
                log.warning("the queue waits: %s", error.message)
            with suppress(TimeoutError):
                async with asyncio.timeout(max(0.0, due - clock())):
                    await self._news.wait()

    async def _listen(self) -> None:
        """Hear of what other processes wrote: runs that wait, commands for our own, events for followers."""
        ours, journal = self.driver.controls, self.driver.kit.journal
        async for news in self.store.listen():
            if news.what in ("runs", "all"):
                self.wake()
            if news.what == "all":
                journal.poke()
            elif news.what == "events" and news.run not in ours:
                journal.poke(news.run)
            elif news.what == "text" and news.run not in ours:
                journal.hear(Delta.model_validate_json(news.text))
            for run in [news.run] if news.what == "commands" else list(ours) * (news.what == "all"):
                await self.driver.heed(run)

    async def _beat(self) -> None:
        me = self.engine.plan.worker
        await self.engine.lease.renew(me)
        # What is not ours twice in a row was given to another while we could not be seen.
        stray = self.engine.driving.keys() - await self.store.held(me)
        await self.engine.drop(stray & self._stray)
        self._stray = stray
        if self.limits() is None:
            return
        for worker in await self.store.holders() - {me}:
            if not await self.engine.lease.alive(worker):
                for left in await self.store.release(worker):
                    log.info("worker %s is gone and left a run", worker, extra={"run": left.id})
                await self.engine.bury(worker)
        for record in await self.store.strangers(self.engine.plan.version, now() - timedelta(seconds=PATIENCE)):
            await self.driver.park(record)

    async def _take(self) -> None:
        limits = self.limits()
        if limits is None:
            return
        plan = self.engine.plan
        claimed = [*self._late, *await self.store.claim(plan.worker, plan.version, limits)]
        self._late = []
        await asyncio.gather(*(self._launch(record) for record in claimed))

    async def _launch(self, record: RunRecord) -> None:
        try:
            await (self.engine.proceed(record.id) if record.version else self.engine.launch(record.id))
        except StoreError as error:
            log.warning("run %s could not be started yet: %s", record.id, error.message)
            self._late.append(record)

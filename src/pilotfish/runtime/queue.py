"""Decides which runs this process drives: waiting runs, within limits, and runs whose worker died.

Every second it renews its lease, checks the leases of other workers, drops runs that it no longer owns, and lets
schedules happen.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING

from pilotfish.core.errors import StoreError
from pilotfish.core.events import TextDelta, current_time
from pilotfish.core.records import RunRecord
from pilotfish.core.settings import WorkSettings

if TYPE_CHECKING:
    from pilotfish.runtime.driver import RunDriver
    from pilotfish.runtime.engine import RunEngine
    from pilotfish.runtime.worker_registry import WorkerRegistry
    from pilotfish.store.base import Store

LEASE_PERIOD = 1.0
SILENT_SECONDS = 10.0
log = logging.getLogger(__name__)


WATCHED_WORKERS = 3
"""Workers that each process checks, so that many do not all check each other every second."""


def next_names(workers: Collection[str], me: str) -> list[str]:
    """The next few workers by name, whose leases this one checks; after the last name comes the first."""
    others = sorted(set(workers) - {me})
    later = [worker for worker in others if worker > me]
    return [*later, *others][: min(WATCHED_WORKERS, len(others))]


class RunQueue:
    """Claims runs and launches them. Without limits it claims none; its process drives only runs that it started."""

    def __init__(
        self,
        store: "Store",
        engine: "RunEngine",
        driver: "RunDriver",
        limits: Callable[[], WorkSettings | None],
        keep_schedules: Callable[[], Awaitable[object]],
        registry: "WorkerRegistry",
    ) -> None:
        self.store = store
        self.engine = engine
        self.driver = driver
        self.limits = limits
        self.keep_schedules = keep_schedules
        self.registry = registry
        self._news = asyncio.Event()
        self._late: list[RunRecord] = []
        self._not_owned: set[str] = set()
        self._explained: set[str] = set()
        self._served = -SILENT_SECONDS
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        self._served = asyncio.get_running_loop().time()
        self._tasks = [asyncio.create_task(self._serve()), asyncio.create_task(self._listen())]

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        await self.registry.leave()

    def wake(self) -> None:
        """Look for runs now: one waits, or one has ended."""
        self._news.set()

    @property
    def is_serving(self) -> bool:
        """Whether this process began, or renewed its lease and looked for runs, lately."""
        return asyncio.get_running_loop().time() - self._served < SILENT_SECONDS

    async def _serve(self) -> None:
        clock = asyncio.get_running_loop().time
        due = 0.0
        while True:
            self._news.clear()
            try:
                if clock() >= due:
                    due = clock() + LEASE_PERIOD
                    await self._check_workers()
                    if self.limits() is not None:
                        await self.keep_schedules()
                await self._take()
                self._served = clock()
            except StoreError as error:
                log.warning("the queue waits: %s", error.message)
            with suppress(TimeoutError):
                async with asyncio.timeout(max(0.0, due - clock())):
                    await self._news.wait()

    async def _listen(self) -> None:
        """Handle what other processes wrote: waiting runs, commands for runs of this process, events for followers."""
        ours, journal = self.driver.controls, self.driver.context.journal
        async for news in self.store.listen():
            if news.what in ("runs", "all"):
                self.wake()
            if news.what == "all":
                journal.wake_readers()
            elif news.what == "events" and news.run not in ours:
                journal.wake_readers(news.run)
            elif news.what == "text" and news.run not in ours:
                journal.receive_delta(TextDelta.model_validate_json(news.text))
            for run in [news.run] if news.what == "commands" else list(ours) * (news.what == "all"):
                await self.driver.apply_commands(run)

    async def _check_workers(self) -> None:
        """Renew the lease, drop runs that another worker took, and release those of dead workers."""
        me = self.engine.config.worker
        await self.engine.lease.renew(me)
        # Not owned twice in a row: another worker took the run while this one seemed dead.
        not_owned = self.engine.driving.keys() - await self.store.list_held(me)
        await self.engine.drop(not_owned & self._not_owned)
        self._not_owned = not_owned
        limits = self.limits()
        if limits is None:
            return
        await self.registry.register()
        for worker in next_names(await self.store.holders(), me):
            if not await self.engine.lease.is_alive(worker):
                for left in await self.store.release(worker):
                    log.info("worker %s is gone and left a run", worker, extra={"run": left.id})
                await self.engine.clear_worker(worker)
                await self.registry.clear_dead()
        for record in await self.store.list_foreign(
            self.engine.config.version, current_time() - timedelta(seconds=SILENT_SECONDS)
        ):
            await self.driver.park(record)
        await self._explain_waits()

    async def _explain_waits(self) -> None:
        """Say of runs that wait for a label that no worker has it, when all workers had the time to register."""
        for record in await self.store.list_labelled(current_time() - timedelta(seconds=SILENT_SECONDS)):
            if record.id not in self._explained and (waits := await self.registry.explain_wait(record)):
                await self.driver.context.journal.append(waits)
            self._explained.add(record.id)

    async def _take(self) -> None:
        limits = self.limits()
        if limits is None or self.registry.me.draining:
            return
        config = self.engine.config
        fitting = await self.store.claim(config.worker, config.version, limits, self.registry.me.labels)
        claimed = [*self._late, *fitting]
        self._late = []
        await asyncio.gather(*(self._launch(record) for record in claimed))

    async def _launch(self, record: RunRecord) -> None:
        try:
            await (self.engine.proceed(record.id) if record.version else self.engine.launch(record.id))
        except StoreError as error:
            log.warning("run %s could not be started yet: %s", record.id, error.message)
            self._late.append(record)

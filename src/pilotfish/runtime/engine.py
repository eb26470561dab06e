"""Durability: a run is a DBOS workflow, each model call and each action a step of it.

After a crash the workflow's function is called again, and finished steps hand back what they returned the first time.
A run that another process left in the middle is moved to this one's own queue, from where DBOS takes it up.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Generator, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from sqlite3 import Connection
from typing import TYPE_CHECKING, Any

from pilotfish.core.errors import StoreError

if TYPE_CHECKING:
    from dbos import DBOS, WorkflowHandleAsync

    from pilotfish.runtime.lease import Lease

LEFT = ("PENDING", "ENQUEUED")
POLL = 0.2
THREADS = 12
FAREWELL = 5.0
Drive = Callable[[str], Awaitable[str]]
Json = dict[str, Any]


@dataclass(frozen=True)
class Plan:
    """Where the engine keeps its state, who this worker is, and which code it runs."""

    url: str
    worker: str
    version: str

    @property
    def queue(self) -> str:
        """Where this worker puts the runs that it takes over."""
        return f"left to {self.worker}"


class Line(Connection):
    """A way to the engine's SQLite file that is as quick, and as safe, as the store's own."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for pragma in ("journal_mode=WAL", "synchronous=NORMAL"):
            self.execute(f"PRAGMA {pragma}")


class Engine:
    """Starts runs, drives them, and goes on with those that others left."""

    def __init__(self, plan: Plan, lease: "Lease", drive: Drive) -> None:
        self.plan = plan
        self.lease = lease
        self._drive = drive
        self._dbos: type[DBOS] | None = None
        self._workflow: Callable[[str], Coroutine[Any, Any, str]] | None = None
        self.driving: dict[str, asyncio.Task[Any]] = {}
        self._queued = False

    async def start(self) -> None:
        from dbos import DBOS, DBOSPortableJSONSerializer

        await self.lease.hold(self.plan.worker)
        # With a handler of ours it adds none of its own, which would hold on to this moment's standard error.
        logging.getLogger("dbos").addHandler(logging.NullHandler())
        DBOS(
            config={
                "name": "pilotfish",
                "system_database_url": self.plan.url,
                "application_version": self.plan.version,
                "executor_id": self.plan.worker,
                "log_level": "CRITICAL",
                "enable_otlp": False,
                "serializer": DBOSPortableJSONSerializer(),
                "notification_listener_polling_interval_sec": 0.05,
                # Each that must be started holds the loop up for a moment.
                "max_executor_threads": THREADS,
                "db_engine_kwargs": {"connect_args": {"factory": Line}} if self.plan.url.startswith("sqlite") else {},
            }
        )

        async def work(run: str) -> str:
            return await self._work(run)

        self._workflow = DBOS.workflow(name="run", max_recovery_attempts=None)(work)
        DBOS.listen_queues([self.plan.queue])
        with _explained():
            DBOS.launch()
        self._dbos = DBOS

    async def stop(self) -> None:
        """Leave: runs under way stay as they are and go on when a worker takes them up."""
        await self.drop(self.driving)
        if self._dbos is not None and self._queued:
            await self._dbos.delete_queue_async(self.plan.queue)
        if self._dbos is not None:
            # It made its own threads the loop's default, and they go with it.
            asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(thread_name_prefix="asyncio"))
            await asyncio.to_thread(self._dbos.destroy, destroy_registry=True)
            self._dbos = None
        await self.lease.close()

    async def drop(self, runs: Iterable[str]) -> None:
        """Let go of runs as they are."""
        tasks = [self.driving[run] for run in runs if run in self.driving]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=FAREWELL)

    async def launch(self, run: str) -> "WorkflowHandleAsync[str]":
        """Start driving a run; starting it twice is starting it once."""
        from dbos import SetWorkflowID

        assert self._dbos is not None and self._workflow is not None
        with SetWorkflowID(run), _explained():
            return await self._dbos.start_workflow_async(self._workflow, run)

    async def proceed(self, run: str) -> None:
        """Drive a run that may have been begun before, unless somebody who lives drives it."""
        assert self._dbos is not None
        with _explained():
            status = await self._dbos.get_workflow_status_async(run)
            if status is None:
                await self.launch(run)
            elif status.status in LEFT and not await self._driven(run, status.executor_id or ""):
                if not self._queued:
                    await self._dbos.register_queue_async(self.plan.queue, polling_interval_sec=POLL)
                    self._queued = True
                await self._dbos.resume_workflows_async([run], queue_name=self.plan.queue)

    async def _driven(self, run: str, by: str) -> bool:
        return run in self.driving if by == self.plan.worker else await self.lease.alive(by)

    async def bury(self, worker: str) -> None:
        """Clear away what a dead worker left behind."""
        assert self._dbos is not None
        await self._dbos.delete_queue_async(replace(self.plan, worker=worker).queue)

    async def step(self, name: str, body: Callable[[], Awaitable[Json]]) -> Json:
        """Do something once: after a crash its recorded outcome is handed back instead."""
        assert self._dbos is not None

        async def recorded() -> Json:
            return await body()

        return await self._dbos.run_step_async({"name": name}, recorded)

    async def _work(self, run: str) -> str:
        if run in self.driving:
            return await asyncio.shield(self.driving[run])
        task = asyncio.current_task()
        assert task is not None
        self.driving[run] = task
        try:
            return await self._drive(run)
        finally:
            del self.driving[run]


@contextmanager
def _explained() -> Generator[None]:
    import sqlalchemy.exc

    try:
        yield
    except sqlalchemy.exc.DBAPIError as error:
        raise StoreError(f"The engine's database cannot be used: {error.orig}.", "Check disk and rights.") from error

"""Durability: a run is a DBOS workflow, each model call and each action a step of it.

After a crash the workflow's function is called again, and finished steps hand back what they returned the first time.
Runs of a worker that died are found by its lost lease and taken over.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pilotfish.core.errors import StoreError

if TYPE_CHECKING:
    from dbos import DBOS, WorkflowHandleAsync

    from pilotfish.runtime.lease import Lease

QUEUE = "_dbos_internal_queue"
Drive = Callable[[str], Awaitable[str]]
Json = dict[str, Any]


@dataclass(frozen=True)
class Plan:
    """Where the engine keeps its state, who this worker is, and which code it runs."""

    url: str
    worker: str
    version: str
    adopt: bool = True
    interval: float = 1.0


class Engine:
    """Starts runs, drives them, and takes over those whose driver died."""

    def __init__(self, plan: Plan, lease: "Lease", drive: Drive) -> None:
        self.plan = plan
        self.lease = lease
        self._drive = drive
        self._dbos: type[DBOS] | None = None
        self._workflow: Callable[[str], Coroutine[Any, Any, str]] | None = None
        self._driving: set[asyncio.Task[Any]] = set()
        self._watch: asyncio.Task[None] | None = None

    async def start(self) -> None:
        import sqlalchemy.exc
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
            }
        )

        async def work(run: str) -> str:
            return await self._work(run)

        self._workflow = DBOS.workflow(name="run", max_recovery_attempts=None)(work)
        DBOS.listen_queues([QUEUE] if self.plan.adopt else [])
        try:
            DBOS.launch()
        except sqlalchemy.exc.OperationalError as error:
            raise StoreError(
                f"The engine's database cannot be opened: {error.orig}.", "Check disk and rights."
            ) from error
        self._dbos = DBOS
        if self.plan.adopt:
            self._watch = asyncio.create_task(self._adopt())

    async def stop(self) -> None:
        """Leave: runs under way stay as they are and go on when a worker takes them up."""
        if self._watch is not None:
            self._watch.cancel()
        for task in self._driving:
            task.cancel()
        if self._driving:
            await asyncio.wait(self._driving, timeout=5)
        if self._dbos is not None:
            # It made its own threads the loop's default, and they go with it.
            asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(thread_name_prefix="asyncio"))
            await asyncio.to_thread(self._dbos.destroy, destroy_registry=True)
            self._dbos = None
        await self.lease.close()

    async def launch(self, run: str) -> "WorkflowHandleAsync[str]":
        """Start driving a run; starting it twice is starting it once."""
        from dbos import SetWorkflowID

        assert self._dbos is not None and self._workflow is not None
        with SetWorkflowID(run):
            return await self._dbos.start_workflow_async(self._workflow, run)

    async def step(self, name: str, body: Callable[[], Awaitable[Json]]) -> Json:
        """Do something once: after a crash its recorded outcome is handed back instead."""
        assert self._dbos is not None

        async def recorded() -> Json:
            return await body()

        return await self._dbos.run_step_async({"name": name}, recorded)

    async def _work(self, run: str) -> str:
        task = asyncio.current_task()
        assert task is not None
        self._driving.add(task)
        try:
            return await self._drive(run)
        finally:
            self._driving.discard(task)

    async def _adopt(self) -> None:
        """Take over the runs of workers that are gone."""
        assert self._dbos is not None
        while True:
            pending = await self._dbos.list_workflows_async(status="PENDING", app_version=self.plan.version)
            owners = {w.executor_id for w in pending} - {self.plan.worker, None}
            dead = {owner for owner in owners if owner and not await self.lease.alive(owner)}
            lost = [w.workflow_id for w in pending if w.executor_id in dead]
            if lost:
                await self._dbos.resume_workflows_async(lost)
            await asyncio.sleep(self.plan.interval)

"""Makes runs durable: a run is a DBOS workflow, each model call and each action a step of it.

After a crash the workflow's function is called again, and finished steps return what they returned the first time.
A run that another process left unfinished is moved to this worker's own queue, from which DBOS resumes it.
"""

import asyncio
import logging
import os
import time
from collections.abc import Awaitable, Callable, Coroutine, Generator, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from sqlite3 import Connection
from typing import TYPE_CHECKING, Any

from pilotfish.core.errors import PersonError, StoreError

if TYPE_CHECKING:
    from dbos import DBOS, WorkflowHandleAsync

    from pilotfish.runtime.lease import Lease

SQLITE_PREFIX = "sqlite:///"
UNFINISHED_STATES = ("PENDING", "ENQUEUED")
POLL_PERIOD = 0.2
THREADS = 12
DROP_TIMEOUT = 5.0
DriveFunction = Callable[[str], Awaitable[str]]
Json = dict[str, Any]


@dataclass(frozen=True)
class EngineConfig:
    """Where the engine keeps its state, who this worker is, and which code it runs."""

    url: str
    worker: str
    version: str

    @property
    def queue(self) -> str:
        """The queue for runs that this worker takes over."""
        return f"left to {self.worker}"


class EngineConnection(Connection):
    """A connection to the engine's SQLite file with the same pragmas as the store's."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "secure_delete=ON"):
            self.execute(f"PRAGMA {pragma}")
        # Its own words: a statement that was prepared before would keep to SQLite's own function.
        if self.execute("select unixepoch('subsec') is null").fetchone()[0]:
            self.create_function("unixepoch", 1, _read_clock)


def _read_clock(how: str) -> float | None:
    """What `unixepoch` of SQLite 3.42 tells, for an older one."""
    return {"subsec": time.time(), "now": float(int(time.time()))}.get(how)


_ENGINES: "list[RunEngine]" = []
"""The engine of this process: DBOS keeps its state in the module, so there can be one."""


class RunEngine:
    """Starts runs, drives them, and resumes those that other workers left."""

    def __init__(self, config: EngineConfig, lease: "Lease", drive: DriveFunction) -> None:
        self.config = config
        self.lease = lease
        self._drive = drive
        self._dbos: type[DBOS] | None = None
        self._workflow: Callable[[str], Coroutine[Any, Any, str]] | None = None
        self.driving: dict[str, asyncio.Task[Any]] = {}
        self._queued = False

    async def start(self) -> None:
        from dbos import DBOS, DBOSPortableJSONSerializer

        from pilotfish.store.engines import use_unicode

        if _ENGINES:
            raise PersonError(
                "Another Pilotfish is open in this process, and a process can hold only one.",
                "Close it first, or open this one in a process of its own.",
            )
        _ENGINES.append(self)
        await self.lease.hold(self.config.worker)
        if self.config.url.startswith(SQLITE_PREFIX):
            keep_private(Path(self.config.url.removeprefix(SQLITE_PREFIX)))
        # DBOS adds a handler bound to the present standard error unless there is one already.
        logging.getLogger("dbos").addHandler(logging.NullHandler())
        DBOS(
            config={
                "name": "pilotfish",
                "system_database_url": use_unicode(self.config.url),
                "application_version": self.config.version,
                "executor_id": self.config.worker,
                "log_level": "CRITICAL",
                "enable_otlp": False,
                "serializer": DBOSPortableJSONSerializer(),
                "notification_listener_polling_interval_sec": 0.05,
                # Starting a thread delays the event loop for a moment.
                "max_executor_threads": THREADS,
                "db_engine_kwargs": {"connect_args": {"factory": EngineConnection}}
                if self.config.url.startswith("sqlite")
                else {},
            }
        )

        async def work(run: str) -> str:
            return await self._work(run)

        self._workflow = DBOS.workflow(name="run", max_recovery_attempts=None)(work)
        DBOS.listen_queues([self.config.queue])
        with _explain_database_errors():
            DBOS.launch()
        self._dbos = DBOS

    async def stop(self) -> None:
        """Stop; unfinished runs stay as they are until a worker resumes them."""
        await self.drop(self.driving)
        if self._dbos is not None and self._queued:
            await self._dbos.delete_queue_async(self.config.queue)
        if self._dbos is not None:
            # DBOS made its threads the loop's default executor, and they end with it.
            asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(thread_name_prefix="asyncio"))
            await asyncio.to_thread(self._dbos.destroy, destroy_registry=True)
            self._dbos = None
        if self in _ENGINES:
            _ENGINES.remove(self)
        await self.lease.close()

    async def drop(self, runs: Iterable[str]) -> None:
        """Stop driving runs without ending them."""
        tasks = [self.driving[run] for run in runs if run in self.driving]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=DROP_TIMEOUT)

    async def launch(self, run: str) -> "WorkflowHandleAsync[str]":
        """Start driving a run; a second call for the same run has no effect."""
        from dbos import SetWorkflowID

        assert self._dbos is not None and self._workflow is not None
        with SetWorkflowID(run), _explain_database_errors():
            return await self._dbos.start_workflow_async(self._workflow, run)

    async def proceed(self, run: str) -> None:
        """Drive a run that may have been begun before, unless a living worker drives it."""
        assert self._dbos is not None
        with _explain_database_errors():
            status = await self._dbos.get_workflow_status_async(run)
            if status is None:
                await self.launch(run)
            elif status.status in UNFINISHED_STATES and not await self._is_driven(run, status.executor_id or ""):
                if not self._queued:
                    await self._dbos.register_queue_async(self.config.queue, polling_interval_sec=POLL_PERIOD)
                    self._queued = True
                await self._dbos.resume_workflows_async([run], queue_name=self.config.queue)

    async def _is_driven(self, run: str, by: str) -> bool:
        return run in self.driving if by == self.config.worker else await self.lease.is_alive(by)

    async def clear_worker(self, worker: str) -> None:
        """Delete the queue of a dead worker."""
        assert self._dbos is not None
        await self._dbos.delete_queue_async(replace(self.config, worker=worker).queue)

    async def delete(self, runs: Sequence[str]) -> None:
        """Delete what the engine recorded of runs: their steps hold what pages and models said."""
        from pilotfish.store.engines import empty_log

        assert self._dbos is not None
        with _explain_database_errors():
            await self._dbos.delete_workflows_async(list(runs))
        if self.config.url.startswith(SQLITE_PREFIX):
            await asyncio.to_thread(empty_log, Path(self.config.url.removeprefix(SQLITE_PREFIX)))

    async def step(self, name: str, body: Callable[[], Awaitable[Json]]) -> Json:
        """Run a step once; after a crash, return its recorded outcome instead."""
        assert self._dbos is not None

        async def run_body() -> Json:
            return await body()

        return await self._dbos.run_step_async({"name": name}, run_body)

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


def delete_workflows(url: str, runs: Sequence[str]) -> None:
    """Delete what was recorded of runs, in a process that has no engine of its own."""
    from dbos import DBOSClient

    from pilotfish.store.engines import use_unicode

    with _explain_database_errors():
        client = DBOSClient(system_database_url=use_unicode(url))
        try:
            client.delete_workflows(list(runs))
        finally:
            client.destroy()
    if url.startswith(SQLITE_PREFIX):
        with closing(EngineConnection(url.removeprefix(SQLITE_PREFIX))) as connection:
            # What was deleted stays in free pages until the file is written anew.
            connection.execute("VACUUM")


def keep_private(file: Path) -> None:
    """Let only the owner read a database file, also one that is not made yet; files beside it take after it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    os.close(os.open(file, os.O_CREAT, 0o600))
    for path in (file, *file.parent.glob(f"{file.name}-*")):
        path.chmod(0o600)


@contextmanager
def _explain_database_errors() -> Generator[None]:
    import sqlalchemy.exc

    try:
        yield
    except sqlalchemy.exc.DBAPIError as error:
        raise StoreError(f"The engine's database cannot be used: {error.orig}.", "Check disk and rights.") from error

"""Lists the processes that share the database, checks labels, and lets a worker end without losing anything."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from pydantic import TypeAdapter, ValidationError

from pilotfish.core.errors import PersonError
from pilotfish.core.values import Value
from pilotfish.core.workers import WorkerLabels, WorkerRecord
from pilotfish.runtime.worker_registry import WORKER_KIND

if TYPE_CHECKING:
    from pilotfish.runtime.driver import RunDriver
    from pilotfish.runtime.engine import RunEngine
    from pilotfish.runtime.worker_registry import WorkerRegistry
    from pilotfish.store.base import Store

log = logging.getLogger(__name__)
LABELS: TypeAdapter[tuple[str, ...]] = TypeAdapter(WorkerLabels)
LOOK_PERIOD = 0.2
ONE_STEP = 5.0
"""Seconds that a step under way has to end before its run is handed over."""
WAITING_STATES = frozenset({"paused", "awaiting_input", "awaiting_approval"})


class WorkerInfo(Value):
    """A process that shares the database, as people see it; `busy` runs of at most `runs` are with it."""

    id: str
    host: str
    runs: int
    busy: int
    labels: tuple[str, ...] = ()
    draining: bool = False


async def list_workers(store: "Store") -> list[WorkerInfo]:
    """The processes that registered, by machine."""
    found = [WorkerRecord.model_validate_json(kept) for kept in (await store.entries(WORKER_KIND)).values()]
    return [
        WorkerInfo(
            **one.model_dump(include={"id", "host", "runs", "labels", "draining"}),
            busy=len(await store.list_held(one.id)),
        )
        for one in sorted(found, key=lambda one: (one.host, one.id))
    ]


def check_labels(labels: Iterable[str]) -> tuple[str, ...]:
    """The labels, if each of them is one."""
    try:
        return LABELS.validate_python(tuple(labels))
    except ValidationError:
        raise PersonError(
            f"These are not labels: {', '.join(labels)}.",
            "Up to eight words of small letters, digits, dots and dashes, such as gpu or eu-west.",
        ) from None


class WorkerDrain:
    """Ends the work of this process: it takes nothing new, and finishes or hands over what it has."""

    def __init__(self, store: "Store", engine: "RunEngine", driver: "RunDriver", registry: "WorkerRegistry") -> None:
        self.store = store
        self.engine = engine
        self.driver = driver
        self.registry = registry
        self.at_once = asyncio.Event()

    async def run(self, seconds: float) -> None:
        """Let runs come to their end for so long, then hand over the rest between two steps of theirs.

        `at_once` ends the waiting.
        """
        await self.registry.change(draining=True)
        log.info(
            "told to stop: takes no more runs; %d are under way and have %g s to end", len(self.engine.driving), seconds
        )
        await self._hand_over(await self._list_waiting(), "waits for a person")
        await self._wait_for(lambda: not self.engine.driving, seconds)
        controls = [self.driver.controls[run] for run in self.engine.driving if run in self.driver.controls]
        for control in controls:
            control.held = True
        await self._wait_for(lambda: not self.engine.driving or all(one.resting.is_set() for one in controls), ONE_STEP)
        await self._hand_over(list(self.engine.driving), "is not finished")

    async def _list_waiting(self) -> list[str]:
        records = [await self.store.run(run) for run in list(self.engine.driving)]
        return [record.id for record in records if record and record.state in WAITING_STATES]

    async def _hand_over(self, runs: Sequence[str], why: str) -> None:
        await self.engine.drop(runs)
        for run in runs:
            await self.store.assign(run, "")
            log.info("left to another worker: it %s", why, extra={"run": run})

    async def _wait_for(self, is_done: Callable[[], bool], seconds: float) -> None:
        """Wait until it is so, at most this long, or until the end is wanted at once."""
        end = asyncio.get_running_loop().time() + seconds
        while not is_done() and (left := end - asyncio.get_running_loop().time()) > 0:
            with suppress(TimeoutError):
                await asyncio.wait_for(self.at_once.wait(), min(left, LOOK_PERIOD))
                return

"""`pilotfish worker`: drives queued runs until it is stopped; other workers continue its unfinished runs."""

import asyncio
import logging
import signal
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from pilotfish.app import Pilotfish
from pilotfish.interfaces import logs
from pilotfish.services.workers import WorkerDrain

if TYPE_CHECKING:
    from pilotfish.core.settings import Settings

log = logging.getLogger(__name__)


async def run_worker(
    settings: "Settings | None" = None,
    *,
    runs: int | None = None,
    labels: Sequence[str] = (),
    ready: Callable[[str], object] = print,
) -> None:
    """Drive runs until told to stop, then finish or hand over what is under way; told twice, end at once.

    `ready` is called with a line that names this worker.
    """
    stop = asyncio.Event()
    async with Pilotfish(settings, runs=runs, labels=labels) as fish:
        logs.install_logging(fish.settings.log)
        drain = WorkerDrain(fish.store, fish.engine, fish.driver, fish.registry)

        def handle_signal() -> None:
            if stop.is_set():
                log.info("told to stop again: ends at once")
                drain.at_once.set()
            stop.set()

        for each in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(each, handle_signal)
        await fish.open_channel()
        where = "PostgreSQL" if fish.settings.database else "SQLite, so on this machine only"
        named = f" with {' '.join(fish.registry.me.labels)}" if fish.registry.me.labels else ""
        ready(
            f"worker {fish.engine.config.worker}: up to {fish.limits.runs} runs at once{named} "
            f"({where}; Ctrl-C ends it)"
        )
        await stop.wait()
        await drain.run(fish.settings.work.drain)
    log.info("stopped")

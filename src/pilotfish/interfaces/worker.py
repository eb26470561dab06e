"""`pilotfish worker`: drives queued runs until it is stopped; other workers continue its unfinished runs."""

import asyncio
import logging
import signal
from collections.abc import Callable
from typing import TYPE_CHECKING

from pilotfish.app import Pilotfish
from pilotfish.interfaces import logs

if TYPE_CHECKING:
    from pilotfish.core.settings import Settings

log = logging.getLogger(__name__)


async def run_worker(
    settings: "Settings | None" = None, *, runs: int | None = None, ready: Callable[[str], object] = print
) -> None:
    """Drive runs until stopped; `ready` is called with a line that names this worker."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()

    for each in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(each, stop.set)
    async with Pilotfish(settings, runs=runs) as fish:
        logs.install_logging(fish.settings.log)
        await fish.open_channel()
        where = "PostgreSQL" if fish.settings.database else "SQLite, so on this machine only"
        ready(f"worker {fish.engine.config.worker}: up to {fish.limits.runs} runs at once ({where}; Ctrl-C ends it)")
        await stop.wait()
        log.info("told to stop: %d runs wait for another worker", len(fish.engine.driving))
    log.info("stopped")

"""`pilotfish worker`: drives runs that were queued elsewhere, until told to stop; then others go on with them."""

import asyncio
import signal
from collections.abc import Callable
from typing import TYPE_CHECKING

from pilotfish.app import Pilotfish
from pilotfish.interfaces import logs

if TYPE_CHECKING:
    from pilotfish.core.settings import Settings


async def work(
    settings: "Settings | None" = None, *, runs: int | None = None, ready: Callable[[str], object] = print
) -> None:
    """Work until stopped; `ready` is told who this is."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for each in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(each, stop.set)
    async with Pilotfish(settings, runs=runs) as fish:
        logs.install(fish.settings.log)
        where = "PostgreSQL" if fish.settings.database else "SQLite, so on this machine only"
        ready(f"worker {fish.engine.plan.worker}: up to {fish.limits.runs} runs at once ({where}; Ctrl-C ends it)")
        await stop.wait()

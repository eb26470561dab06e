"""Deletes ended runs that are older than the settings keep them, or that take more room; and what has expired."""

import asyncio
import logging
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Protocol

from pilotfish.core.errors import StoreError
from pilotfish.core.events import current_time
from pilotfish.core.records import RunRecord
from pilotfish.core.settings import Settings
from pilotfish.store.base import Store

CHECK_PERIOD = 3600.0
MOST_RUNS = 10_000
log = logging.getLogger(__name__)


class RunKeeper(Protocol):
    """The app, as far as runs are deleted."""

    @property
    def store(self) -> Store: ...

    @property
    def settings(self) -> Settings: ...

    async def runs(self, **filters: Any) -> list[RunRecord]: ...
    async def delete(self, run: str) -> None: ...
    async def delete_before(self, moment: datetime, user: str | None = None) -> int: ...


async def apply_retention_hourly(keeper: RunKeeper) -> None:
    """Delete now and every hour what the settings do not keep, until cancelled."""
    while True:
        try:
            await apply_retention(keeper)
        except StoreError as error:
            log.warning("runs could not be deleted: %s", error.message)
        await asyncio.sleep(CHECK_PERIOD)


async def apply_retention(keeper: RunKeeper) -> int:
    """Delete what the settings do not keep; returns how many runs."""
    kept, gone = keeper.settings.retention, 0
    await keeper.store.expire()
    if kept.days is not None:
        gone += await keeper.delete_before(current_time() - timedelta(days=kept.days))
    if kept.megabytes is not None:
        gone += await _delete_oldest(keeper, kept.megabytes * 1e6)
    if gone:
        log.info("%d runs were deleted: they are older, or larger, than the settings keep them", gone)
    return gone


async def _delete_oldest(keeper: RunKeeper, limit: float) -> int:
    folder, gone = keeper.settings.home / "runs", 0
    sizes = await asyncio.to_thread(measure_folders, folder)
    total, used = float(sum(sizes.values())), await keeper.store.compared_runs()
    for record in reversed(await keeper.runs(state="ended", limit=MOST_RUNS) if total > limit else []):
        if total <= limit:
            break
        if not record.parent and record.id not in used:
            await keeper.delete(record.id)
            total -= sizes.get(record.id, 0)
            gone += 1
    return gone


def measure_folders(folder: Path) -> dict[str, int]:
    """The bytes of the files in each folder within a folder."""
    found = {path: path.rglob("*") for path in folder.iterdir()} if folder.is_dir() else {}
    return {path.name: sum(one.stat().st_size for one in inner if one.is_file()) for path, inner in found.items()}

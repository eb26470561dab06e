"""Deletes what is kept of runs besides their journal, files and steps: in caches, among read pages, by schedules.

Answers and fetched pages are cached by what was asked, not by run, so all of them go; they come again when needed.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pilotfish.store.base import Store


async def delete_copies(store: "Store", runs: Sequence[str], conversations: Sequence[str] = ()) -> None:
    """Delete the copies of what these runs read and said, and of pages read ahead for these conversations."""
    from pilotfish.runtime.answer_cache import KIND as ANSWERS
    from pilotfish.services.tool_services import CACHE_KIND, drop_pages
    from pilotfish.tools.recall import KIND as RESULTS

    if not runs and not conversations:
        return
    for reader in (*runs, *conversations):
        await drop_pages(store, reader)
    for run in runs:
        await store.drop_all(RESULTS, f"{run}:")
    for kind in (ANSWERS, CACHE_KIND):
        await store.drop_all(kind)
    await store.forget_runs(runs)
    await store.clear_log()

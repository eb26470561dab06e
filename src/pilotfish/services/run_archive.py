"""Reads runs from the database; needs no engine, no browser and no model."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pilotfish.core.errors import NotFoundError
from pilotfish.core.events import Event
from pilotfish.core.fast_imports import without_garbage_collection
from pilotfish.core.journal_reports import CHARGED_EVENTS, CostReport, sum_costs
from pilotfish.core.messages import Message
from pilotfish.core.records import RunRecord
from pilotfish.core.settings import Settings
from pilotfish.services.kept_copies import delete_copies

if TYPE_CHECKING:
    from pathlib import Path

    from pilotfish.runtime.shared_files import SharedFiles
    from pilotfish.safety.logins import LoginVault
    from pilotfish.services.safety_service import SafetyService
    from pilotfish.store.base import Store
    from pilotfish.store.shortcuts import ShortcutStore

SEARCHED_RUNS = 1000


class RunArchive:
    """Queries about runs: records, events, messages and costs."""

    store: "Store"
    settings: Settings

    async def record(self, run: str, user: str | None = None) -> RunRecord:
        """A run, of one user or of any, by its id or an unambiguous beginning of it."""
        found = await self.store.run(run)
        if found and user in (None, found.user):
            return found
        near = [r for r in await self.store.runs(user=user, limit=SEARCHED_RUNS) if run and r.id.startswith(run)]
        if len(near) == 1:
            return near[0]
        fix = "See `pilotfish runs` for those there are." if not near else "Give more of its id."
        raise NotFoundError(f"There is {'no' if not near else 'more than one'} run {run!r}.", fix)

    async def runs(self, **filters: Any) -> list[RunRecord]:
        return await self.store.runs(**filters)

    async def events(self, run: str, after: int = 0) -> list[Event]:
        return await self.store.events(run, after)

    async def messages(self, conversation: str) -> list[Message]:
        return await self.store.messages(conversation)

    async def costs(self, user: str, since: datetime | None = None) -> CostReport:
        """What a user's runs used."""
        return sum_costs(await self.store.history(user, CHARGED_EVENTS, since))

    async def delete_conversation(self, conversation: str) -> None:
        """Delete a conversation with its runs and files."""
        runs = await self.store.runs(conversation=conversation, limit=SEARCHED_RUNS)
        await self.store.delete_conversation(conversation)
        await asyncio.to_thread(delete_recorded, self.settings, [run.id for run in runs])
        for prefix in (f"conversations/{conversation}/", *(f"runs/{run.id}/" for run in runs)):
            await self.files.delete(prefix)
        await delete_copies(self.store, [run.id for run in runs], (conversation,))

    @property
    def home(self) -> "Path":
        """The folder of all data."""
        return self.settings.home

    @property
    def reasoning(self) -> bool:
        """Whether the models' thinking is shown."""
        return self.settings.agent.reasoning_visible

    @property
    def extracts_facts(self) -> bool:
        """Whether facts are saved after each run."""
        return self.settings.memory.enabled and self.settings.memory.extract

    @cached_property
    def files(self) -> "SharedFiles":
        """The files of runs and conversations."""
        from pilotfish.runtime.shared_files import SharedFiles

        return SharedFiles.of(self.settings, self.store)

    @cached_property
    def shortcuts(self) -> "ShortcutStore":
        """The shortcuts of all users."""
        from pilotfish.store.shortcuts import ShortcutStore

        return ShortcutStore(self.store)

    @cached_property
    def logins(self) -> "LoginVault":
        """The remembered logins of all users."""
        from pilotfish.safety.logins import LoginVault

        return LoginVault(self.store, self.settings.home)

    @property
    def safety(self) -> "SafetyService":
        """Secrets, policy previews and audits."""
        from pilotfish.services.safety_service import SafetyService

        return SafetyService(self.store, self.settings)


def find_family(run: str, among: Sequence[RunRecord]) -> list[str]:
    """A run with its sub-runs, and theirs."""
    found = [run]
    for one in found:
        found += [record.id for record in among if record.parent == one and record.id not in found]
    return found


def delete_recorded(settings: Settings, runs: Sequence[str]) -> None:
    """Delete what the engine recorded of runs, where no engine is open."""
    from pilotfish.runtime.engine import SQLITE_PREFIX, delete_workflows

    file = settings.home / "engine.db"
    if runs and (settings.database or file.exists()):
        delete_workflows(settings.database or f"{SQLITE_PREFIX}{file}", runs)


@asynccontextmanager
async def open_archive() -> AsyncGenerator[RunArchive]:
    """Open the archive for the command line, without starting anything else."""
    with without_garbage_collection():
        from pilotfish.store.database import Database, database_address
        from pilotfish.store.settings_reader import load_settings, read_settings

        store = await Database.open(database_address(load_settings()))
    async with store:
        archive = RunArchive()
        archive.store = store
        archive.settings = read_settings(stored=await store.settings()).settings
        yield archive

"""What is kept of runs. To read it takes the database and nothing else: no engine, no browser, no model."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pilotfish.core.errors import Missing
from pilotfish.core.events import Event
from pilotfish.core.folds import CHARGED, Costs, costs
from pilotfish.core.haste import haste
from pilotfish.core.messages import Message
from pilotfish.core.records import RunRecord
from pilotfish.core.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

    from pilotfish.parts.safe import Safe
    from pilotfish.store.base import Store

NEAR = 1000


class Archive:
    """Runs, their stories and what they cost."""

    store: "Store"
    settings: Settings

    async def record(self, run: str, user: str | None = None) -> RunRecord:
        """A run, of one person or anybody's, by its id or an unmistakable beginning of it."""
        found = await self.store.run(run)
        if found and user in (None, found.user):
            return found
        near = [r for r in await self.store.runs(user=user, limit=NEAR) if run and r.id.startswith(run)]
        if len(near) == 1:
            return near[0]
        fix = "See `pilotfish runs` for those there are." if not near else "Give more of its id."
        raise Missing(f"There is {'no' if not near else 'more than one'} run {run!r}.", fix)

    async def runs(self, **filters: Any) -> list[RunRecord]:
        return await self.store.runs(**filters)

    async def events(self, run: str, after: int = 0) -> list[Event]:
        return await self.store.events(run, after)

    async def messages(self, conversation: str) -> list[Message]:
        return await self.store.messages(conversation)

    async def costs(self, user: str, since: datetime | None = None) -> Costs:
        """What a person's runs used."""
        return costs(await self.store.history(user, CHARGED, since))

    @property
    def home(self) -> "Path":
        """Where everything is kept."""
        return self.settings.home

    @property
    def reasoning(self) -> bool:
        """Whether the models' thinking is shown."""
        return self.settings.agent.reasoning_visible

    @property
    def safe(self) -> "Safe":
        """Secrets, rules and audits."""
        from pilotfish.parts.safe import Safe

        return Safe(self.store, self.settings)


@asynccontextmanager
async def opened() -> AsyncGenerator[Archive]:
    """For the command line: without starting the rest."""
    with haste():
        from pilotfish.store.config import load, read
        from pilotfish.store.database import Database, address

        store = await Database.open(address(load()))
    async with store:
        archive = Archive()
        archive.store = store
        archive.settings = read(stored=await store.settings()).settings
        yield archive

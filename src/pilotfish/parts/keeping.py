"""What a person does from the command line besides runs: memory, money, secrets, rules, audits and people."""

from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import cached_property
from typing import TYPE_CHECKING

from pydantic import SecretStr

from pilotfish.core.errors import Missing, PersonError
from pilotfish.core.events import now
from pilotfish.core.facts import Fact
from pilotfish.core.folds import Costs
from pilotfish.core.people import LOCAL, Role, User
from pilotfish.parts import archive
from pilotfish.parts.archive import Archive

if TYPE_CHECKING:
    from pilotfish.memory.memory import Memory
    from pilotfish.parts.people import People
    from pilotfish.parts.safe import Audit, Kind, Listed, Supposed, Told


class Keeping:
    """All of it, of the person whose home this is."""

    def __init__(self, archive: Archive) -> None:
        self.archive = archive

    # Memory and money

    async def facts(self, history: bool = False) -> list[Fact]:
        """What holds, and with `history` also what no longer does."""
        past = await self._memory.history(LOCAL) if history else []
        return [*await self._memory.facts(LOCAL), *past]

    async def remember(self, content: str) -> str:
        """Save a fact in a person's own words; what became of it."""
        done = await self._memory.save(LOCAL, [{"content": content, "confidence": 1.0}])
        if done.refused:
            raise PersonError(f"That cannot be remembered: {done.refused[0].reason}.", "Say it in another way.")
        gone = [f" Made room: {fact.content}" for fact in done.evicted]
        return "".join(["Already known." if done.merged else "Remembered.", *gone])

    async def correct(self, id: str, content: str) -> str:
        return (await self._memory.correct(LOCAL, id, content)).content

    async def unlearn(self, id: str) -> None:
        await self._memory.delete(LOCAL, id)

    async def exported(self) -> str:
        return await self._memory.export(LOCAL)

    async def imported(self, text: str) -> int:
        return await self._memory.restore(LOCAL, text)

    async def spent(self, days: int) -> Costs:
        """What one's own runs used in so many days."""
        return await self.archive.costs(LOCAL, now() - timedelta(days=days))

    # Safety

    async def secrets(self) -> "list[Listed]":
        return await self.archive.safe.vault.list(LOCAL)

    async def keep(self, name: str, value: SecretStr, origins: Iterable[str], kind: "Kind") -> None:
        await self.archive.safe.keep(LOCAL, name, value, origins, kind)

    async def drop(self, name: str) -> bool:
        return await self.archive.safe.vault.drop(LOCAL, name)

    async def suppose(self, supposed: "Supposed") -> "Told":
        return self.archive.safe.suppose(supposed)

    async def audit(self, run: str) -> "Audit":
        return await self.archive.safe.audit((await self.archive.record(run)).id)

    async def sealed(self, run: str) -> str:
        """A run's journal as a signed chain."""
        return await self.archive.safe.export((await self.archive.record(run)).id)

    async def verify(self, text: str) -> str:
        """What is wrong with such a chain; empty where nothing is."""
        return self.archive.safe.verify(text)

    # People

    async def people(self) -> list[User]:
        return await self._people.all()

    async def welcome(self, name: str, role: Role) -> str:
        """Add a person; their token, which is shown this once."""
        person = await self._people.add(name, role)
        return (await self._people.grant(person.id, "first"))[1]

    async def token(self, id: str) -> str:
        """Another token for a person."""
        if await self._people.get(id) is None:
            raise Missing(f"There is nobody with the id {id!r}.", "See `pilotfish user list`.")
        return (await self._people.grant(id, "another"))[1]

    async def dismiss(self, id: str) -> bool:
        return await self._people.remove(id)

    @cached_property
    def _memory(self) -> "Memory":
        from pilotfish.memory.memory import Memory

        return Memory(self.archive.store, self.archive.settings.memory)

    @cached_property
    def _people(self) -> "People":
        from pilotfish.parts.people import People

        return People(self.archive.store, self.archive.settings.home)


@asynccontextmanager
async def opened() -> AsyncGenerator[Keeping]:
    """Without starting the rest."""
    async with archive.opened() as kept:
        yield Keeping(kept)

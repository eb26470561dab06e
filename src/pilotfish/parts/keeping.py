"""What a person does to memory, money and people from the command line, without starting a run."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

from pilotfish.core.errors import PersonError
from pilotfish.core.events import now
from pilotfish.core.facts import Fact
from pilotfish.core.folds import Costs
from pilotfish.core.people import LOCAL, Role, User

if TYPE_CHECKING:
    from pilotfish.memory.memory import Memory
    from pilotfish.parts.people import People


async def facts(history: bool = False) -> list[Fact]:
    """What holds, and with `history` also what no longer does."""
    async with _memory() as memory:
        return [*await memory.facts(LOCAL), *(await memory.history(LOCAL) if history else ())]


async def remember(content: str) -> str:
    """Save a fact in a person's own words; what became of it."""
    async with _memory() as memory:
        done = await memory.save(LOCAL, [{"content": content, "confidence": 1.0}])
    if done.refused:
        raise PersonError(f"That cannot be remembered: {done.refused[0].reason}.", "Say it in another way.")
    gone = [f" Made room: {fact.content}" for fact in done.evicted]
    return "".join(["Already known." if done.merged else "Remembered.", *gone])


async def correct(id: str, content: str) -> str:
    async with _memory() as memory:
        return (await memory.correct(LOCAL, id, content)).content


async def unlearn(id: str) -> None:
    async with _memory() as memory:
        await memory.delete(LOCAL, id)


async def exported() -> str:
    async with _memory() as memory:
        return await memory.export(LOCAL)


async def imported(text: str) -> int:
    async with _memory() as memory:
        return await memory.restore(LOCAL, text)


async def spent(days: int) -> Costs:
    """What one's own runs used in so many days."""
    from pilotfish.parts.archive import opened

    async with opened() as archive:
        return await archive.costs(LOCAL, now() - timedelta(days=days))


async def people() -> list[User]:
    async with _people() as people:
        return await people.all()


async def welcome(name: str, role: Role) -> str:
    """Add a person; their token, which is shown this once."""
    async with _people() as people:
        person = await people.add(name, role)
        return (await people.grant(person.id, "first"))[1]


async def dismiss(id: str) -> bool:
    async with _people() as people:
        return await people.remove(id)


@asynccontextmanager
async def _memory() -> "AsyncGenerator[Memory]":
    from pilotfish.memory.memory import Memory
    from pilotfish.store.config import load
    from pilotfish.store.database import Database, address

    settings = load()
    async with await Database.open(address(settings)) as store:
        yield Memory(store, settings.memory)


@asynccontextmanager
async def _people() -> "AsyncGenerator[People]":
    from pilotfish.parts.people import People
    from pilotfish.store.config import load
    from pilotfish.store.database import Database, address

    settings = load()
    async with await Database.open(address(settings)) as store:
        yield People(store, settings.home)

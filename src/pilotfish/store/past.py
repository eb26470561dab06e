"""What memory stands on: facts with a revision that grows with every change, and all that a person's runs said."""

from collections.abc import Collection, Sequence

from sqlalchemy import func, select

from pilotfish.core.events import MessageAdded
from pilotfish.core.facts import Fact, Said
from pilotfish.store import tables
from pilotfish.store.access import Access
from pilotfish.store.journal import decode

OVERLAP = 256
"""How far back a reader looks again: a message with a smaller number may be committed later than its neighbour."""


class Past(Access):
    """Facts and former messages."""

    async def facts(self, user: str, after: int = 0) -> tuple[list[Fact], int]:
        """Every fact, ended ones too, that changed after a revision; and the revision now reached."""
        table = tables.facts
        query = select(table.c.body, table.c.revision).where(table.c.user == user, table.c.revision > after)
        async with self.reading() as connection:
            rows = (await connection.execute(query.order_by(table.c.revision, table.c.id))).all()
        return [Fact.model_validate_json(row.body) for row in rows], max((row.revision for row in rows), default=after)

    async def keep(self, facts: Sequence[Fact]) -> None:
        """Write facts as they now are."""
        if not facts:
            return
        async with self.writing() as connection:
            await self.engine.guard(connection)
            newest = (await connection.execute(select(func.max(tables.facts.c.revision)))).scalar() or 0
            for fact in facts:
                row = {"id": fact.id, "user": fact.user, "revision": newest + 1, "ended": fact.ended}
                await connection.execute(self.replace(tables.facts, row | {"body": fact.model_dump_json()}))

    async def said(self, user: str, after: int = 0) -> list[Said]:
        """What was said by and to a person, in the order in which it was written."""
        table = tables.events
        query = select(table.c.id, table.c.body, tables.runs.c.conversation)
        query = query.join(tables.runs, tables.runs.c.id == table.c.run).order_by(table.c.id)
        query = query.where(
            tables.runs.c.user == user, table.c.type == "message_added", table.c.id > max(0, after - OVERLAP)
        )
        async with self.reading() as connection:
            rows = (await connection.execute(query)).all()
        return [
            Said(
                id=row.id, conversation=row.conversation, role=event.message.role, text=event.message.text, at=event.at
            )
            for row, event in zip(rows, decode(row.body for row in rows), strict=True)
            if isinstance(event, MessageAdded) and event.message.role in ("user", "assistant") and event.message.text
        ]

    async def alive(self, ids: Collection[int]) -> set[int]:
        """Which of these messages are still in the journal."""
        query = select(tables.events.c.id).where(tables.events.c.id.in_(ids))
        async with self.reading() as connection:
            return set((await connection.execute(query)).scalars())

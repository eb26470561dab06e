"""Stores facts, each with a revision that grows with every change, and reads a person's former messages."""

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, func, or_, select

from pilotfish.core.events import MessageAdded
from pilotfish.core.facts import Fact, PastMessage
from pilotfish.core.messages import Message
from pilotfish.store import tables
from pilotfish.store.access import StoreAccess
from pilotfish.store.journal import decode_events

OVERLAP = 256
"""How far back a reader looks again: a message with a smaller number may be committed later than its neighbour."""


class SqlMemoryBackend(StoreAccess):
    """Facts and former messages."""

    async def facts(self, user: str, after: int = 0) -> tuple[list[Fact], int]:
        """Every fact, ended ones too, that changed after a revision; and the revision now reached."""
        table = tables.facts
        query = select(table.c.body, table.c.revision).where(table.c.user == user, table.c.revision > after)
        rows = await self.rows(query.order_by(table.c.revision, table.c.id))
        return [Fact.model_validate_json(row.body) for row in rows], max((row.revision for row in rows), default=after)

    async def keep(self, facts: Sequence[Fact]) -> None:
        """Write facts as they now are. One that has ended, here or in another process, stays ended."""
        if not facts:
            return
        rows = [
            {"body": fact.model_dump_json()} | {name: getattr(fact, name) for name in ("id", "user", "ended")}
            for fact in facts
        ]

        def work(connection: Connection) -> None:
            self.engine.guard(connection)
            revision = (connection.execute(select(func.max(tables.facts.c.revision))).scalar() or 0) + 1
            connection.execute(
                self.replace(tables.facts, _may_replace), [{**row, "revision": revision} for row in rows]
            )

        await self.write(work)

    async def past_messages(self, user: str, known: Collection[int] = ()) -> list[PastMessage]:
        """The messages of a person and the answers to them, in order, without the known ones.

        Messages of sub-runs are left out.
        """
        after = max(known, default=0) - OVERLAP
        held = {id for id in known if id > after}
        table = tables.events
        query = select(table.c.id, table.c.body, tables.runs.c.conversation)
        query = query.join(tables.runs, tables.runs.c.id == table.c.run).order_by(table.c.id)
        query = query.where(tables.runs.c.user == user, tables.runs.c.parent == "")
        query = query.where(table.c.type == "message_added", table.c.id > after)

        def work(connection: Connection) -> Sequence[Any]:
            # Usually nothing is new, and comparing one number is quicker than reading messages.
            there = connection.execute(query.with_only_columns(func.sum(table.c.id)).order_by(None)).scalar()
            return [] if there == sum(held) else connection.execute(query).all()

        rows = [row for row in await self.read(work) if row.id not in held]
        return [
            PastMessage(
                id=row.id, conversation=row.conversation, role=event.message.role, text=event.message.text, at=event.at
            )
            for row, event in zip(rows, decode_events(row.body for row in rows), strict=True)
            if isinstance(event, MessageAdded) and event.message.text and _is_speech(event.message)
        ]

    async def existing_messages(self, ids: Collection[int]) -> set[int]:
        """Which of these messages are still in the journal."""
        query = select(tables.events.c.id).where(tables.events.c.id.in_(ids))
        return {row.id for row in await self.rows(query)}


def _is_speech(message: Message) -> bool:
    """Whether a person or an assistant said it. Tool results and summaries of earlier runs do not count."""
    return message.role in ("user", "assistant") and message.origin not in ("tool", "earlier_run")


def _may_replace(fresh: Any) -> ColumnElement[bool]:
    return or_(tables.facts.c.ended.is_(None), fresh.ended.is_not(None))

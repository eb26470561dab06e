"""Stores runs, conversations and the commands that people send to runs."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import Connection, bindparam, delete, func, insert, or_, select, update

from pilotfish.core.errors import StoreError
from pilotfish.core.events import MessageAdded, RunState
from pilotfish.core.messages import Message, Origin
from pilotfish.core.records import Command, Conversation, RunRecord, StoredRun
from pilotfish.core.schedules import STANDING_PREFIX
from pilotfish.store import tables
from pilotfish.store.blob_stores import FILE_KIND
from pilotfish.store.journal import JOURNAL_BODIES, SqlJournal, decode_events
from pilotfish.store.projection import from_row, strip_nul

MESSAGES_KIND = "said"
MESSAGES: TypeAdapter[list[Message]] = TypeAdapter(list[Message])

_RUN = select(tables.runs).where(tables.runs.c.id == bindparam("run"))
_COMMANDS = (
    select(tables.commands)
    .where(tables.commands.c.run == bindparam("run"), tables.commands.c.id > bindparam("after"))
    .order_by(tables.commands.c.id)
)
_MESSAGES = (
    select(tables.events.c.body)
    .join(tables.runs, tables.runs.c.id == tables.events.c.run)
    .where(tables.runs.c.conversation == bindparam("conversation"), tables.events.c.type == "message_added")
    .where(tables.runs.c.parent == "", tables.runs.c.id != bindparam("without"))
    .order_by(tables.runs.c.created, tables.events.c.run, tables.events.c.seq)
)
_FIRST_MESSAGES = select(tables.blobs.c.value).where(
    tables.blobs.c.kind == MESSAGES_KIND, tables.blobs.c.key == bindparam("run")
)


class SqlRunStore(SqlJournal):
    """Lists, creates and deletes runs, conversations and commands."""

    async def create(self, record: RunRecord, title: str = "", said: Sequence[Message] = ()) -> RunRecord:
        """Insert a run with its first messages, and its conversation if that is new. An existing run stays."""
        stored = {"kind": MESSAGES_KIND, "key": record.id, "value": MESSAGES.dump_json(list(said)), "expires": None}

        def work(connection: Connection) -> bool:
            fresh = self.enter(connection, record, title)
            if fresh and said:
                connection.execute(self.replace(tables.blobs), stored)
            if fresh and not record.worker:
                self.engine.notify(connection, "runs", [record.id])
            return fresh

        return record if await self.write(work) else await self.run(record.id) or record

    async def run(self, id: str) -> RunRecord | None:
        found = await self.rows(_RUN, {"run": id})
        return from_row(found[0]) if found else None

    async def load_run(self, run: str) -> StoredRun | None:
        """Read everything needed to drive a run, in one transaction."""

        def work(connection: Connection) -> StoredRun | None:
            row = connection.execute(_RUN, {"run": run}).one_or_none()
            if row is None:
                return None
            record = from_row(row)
            events = decode_events(connection.execute(JOURNAL_BODIES, {"run": run, "after": 0}).scalars())
            stored = connection.execute(_FIRST_MESSAGES, {"run": run}).scalar()
            author: Origin = "model" if record.parent else "person"
            task = Message(role="user", text=record.task, origin=author)
            said = MESSAGES.validate_json(stored) if stored else [task]
            wanted = record.options.get("history", True)
            before = _messages(connection, record.conversation, run) if wanted else []
            return StoredRun(record, _commands(connection, run, 0), events, before, said)

        return await self.read(work)

    async def runs(
        self,
        *,
        user: str | None = None,
        state: RunState | None = None,
        conversation: str | None = None,
        text: str = "",
        before: datetime | None = None,
        limit: int = 50,
        background: bool = True,
    ) -> list[RunRecord]:
        """The newest first; `before` pages on from the last one's `created`. Background loops begin with `_`."""
        table = tables.runs
        query = select(table).order_by(table.c.created.desc(), table.c.id).limit(limit)
        for column, value in ((table.c.user, user), (table.c.state, state), (table.c.conversation, conversation)):
            if value is not None:
                query = query.where(column == value)
        if before is not None:
            query = query.where(table.c.created < before)
        if not background:
            query = query.where(~table.c.loop.startswith("_", autoescape=True))
        for word in text.lower().split():
            found = (func.lower(column).contains(word, autoescape=True) for column in (table.c.task, table.c.answer))
            query = query.where(or_(*found))
        return [from_row(row) for row in await self.rows(query)]

    async def assign(self, run: str, worker: str) -> None:
        """Say which process drives the run."""
        await self.execute(update(tables.runs).where(tables.runs.c.id == run).values(worker=worker))

    async def delete(self, run: str) -> bool:
        """Delete a run with its journal and what was said before it; returns whether it existed."""

        def work(connection: Connection) -> bool:
            _drop_said(connection, [run])
            return connection.execute(delete(tables.runs).where(tables.runs.c.id == run)).rowcount > 0

        return await self.write(work)

    async def save(self, conversation: Conversation) -> Conversation:
        row = {name: strip_nul(getattr(conversation, name)) for name in Conversation.model_fields}
        await self.execute(self.replace(tables.conversations), row)
        return conversation

    async def conversation(self, id: str) -> Conversation | None:
        found = await self.rows(select(tables.conversations).where(tables.conversations.c.id == id))
        return Conversation.model_validate(found[0], from_attributes=True) if found else None

    async def conversations(self, user: str, limit: int = 50) -> list[Conversation]:
        """The latest first; those of schedules are found in their history instead."""
        table = tables.conversations
        query = select(table).where(table.c.user == user, ~table.c.id.startswith(STANDING_PREFIX, autoescape=True))
        query = query.order_by(table.c.updated.desc(), table.c.id).limit(limit)
        return [Conversation.model_validate(row, from_attributes=True) for row in await self.rows(query)]

    async def delete_conversation(self, conversation: str) -> bool:
        """Delete a conversation with all its runs."""

        def work(connection: Connection) -> bool:
            _drop_said(connection, select(tables.runs.c.id).where(tables.runs.c.conversation == conversation))
            _drop_files(connection, f"conversations/{conversation}/")
            gone = delete(tables.conversations).where(tables.conversations.c.id == conversation)
            return connection.execute(gone).rowcount > 0

        return await self.write(work)

    async def messages(self, conversation: str, without: str = "") -> list[Message]:
        """What was said in the runs of a conversation, in order; sub-runs and the run `without` are left out."""
        return await self.read(lambda connection: _messages(connection, conversation, without))

    async def send(self, command: Command) -> Command:
        table = tables.runs
        row = {"run": command.run, "body": command.model_dump_json(exclude={"id"})}

        def work(connection: Connection) -> int:
            # The run is held so that ids are seen in the order in which they are given.
            held = connection.execute(select(table.c.id).where(table.c.id == command.run).with_for_update())
            if held.one_or_none() is None:
                raise StoreError(f"There is no run {command.run}.", "See `pilotfish runs` for those there are.")
            given = connection.execute(insert(tables.commands).values(row).returning(tables.commands.c.id))
            self.engine.notify(connection, "commands", [command.run])
            return given.scalar_one()

        return command.model_copy(update={"id": await self.write(work)})

    async def commands(self, run: str, after: int = 0) -> list[Command]:
        return await self.read(lambda connection: _commands(connection, run, after))


def _drop_said(connection: Connection, runs: Any) -> None:
    """Delete the messages that came with runs, and their shared files."""
    table = tables.blobs
    connection.execute(delete(table).where(table.c.kind == MESSAGES_KIND, table.c.key.in_(runs)))
    for run in runs if isinstance(runs, list) else connection.execute(runs).scalars().all():
        _drop_files(connection, f"runs/{run}/")


def _drop_files(connection: Connection, prefix: str) -> None:
    below = tables.blobs.c.key.startswith(prefix, autoescape=True)
    connection.execute(delete(tables.blobs).where(tables.blobs.c.kind == FILE_KIND, below))


def _messages(connection: Connection, conversation: str, without: str) -> list[Message]:
    found = connection.execute(_MESSAGES, {"conversation": conversation, "without": without})
    return [event.message for event in decode_events(found.scalars()) if isinstance(event, MessageAdded)]


def _commands(connection: Connection, run: str, after: int) -> list[Command]:
    rows = connection.execute(_COMMANDS, {"run": run, "after": after})
    return [Command.model_validate_json(row.body).model_copy(update={"id": row.id}) for row in rows]

"""Runs, conversations, and what people tell runs from outside."""

from datetime import datetime

from sqlalchemy import bindparam, delete, func, insert, or_, select, update

from pilotfish.core.errors import StoreError
from pilotfish.core.events import MessageAdded, State
from pilotfish.core.messages import Message
from pilotfish.core.records import Command, Conversation, RunRecord
from pilotfish.store import tables
from pilotfish.store.journal import Journal, decode
from pilotfish.store.projection import clean, from_row

_RUN = select(tables.runs).where(tables.runs.c.id == bindparam("run"))
_COMMANDS = (
    select(tables.commands)
    .where(tables.commands.c.run == bindparam("run"), tables.commands.c.id > bindparam("after"))
    .order_by(tables.commands.c.id)
)


class Catalog(Journal):
    """Lists and changes what the journal's events belong to."""

    async def create(self, record: RunRecord, title: str = "") -> RunRecord:
        """Enter a run, and its conversation if that is new. A run that is there already is left as it is."""
        async with self.writing() as connection:
            fresh = await connection.run_sync(self.enter, record, title)
            if fresh and not record.worker:
                await connection.run_sync(self.engine.notify, "runs", [record.id])
        return record if fresh else await self.run(record.id) or record

    async def run(self, id: str) -> RunRecord | None:
        async with self.reading() as connection:
            row = (await connection.execute(_RUN, {"run": id})).one_or_none()
        return None if row is None else from_row(row)

    async def runs(
        self,
        *,
        user: str | None = None,
        state: State | None = None,
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
        async with self.reading() as connection:
            return [from_row(row) for row in await connection.execute(query)]

    async def assign(self, run: str, worker: str) -> None:
        """Say which process drives the run."""
        async with self.writing() as connection:
            await connection.execute(update(tables.runs).where(tables.runs.c.id == run).values(worker=worker))

    async def delete(self, run: str) -> bool:
        """Delete a run with its journal; says whether there was one."""
        async with self.writing() as connection:
            return (await connection.execute(delete(tables.runs).where(tables.runs.c.id == run))).rowcount > 0

    async def save(self, conversation: Conversation) -> Conversation:
        row = {name: clean(getattr(conversation, name)) for name in Conversation.model_fields}
        async with self.writing() as connection:
            await connection.execute(self.replace(tables.conversations), row)
        return conversation

    async def conversation(self, id: str) -> Conversation | None:
        query = select(tables.conversations).where(tables.conversations.c.id == id)
        async with self.reading() as connection:
            row = (await connection.execute(query)).mappings().one_or_none()
        return None if row is None else Conversation.model_validate(dict(row))

    async def conversations(self, user: str, limit: int = 50) -> list[Conversation]:
        table = tables.conversations
        query = select(table).where(table.c.user == user).order_by(table.c.updated.desc(), table.c.id).limit(limit)
        async with self.reading() as connection:
            rows = (await connection.execute(query)).mappings().all()
        return [Conversation.model_validate(dict(row)) for row in rows]

    async def forget(self, conversation: str) -> bool:
        """Delete a conversation with all its runs."""
        query = delete(tables.conversations).where(tables.conversations.c.id == conversation)
        async with self.writing() as connection:
            return (await connection.execute(query)).rowcount > 0

    async def messages(self, conversation: str, without: str = "") -> list[Message]:
        """What was said in the runs of a conversation, in order; sub-runs and the run `without` are left out."""
        table = tables.events
        query = select(table.c.body).join(tables.runs, tables.runs.c.id == table.c.run)
        query = query.where(tables.runs.c.conversation == conversation, table.c.type == "message_added")
        query = query.where(tables.runs.c.parent == "", tables.runs.c.id != without)
        query = query.order_by(tables.runs.c.created, table.c.run, table.c.seq)
        async with self.reading() as connection:
            added = decode((await connection.execute(query)).scalars())
        return [event.message for event in added if isinstance(event, MessageAdded)]

    async def send(self, command: Command) -> Command:
        table = tables.runs
        async with self.writing() as connection:
            # The run is held so that ids are seen in the order in which they are given.
            held = await connection.execute(select(table.c.id).where(table.c.id == command.run).with_for_update())
            if held.one_or_none() is None:
                raise StoreError(f"There is no run {command.run}.", "See `pilotfish runs` for those there are.")
            row = {"run": command.run, "body": command.model_dump_json(exclude={"id"})}
            given = (
                await connection.execute(insert(tables.commands).values(row).returning(tables.commands.c.id))
            ).one()
            await connection.run_sync(self.engine.notify, "commands", [command.run])
        return command.model_copy(update={"id": given.id})

    async def commands(self, run: str, after: int = 0) -> list[Command]:
        async with self.reading() as connection:
            rows = (await connection.execute(_COMMANDS, {"run": run, "after": after})).all()
        return [Command.model_validate_json(row.body).model_copy(update={"id": row.id}) for row in rows]

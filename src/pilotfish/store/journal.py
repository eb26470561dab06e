"""Appends events to the journal. It numbers them per run without gaps and writes none twice.

Appends that come while one is being written go into the next transaction together, so that many runs at once
cost hardly more than one.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, Collection, Iterable, Sequence
from datetime import datetime
from typing import Any
from uuid import uuid4

from pydantic import TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError
from sqlalchemy import Connection, bindparam, insert, select, tuple_, update

from pilotfish.core.errors import StoreError
from pilotfish.core.events import EVENT_ADAPTER, Event, RunFinished, RunStarted, TextDelta
from pilotfish.core.records import JournalEntry, RunRecord, StoreChange
from pilotfish.store import tables
from pilotfish.store.access import StoreAccess
from pilotfish.store.engines import DatabaseEngine
from pilotfish.store.projection import advance_record, from_row, join_labels, make_record, strip_nul, to_row

EVENTS: TypeAdapter[list[Event]] = TypeAdapter(list[Event])
FINISHED_KEY = "run_finished"

AppendAnswer = list[JournalEntry] | StoreError


class AppendBatch:
    """Appends that will share a transaction, and the task that writes it."""

    def __init__(self) -> None:
        self.groups: list[Sequence[Event]] = []
        self.task: asyncio.Task[list[AppendAnswer]]


class SqlJournal(StoreAccess):
    """Appends and reads events."""

    def __init__(self, engine: DatabaseEngine) -> None:
        super().__init__(engine)
        self._turn = asyncio.Lock()
        self._open: AppendBatch | None = None

    async def append(self, events: Sequence[Event]) -> list[JournalEntry]:
        if self._open is None:
            self._open = AppendBatch()
            self._open.task = asyncio.create_task(self._write(self._open))
        batch, place = self._open, len(self._open.groups)
        batch.groups.append(events)
        # Cancelling one caller must not cancel the transaction of the others.
        answer = (await asyncio.shield(batch.task))[place]
        if isinstance(answer, StoreError):
            raise answer
        return answer

    async def events(self, run: str, after: int = 0, limit: int | None = None) -> list[Event]:
        query = JOURNAL_BODIES if limit is None else JOURNAL_BODIES.limit(limit)
        values = {"run": run, "after": after}
        return await self.read(lambda connection: decode_events(connection.execute(query, values).scalars()))

    async def bodies(self, run: str, after: int = 0) -> list[tuple[str, str]]:
        table = tables.events
        query = select(table.c.type, table.c.body).where(table.c.run == run, table.c.seq > after)
        return [(row.type, row.body) for row in await self.rows(query.order_by(table.c.seq))]

    async def history(self, user: str, types: Collection[str], since: datetime | None = None) -> list[Event]:
        table = tables.events
        query = select(table.c.body).join(tables.runs, tables.runs.c.id == table.c.run)
        query = query.where(tables.runs.c.user == user, table.c.type.in_(types)).order_by(table.c.id)
        if since is not None:
            query = query.where(table.c.at >= since)
        return await self.read(lambda connection: decode_events(connection.execute(query).scalars()))

    async def send_text(self, pieces: Sequence[TextDelta]) -> None:
        with self.explain_errors():
            await self.engine.send_text(pieces)

    def listen(self) -> AsyncGenerator[StoreChange]:
        return self.engine.listen()

    def enter(self, connection: Connection, record: RunRecord, title: str = "") -> bool:
        """Insert the rows of the run and its conversation where they are missing; returns whether the run's was."""
        thread = {"id": record.conversation, "user": record.user, "title": strip_nul(title)}
        thread |= {"created": record.created, "updated": record.updated}
        connection.execute(self.add(tables.conversations), thread)
        # Drivers differ in what they count where nothing was written; what comes back tells it plainly.
        made = self.add(tables.runs).returning(tables.runs.c.id)
        row = to_row(record) | {"last": 0, "labels": join_labels(record.options.get("labels", ()))}
        return connection.execute(made, row).first() is not None

    async def _write(self, batch: AppendBatch) -> list[AppendAnswer]:
        async with self._turn:
            self._open = None
            return await self.write(lambda connection: self._store(connection, batch.groups))

    def _store(self, connection: Connection, groups: Sequence[Sequence[Event]]) -> list[AppendAnswer]:
        events = [event for group in groups for event in group]
        heads = self._lock_runs(connection, events)
        page = PendingRows(heads, self._find_written_events(connection, events))
        answers: list[AppendAnswer] = [
            unknown_run_error(group)
            if any(event.run not in heads for event in group)
            else [page.add(event) for event in group]
            for group in groups
        ]
        if page.rows:
            connection.execute(_INSERT, page.rows)
            connection.execute(_ADVANCE, page.changes())
            self.engine.notify(connection, "events", list(page.touched))
        return answers

    def _lock_runs(self, connection: Connection, events: Sequence[Event]) -> dict[str, tuple[RunRecord, int]]:
        """Read the runs' rows and lock them until the transaction ends."""
        ids = {"ids": sorted({event.run for event in events})}
        heads = {row.id: (from_row(row), row.last) for row in connection.execute(_RUN_ROWS, ids)}
        news = [event for event in events if isinstance(event, RunStarted) and event.run not in heads]
        if not news:
            return heads
        for event in news:
            self.enter(connection, make_record(event))
        return {row.id: (from_row(row), row.last) for row in connection.execute(_RUN_ROWS, ids)}

    def _find_written_events(self, connection: Connection, events: Sequence[Event]) -> dict[tuple[str, str], str]:
        """The events among these that are already written."""
        keys = {(event.run, event_key(event)) for event in events if event.key or isinstance(event, RunFinished)}
        if not keys:
            return {}
        rows = connection.execute(_KNOWN_EVENTS, {"keys": list(keys)})
        return {(row.run, row.key): row.body for row in rows}


class PendingRows:
    """What a transaction is about to write: new rows, and the runs they move."""

    def __init__(self, heads: dict[str, tuple[RunRecord, int]], known: dict[tuple[str, str], str]) -> None:
        self.heads = heads
        self.known = known
        self.rows: list[dict[str, Any]] = []
        self.touched: set[str] = set()

    def add(self, event: Event) -> JournalEntry:
        key = event_key(event)
        before = self.known.get((event.run, key))
        if before is not None:
            return JournalEntry(event=decode_events([before])[0], is_new=False)
        record, last = self.heads[event.run]
        stored = event.model_copy(update={"seq": last + 1, "key": key})
        body = encode_event(stored)
        self.known[event.run, key] = body
        self.heads[event.run] = (advance_record(record, stored), last + 1)
        self.touched.add(event.run)
        self.rows.append(
            {"run": stored.run, "seq": stored.seq, "key": key, "type": stored.type, "at": stored.at, "body": body}
        )
        return JournalEntry(event=stored, is_new=True)

    def changes(self) -> list[dict[str, Any]]:
        """The moved runs' new values, under the names that `_ADVANCE` binds."""
        moved = [(id, to_row(record, _FIELDS), last) for id, (record, last) in self.heads.items() if id in self.touched]
        return [{"b_id": id, "b_last": last} | {f"b_{n}": row[n] for n in _FIELDS} for id, row, last in moved]


# Built once: building a query takes longer than running it.
JOURNAL_BODIES = (
    select(tables.events.c.body)
    .where(tables.events.c.run == bindparam("run"), tables.events.c.seq > bindparam("after"))
    .order_by(tables.events.c.seq)
)
_INSERT = insert(tables.events)
_RUN_ROWS = (
    select(tables.runs)
    .where(tables.runs.c.id.in_(bindparam("ids", expanding=True)))
    .order_by(tables.runs.c.id)
    .with_for_update()
)
_KNOWN_EVENTS = select(tables.events.c.run, tables.events.c.key, tables.events.c.body).where(
    tuple_(tables.events.c.run, tables.events.c.key).in_(bindparam("keys", expanding=True))
)
_FIELDS = ("state", "outcome", "answer", "usage", "updated")
_ADVANCE = (
    update(tables.runs)
    .where(tables.runs.c.id == bindparam("b_id"))
    .values({name: bindparam(f"b_{name}") for name in (*_FIELDS, "last")})
)


def event_key(event: Event) -> str:
    """The event's key. A run can finish only once, so its end has a fixed key."""
    return FINISHED_KEY if isinstance(event, RunFinished) else event.key or uuid4().hex


def encode_event(event: Event) -> str:
    try:
        return EVENT_ADAPTER.dump_json(event).decode()
    except PydanticSerializationError:
        # Half a surrogate pair, as page scripts can return it, has no UTF-8.
        return (
            json.dumps(EVENT_ADAPTER.dump_python(event, mode="json"), ensure_ascii=False)
            .encode(errors="replace")
            .decode()
        )


def decode_events(bodies: Iterable[str]) -> list[Event]:
    try:
        return EVENTS.validate_json(f"[{','.join(bodies)}]")
    except ValidationError as error:
        raise StoreError(
            "The journal holds an event that this version cannot read.", "Use the version of Pilotfish that wrote it."
        ) from error


def unknown_run_error(group: Sequence[Event]) -> StoreError:
    names = ", ".join(sorted({event.run for event in group}))
    return StoreError(f"There is no run {names} to write to.", "It may have been deleted; start a new one.")

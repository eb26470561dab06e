"""SQLite and PostgreSQL, and everything in which they differ: opening, locking, notifying, explaining failures.

SQLite runs in WAL mode with `synchronous=NORMAL`: a killed process loses nothing that was committed; a power cut
may lose the last moments, never the file. PostgreSQL keeps its own defaults.
"""

import asyncio
import errno
import os
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from sqlite3 import Error as SqliteError
from sqlite3 import OperationalError, connect
from typing import Any, Protocol, TypeVar, cast

import anyio
import anyio.to_thread
from sqlalchemy import Connection, create_engine, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError

from pilotfish.core.errors import StoreError
from pilotfish.core.events import TextDelta
from pilotfish.core.records import ChangeKind, StoreChange

CHANNEL = "pilotfish"
POLL_PERIOD = 0.05
PRAGMAS = ("busy_timeout=5000", "journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON", "secure_delete=ON")
READER_THREADS = 4
SPARE_PAGES = 2_000
LARGE_PAGES = 50_000
"""A file with fewer free pages (of 4 KB) is left as it is, and one that holds more: others would wait too long."""

ANY_CHANGE = StoreChange("all")
T = TypeVar("T")
ChangePosition = tuple[int, int, int]


class DatabaseEngine(Protocol):
    """What the store needs of a database beyond common SQL."""

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run a reading function. Cancelling the caller breaks nothing."""
        ...

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Run a function as one transaction. Cancelling the caller breaks nothing."""
        ...

    def prepare(self) -> None:
        """Create what a connection needs; raises OSError where that fails."""
        ...

    def guard(self, connection: Connection) -> None:
        """Lock out other processes that would migrate or claim runs, until the transaction ends."""
        ...

    async def clear_log(self) -> None:
        """Leave nothing of what was deleted in the log of changes."""
        ...

    async def close(self) -> None: ...

    def notify(self, connection: Connection, what: ChangeKind, runs: Sequence[str]) -> None:
        """Wake listeners when the transaction commits."""
        ...

    async def send_text(self, pieces: Sequence[TextDelta]) -> None:
        """Pass on text to listeners at other machines."""
        ...

    def listen(self) -> AsyncGenerator[StoreChange]:
        """What changed, in any process; everything at first and whenever something may have been missed."""
        ...

    def explain(self, error: DBAPIError | OSError) -> StoreError | None:
        """The sentence for a person, where they can fix it."""
        ...


def make_engine(address: str) -> DatabaseEngine:
    try:
        url = make_url(address)
    except ArgumentError as error:
        raise StoreError(
            "The database address cannot be read.", "Use postgresql://user@host/name, or leave `database` empty."
        ) from error
    if url.drivername == "sqlite":
        return SqliteEngine(Path(url.database or ""))
    if url.drivername in ("postgresql", "postgres"):
        return PostgresEngine(use_unicode(url.set(drivername="postgresql+psycopg").render_as_string(False)))
    raise StoreError(f"Databases of the kind {url.drivername!r} are not known.", "Use sqlite:///… or postgresql://….")


def use_unicode(address: str) -> str:
    """The address of a PostgreSQL database whose text is read and written as UTF-8.

    Of a database made in the C locale (SQL_ASCII) the driver would else return bytes.
    """
    url = make_url(address)
    if not url.drivername.startswith("postgres") or "client_encoding" in url.query:
        return address
    return url.update_query_dict({"client_encoding": "utf8"}).render_as_string(hide_password=False)


class SqliteEngine:
    """A file. One thread writes, under SQLite's own lock across processes; others read.

    Each request goes to a thread and back once: one trip per statement would be slow under load.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._reader = create_engine(
            f"sqlite:///{path}", pool_size=READER_THREADS, max_overflow=0, pool_reset_on_return=None
        )
        self._writer = create_engine(f"sqlite:///{path}", pool_size=1, max_overflow=0)
        self._readers = ThreadPoolExecutor(READER_THREADS, thread_name_prefix="store")
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="journal")
        for each in (self._reader, self._writer):
            event.listen(each, "connect", self._set_pragmas)
        event.listen(self._writer, "begin", _begin_immediate)

    async def read(self, work: Callable[[Connection], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._run_reading, work)

    def _run_reading(self, work: Callable[[Connection], T]) -> T:
        with self._reader.connect() as connection:
            return work(connection)

    async def write(self, work: Callable[[Connection], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._run_writing, work)

    def _run_writing(self, work: Callable[[Connection], T]) -> T:
        with self._writer.begin() as connection:
            return work(connection)

    def _set_pragmas(self, connection: Any, _record: Any) -> None:
        connection.isolation_level = None
        try:
            cursor = connection.cursor()
            for pragma in PRAGMAS:
                cursor.execute(f"PRAGMA {pragma}")
            cursor.close()
        except SqliteError:
            # The pool forgets a connection that fails here, and its file would stay open.
            connection.close()
            raise

    def prepare(self) -> None:
        # Never by opening a file that is there: closing it would drop the locks of this process's other connections.
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not self.path.exists():
            self.path.touch(mode=0o600)
        fault = errno.EISDIR if self.path.is_dir() else 0 if os.access(self.path, os.W_OK) else errno.EACCES
        if fault:
            raise OSError(fault, os.strerror(fault))

    def guard(self, connection: Connection) -> None:
        """Nothing to do: a writing transaction locks the file from its start."""

    async def clear_log(self) -> None:
        await asyncio.to_thread(empty_log, self.path)

    async def close(self) -> None:
        await anyio.to_thread.run_sync(self._close)

    def _close(self) -> None:
        for threads, connections in ((self._thread, self._writer), (self._readers, self._reader)):
            threads.shutdown()
            connections.dispose()

    def notify(self, connection: Connection, what: ChangeKind, runs: Sequence[str]) -> None:
        """Nothing to do: listeners poll the file."""

    async def send_text(self, pieces: Sequence[TextDelta]) -> None:
        """Nothing to do: a file is on one machine."""

    async def listen(self) -> AsyncGenerator[StoreChange]:
        seen = await self.read(_read_position)
        yield ANY_CHANGE
        while True:
            await anyio.sleep(POLL_PERIOD)
            seen, changes = await self.read(partial(_read_changes, seen))
            for change in changes:
                yield change

    def explain(self, error: DBAPIError | OSError) -> StoreError | None:
        said = str(error.orig if isinstance(error, DBAPIError) else error).lower()
        for sign, what, fix in _SQLITE_SIGNS:
            if sign in said:
                return StoreError(f"The database {self.path} {what}.", fix)
        if isinstance(error, OSError):
            return StoreError(f"The database {self.path} cannot be opened: {error.strerror}.", _FOLDER)
        return None


class PostgresEngine:
    """A server that several machines may share."""

    def __init__(self, address: str) -> None:
        from sqlalchemy.ext.asyncio import create_async_engine

        self.address = address
        self._writer = create_async_engine(
            address, pool_size=5, pool_pre_ping=True, connect_args={"connect_timeout": 10}
        )
        self._reader = self._writer.execution_options(isolation_level="AUTOCOMMIT")
        self._tasks: set[asyncio.Task[Any]] = set()

    async def read(self, work: Callable[[Connection], T]) -> T:
        return await self._run_as_task(self._run_reading(work))

    async def _run_reading(self, work: Callable[[Connection], T]) -> T:
        async with self._reader.connect() as connection:
            return await connection.run_sync(work)

    async def write(self, work: Callable[[Connection], T]) -> T:
        return await self._run_as_task(self._run_writing(work))

    async def _run_writing(self, work: Callable[[Connection], T]) -> T:
        async with self._writer.begin() as connection:
            return await connection.run_sync(work)

    async def _run_as_task(self, work: Coroutine[Any, Any, T]) -> T:
        """Run it as a task of its own: cancelling the caller must not take a connection out of the pool."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return await asyncio.shield(task)

    def prepare(self) -> None:
        """Nothing to do: the server is there, or the first connection says that it is not."""

    def guard(self, connection: Connection) -> None:
        connection.execute(text("SELECT pg_advisory_xact_lock(7417)"))

    async def clear_log(self) -> None:
        """Nothing to do: the server clears its log, and rows that are gone, by itself."""

    async def close(self) -> None:
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._writer.dispose()

    def notify(self, connection: Connection, what: ChangeKind, runs: Sequence[str]) -> None:
        connection.execute(
            text("SELECT pg_notify(:channel, :what || ' ' || run) FROM unnest(CAST(:runs AS text[])) AS run"),
            {"channel": CHANNEL, "what": what, "runs": list(runs)},
        )

    async def send_text(self, pieces: Sequence[TextDelta]) -> None:
        notices = [f"text {piece.run} {piece.model_dump_json()}" for piece in pieces]
        query = text("SELECT pg_notify(:channel, notice) FROM unnest(CAST(:notices AS text[])) AS notice")
        await self.write(lambda connection: connection.execute(query, {"channel": CHANNEL, "notices": notices}).close())

    async def listen(self) -> AsyncGenerator[StoreChange]:
        from psycopg import AsyncConnection as Line
        from psycopg import OperationalError

        address = self.address.replace("+psycopg", "", 1)
        while True:
            try:
                async with await Line.connect(address, autocommit=True, connect_timeout=10) as connection:
                    await connection.execute(f"LISTEN {CHANNEL}")
                    yield ANY_CHANGE
                    async for notice in connection.notifies():
                        what, _, rest = notice.payload.partition(" ")
                        run, _, text = rest.partition(" ")
                        yield StoreChange(cast(ChangeKind, what), run, text)
            except OperationalError:
                await anyio.sleep(1)

    def explain(self, error: DBAPIError | OSError) -> StoreError | None:
        from psycopg import OperationalError

        if isinstance(error, OSError) or isinstance(error.orig, OperationalError):
            url = make_url(self.address)
            reason = str(error.orig if isinstance(error, DBAPIError) else error).strip().splitlines()[0]
            return StoreError(
                f"The PostgreSQL database {url.database!r} on {url.host or 'this machine'} cannot be used: {reason}",
                "Start the server, or correct the `database` setting; `pilotfish doctor` checks it.",
            )
        return None


_FOLDER = "Give this account the right to write there, or choose another folder with PILOTFISH_HOME."
_SQLITE_SIGNS = (
    ("locked", "is held by another process", "Close what holds it (a database browser, a backup) and try again."),
    ("is full", "cannot grow: the disk is full", "Free some space and try again; nothing that was saved is lost."),
    ("readonly", "cannot be written", _FOLDER),
    ("unable to open", "cannot be opened", _FOLDER),
    ("not a database", "is not a database", "Move the file away and start again, or restore a backup of it."),
    ("already exists", "belongs to another program", "Move the file away, or choose another with `database`."),
    ("malformed", "is damaged", "Restore a backup, or save what can be read with `sqlite3 FILE .recover`."),
    ("disk i/o", "cannot be read or written: the disk reports an error", "Check the disk and its free space."),
)  # fmt: skip


def empty_log(path: Path) -> None:
    """Write the log of an SQLite database into it and empty it, if nobody reads for a moment.

    Where most of the file is free by now, it is written anew first, so that it becomes smaller.
    """
    with closing(connect(path, timeout=1)) as connection, suppress(OperationalError):
        free, every = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("freelist_count", "page_count"))
        if free > SPARE_PAGES and free > every / 2 and every - free < LARGE_PAGES:
            connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _begin_immediate(connection: Any) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


_HIGHEST = """SELECT coalesce((SELECT max(id) FROM events), 0), coalesce((SELECT max(id) FROM commands), 0),
    coalesce((SELECT max(rowid) FROM runs), 0)"""


def _read_position(connection: Connection) -> ChangePosition:
    return cast(ChangePosition, tuple(connection.exec_driver_sql(_HIGHEST).one()))


def _read_changes(seen: ChangePosition, connection: Connection) -> tuple[ChangePosition, list[StoreChange]]:
    """The changes since a position, and the new position."""
    reached = _read_position(connection)
    news = [StoreChange("runs")] if reached[2] != seen[2] else []
    growing: tuple[ChangeKind, ChangeKind] = ("events", "commands")
    for what, before, now in zip(growing, seen, reached, strict=False):
        if now != before:
            rows = connection.exec_driver_sql(f"SELECT DISTINCT run FROM {what} WHERE id > ?", (before,))
            news += [StoreChange(what, row[0]) for row in rows]
    return reached, news

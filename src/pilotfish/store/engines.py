"""The two engines, and everything in which they differ: opening, locking, waking listeners, explaining failures.

SQLite runs in WAL mode with `synchronous=NORMAL`: a killed process loses nothing that was committed; a power cut
may lose the last moments, never the file. PostgreSQL keeps its own defaults.
"""

import asyncio
import errno
import os
from collections.abc import AsyncGenerator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from sqlite3 import Error as SqliteError
from typing import Any, Protocol, TypeVar, cast

import anyio
from sqlalchemy import Connection, create_engine, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from pilotfish.core.errors import StoreError
from pilotfish.core.events import Delta
from pilotfish.core.records import News, What

CHANNEL = "pilotfish"
POLL = 0.05

EVERYTHING = News("all")
T = TypeVar("T")
Turn = asyncio.Lock | nullcontext[None]
Place = tuple[int, int, int]


class Engine(Protocol):
    """What the store asks of a database beyond SQL that both speak."""

    write: AsyncEngine
    read: AsyncEngine
    turn: Turn

    def prepare(self) -> None:
        """Make what must be there before a connection; OSError where that cannot be."""
        ...

    async def guard(self, connection: AsyncConnection) -> None:
        """Hold off every other process that would migrate or claim runs, until the transaction ends."""
        ...

    async def together(self, work: Callable[[Connection], T]) -> T:
        """A whole transaction in one go."""
        ...

    async def close(self) -> None: ...

    def notify(self, connection: Connection, what: What, runs: Sequence[str]) -> None:
        """Wake listeners when the transaction commits."""
        ...

    async def whisper(self, pieces: Sequence[Delta]) -> None:
        """Pass on text to listeners at other machines."""
        ...

    def listen(self) -> AsyncGenerator[News]:
        """What changed, in any process; everything at first and whenever something may have been missed."""
        ...

    def explain(self, error: DBAPIError | OSError) -> StoreError | None:
        """The sentence for a person, where it is theirs to mend."""
        ...


def engine(address: str) -> Engine:
    try:
        url = make_url(address)
    except ArgumentError as error:
        raise StoreError(
            "The database address cannot be read.", "Use postgresql://user@host/name, or leave `database` empty."
        ) from error
    if url.drivername == "sqlite":
        return Sqlite(Path(url.database or ""))
    if url.drivername in ("postgresql", "postgres"):
        return Postgres(url.set(drivername="postgresql+psycopg").render_as_string(hide_password=False))
    raise StoreError(f"Databases of the kind {url.drivername!r} are not known.", "Use sqlite:///… or postgresql://….")


class Sqlite:
    """A file. One connection writes, under SQLite's own lock across processes; others read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        address = f"sqlite+aiosqlite:///{path}"
        self.write = create_async_engine(address, pool_size=1, max_overflow=0, pool_timeout=60)
        self.read = create_async_engine(address, pool_size=4, isolation_level="AUTOCOMMIT")
        self.turn: Turn = asyncio.Lock()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="journal")
        self._quick = create_engine(f"sqlite:///{path}", pool_size=1, max_overflow=0)
        for each in (self.write.sync_engine, self.read.sync_engine, self._quick):
            event.listen(each, "connect", self._connected)
        for each in (self.write.sync_engine, self._quick):
            event.listen(each, "begin", _begin_immediate)

    def _connected(self, connection: Any, _record: Any) -> None:
        connection.isolation_level = None
        try:
            cursor = connection.cursor()
            for pragma in ("busy_timeout=5000", "journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"):
                cursor.execute(f"PRAGMA {pragma}")
            cursor.close()
        except SqliteError:
            # The pool forgets a connection that fails here, and its thread would stay.
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

    async def guard(self, connection: AsyncConnection) -> None:
        """Nothing to do: a writing transaction is alone from its first moment."""

    async def together(self, work: Callable[[Connection], T]) -> T:
        """By one way to a thread and back, where statement by statement would be nineteen: that is felt under load."""
        async with self.turn:
            return await asyncio.get_running_loop().run_in_executor(self._thread, self._done, work)

    def _done(self, work: Callable[[Connection], T]) -> T:
        with self._quick.begin() as connection:
            return work(connection)

    async def close(self) -> None:
        await self.write.dispose()
        await self.read.dispose()
        await asyncio.get_running_loop().run_in_executor(self._thread, self._quick.dispose)
        self._thread.shutdown()

    def notify(self, connection: Connection, what: What, runs: Sequence[str]) -> None:
        """Nothing to do: listeners see the file's version grow."""

    async def whisper(self, pieces: Sequence[Delta]) -> None:
        """Nothing to do: a file is on one machine."""

    async def listen(self) -> AsyncGenerator[News]:
        async with self.read.connect() as connection:
            version, seen = -1, (0, 0, 0)
            while True:
                current = (await connection.exec_driver_sql("PRAGMA data_version")).scalar_one()
                if version == -1:
                    seen = await _highest(connection)
                    yield EVERYTHING
                elif current != version:
                    reached = await _highest(connection)
                    for news in await _changed(connection, seen, reached):
                        yield news
                    seen = reached
                version = current
                await anyio.sleep(POLL)

    def explain(self, error: DBAPIError | OSError) -> StoreError | None:
        said = str(error.orig if isinstance(error, DBAPIError) else error).lower()
        for sign, what, fix in _SQLITE_SIGNS:
            if sign in said:
                return StoreError(f"The database {self.path} {what}.", fix)
        if isinstance(error, OSError):
            return StoreError(f"The database {self.path} cannot be opened: {error.strerror}.", _FOLDER)
        return None


class Postgres:
    """A server that several machines may share."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.write = create_async_engine(address, pool_size=5, pool_pre_ping=True, connect_args={"connect_timeout": 10})
        self.read = self.write.execution_options(isolation_level="AUTOCOMMIT")
        self.turn: Turn = nullcontext()

    def prepare(self) -> None:
        """Nothing to do: the server is there, or the first connection says that it is not."""

    async def guard(self, connection: AsyncConnection) -> None:
        await connection.execute(text("SELECT pg_advisory_xact_lock(7417)"))

    async def together(self, work: Callable[[Connection], T]) -> T:
        async with self.write.begin() as connection:
            return await connection.run_sync(work)

    async def close(self) -> None:
        await self.write.dispose()
        await self.read.dispose()

    def notify(self, connection: Connection, what: What, runs: Sequence[str]) -> None:
        connection.execute(
            text("SELECT pg_notify(:channel, :what || ' ' || run) FROM unnest(CAST(:runs AS text[])) AS run"),
            {"channel": CHANNEL, "what": what, "runs": list(runs)},
        )

    async def whisper(self, pieces: Sequence[Delta]) -> None:
        notices = [f"text {piece.run} {piece.model_dump_json()}" for piece in pieces]
        async with self.write.begin() as connection:
            await connection.execute(
                text("SELECT pg_notify(:channel, notice) FROM unnest(CAST(:notices AS text[])) AS notice"),
                {"channel": CHANNEL, "notices": notices},
            )

    async def listen(self) -> AsyncGenerator[News]:
        from psycopg import AsyncConnection as Line
        from psycopg import OperationalError

        address = self.address.replace("+psycopg", "", 1)
        while True:
            try:
                async with await Line.connect(address, autocommit=True, connect_timeout=10) as connection:
                    await connection.execute(f"LISTEN {CHANNEL}")
                    yield EVERYTHING
                    async for notice in connection.notifies():
                        what, _, told = notice.payload.partition(" ")
                        run, _, said = told.partition(" ")
                        yield News(cast(What, what), run, said)
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


def _begin_immediate(connection: Any) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


_HIGHEST = """SELECT coalesce((SELECT max(id) FROM events), 0), coalesce((SELECT max(id) FROM commands), 0),
    coalesce((SELECT max(rowid) FROM runs), 0)"""


async def _highest(connection: AsyncConnection) -> Place:
    return cast(Place, tuple((await connection.exec_driver_sql(_HIGHEST)).one()))


async def _changed(connection: AsyncConnection, seen: Place, reached: Place) -> list[News]:
    news = [News("runs")] if reached[2] != seen[2] else []
    if reached[0] != seen[0]:
        rows = await connection.exec_driver_sql("SELECT DISTINCT run FROM events WHERE id > ?", (seen[0],))
        news += [News("events", row[0]) for row in rows]
    if reached[1] != seen[1]:
        rows = await connection.exec_driver_sql("SELECT DISTINCT run FROM commands WHERE id > ?", (seen[1],))
        news += [News("commands", row[0]) for row in rows]
    return news

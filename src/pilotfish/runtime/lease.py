"""Shows which workers are alive: each holds a lock that the system or the database frees when the worker dies."""

import asyncio
import fcntl
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Protocol

from pilotfish.core.errors import StoreError


class Lease(Protocol):
    """Holds the lock of this worker, and checks the locks of others."""

    async def hold(self, worker: str) -> None: ...
    async def renew(self, worker: str) -> None: ...
    async def is_alive(self, worker: str) -> bool: ...
    async def close(self) -> None: ...


class FileLease:
    """For workers on one machine: a locked file each."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._held: IO[str] | None = None

    def _path(self, worker: str) -> Path:
        return self.folder / f"{worker}.lock"

    async def hold(self, worker: str) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        self._held = self._path(worker).open("w")
        fcntl.flock(self._held, fcntl.LOCK_EX | fcntl.LOCK_NB)

    async def renew(self, worker: str) -> None:
        """Nothing to do: a locked file cannot be lost."""

    async def is_alive(self, worker: str) -> bool:
        path = self._path(worker)
        if not path.exists():
            return False
        with path.open("r") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return True
        path.unlink(missing_ok=True)
        return False

    async def close(self) -> None:
        if self._held is not None:
            Path(self._held.name).unlink(missing_ok=True)
            self._held.close()
            self._held = None


class DatabaseLease:
    """For workers on many machines: an advisory lock of PostgreSQL each, bound to an open connection.

    TCP keepalives let the server notice within seconds that a machine is gone.
    """

    LOCK = "select pg_advisory_lock(hashtextextended('pilotfish:' || %s, 0))"
    TRY = "select pg_try_advisory_lock(hashtextextended('pilotfish:' || %s, 0))"
    FREE = "select pg_advisory_unlock(hashtextextended('pilotfish:' || %s, 0))"
    SIGNS = "-c tcp_keepalives_idle=2 -c tcp_keepalives_interval=1 -c tcp_keepalives_count=3"
    PATIENCE = 3.0

    def __init__(self, url: str) -> None:
        import psycopg

        self.url = url
        self._connection: psycopg.AsyncConnection | None = None

    async def hold(self, worker: str) -> None:
        import psycopg

        with _explain_database_errors():
            self._connection = await psycopg.AsyncConnection.connect(
                self.url, autocommit=True, connect_timeout=10, options=self.SIGNS, keepalives_idle=2
            )
            await self._connection.execute(self.LOCK, [worker])

    async def renew(self, worker: str) -> None:
        """Check that the lock is still held; take it again if the connection broke."""
        import psycopg

        if self._connection is not None:
            try:
                async with asyncio.timeout(self.PATIENCE):
                    await self._connection.execute("select 1")
                return
            except (psycopg.OperationalError, TimeoutError):
                await self.close()
        await self.hold(worker)

    async def is_alive(self, worker: str) -> bool:
        if self._connection is None:
            return False
        with _explain_database_errors():
            got = await (await self._connection.execute(self.TRY, [worker])).fetchone()
            if not got or not got[0]:
                return True
            await self._connection.execute(self.FREE, [worker])
        return False

    async def close(self) -> None:
        if self._connection is not None:
            await self._connection.close()
            self._connection = None


@contextmanager
def _explain_database_errors() -> Generator[None]:
    import psycopg

    try:
        yield
    except psycopg.OperationalError as error:
        raise StoreError(f"PostgreSQL cannot be reached: {error}.", "Check the `database` setting.") from error

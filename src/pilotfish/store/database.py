"""Opens the store: makes or migrates the tables, and refuses a database that is newer than this code."""

from pathlib import Path
from typing import Self

from sqlalchemy import Connection, inspect, text

from pilotfish.core.errors import StoreError
from pilotfish.core.settings import Settings
from pilotfish.store import tables
from pilotfish.store.engines import make_engine
from pilotfish.store.memories import SqlMemoryBackend
from pilotfish.store.notices import SqlNoticeStore
from pilotfish.store.run_claims import SqlRunClaimStore
from pilotfish.store.runs import SqlRunStore
from pilotfish.store.schedules import SqlScheduleStore
from pilotfish.store.settings_backend import SqlSettingsBackend


class Database(SqlRunStore, SqlScheduleStore, SqlRunClaimStore, SqlSettingsBackend, SqlMemoryBackend, SqlNoticeStore):
    """The store over SQLite or PostgreSQL. `async with await Database.open(address) as store: …`"""

    @classmethod
    async def open(cls, address: str) -> Self:
        """Open the database at `sqlite:///path` or `postgresql://…`, bringing it up to date."""
        store = cls(make_engine(address))
        try:
            await store._prepare()
        except BaseException:
            await store.close()
            raise
        return store

    async def clear_log(self) -> None:
        """Leave nothing of what was deleted in the database's log of changes."""
        await self.engine.clear_log()

    async def close(self) -> None:
        await self.engine.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _prepare(self) -> None:
        with self.explain_errors():
            self.engine.prepare()
        if await self.read(migration_version) == tables.HEAD:
            return

        def work(connection: Connection) -> None:
            self.engine.guard(connection)
            migrate_tables(connection)

        await self.write(work)


def database_address(settings: Settings) -> str:
    """Where the settings say that the database is."""
    return settings.database or f"sqlite:///{settings.home / 'pilotfish.db'}"


def migration_version(connection: Connection) -> str:
    """The last migration that the database has seen."""
    if not inspect(connection).has_table("alembic_version"):
        return ""
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar() or ""


def migrate_tables(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    current = migration_version(connection)
    if current and current not in known:
        raise StoreError(
            f"The database is newer (step {current}) than this version of Pilotfish (step {tables.HEAD}).",
            "Upgrade Pilotfish, or use another folder with PILOTFISH_HOME.",
        )
    command.upgrade(config, "head")

"""Gives a new SQLite home databases that were made once: migrating them takes most of the time of opening an app."""

import shutil
import tempfile
from functools import cache
from pathlib import Path

import pytest
from dbos import run_dbos_database_migrations

from pilotfish.store.database import Database

SQLITE = "sqlite:///"
ENGINE, STORE = "engine.db", "pilotfish.db"


class PreparedDatabases:
    """Stands in for `Database.open`, which it calls on a copy of the databases that the first call made."""

    used = True
    """Tests about making and migrating databases switch it off."""

    def __init__(self) -> None:
        self._open = Database.open
        self._made = False

    async def open(self, address: str) -> Database:
        file = Path(address.removeprefix(SQLITE))
        if self.used and address.startswith(SQLITE) and file.name == STORE and not file.exists():
            await self._fill(file.parent)
        return await self._open(address)

    async def _fill(self, home: Path) -> None:
        if not self._made:
            await (await self._open(f"{SQLITE}{_folder() / STORE}")).close()
            run_dbos_database_migrations(f"{SQLITE}{_folder() / ENGINE}")
            self._made = True
        home.mkdir(parents=True, exist_ok=True, mode=0o700)
        for name in (STORE, ENGINE):
            if not (home / name).exists():
                shutil.copy(_folder() / name, home)


@cache
def _folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="pilotfish-databases-"))


def pytest_configure() -> None:
    pytest.MonkeyPatch().setattr(Database, "open", PreparedDatabases().open)


def pytest_unconfigure() -> None:
    if _folder.cache_info().currsize:
        shutil.rmtree(_folder())

import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from pilotfish.core.errors import StoreError
from pilotfish.core.records import RunRecord
from pilotfish.store import tables
from pilotfish.store.database import Database


async def test_the_migrations_make_exactly_the_tables_that_the_code_uses(database_url: str) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    def differences(connection: Connection) -> list[object]:
        return compare_metadata(MigrationContext.configure(connection, opts={"compare_type": True}), tables.metadata)

    async with await Database.open(database_url) as store:
        assert await store.read(differences) == []


def test_the_code_names_the_last_migration() -> None:
    from alembic.script import ScriptDirectory

    folder = Path(tables.__file__).parent / "migrations"
    assert ScriptDirectory(str(folder)).get_current_head() == tables.HEAD


async def test_a_database_that_is_newer_than_the_code_is_left_alone(database_url: str) -> None:
    async with await Database.open(database_url) as store:
        await store.execute(text("UPDATE alembic_version SET version_num = '9999'"))

    with pytest.raises(StoreError, match="newer") as caught:
        await Database.open(database_url)
    assert "Upgrade" in caught.value.fix


async def test_a_migration_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE blobs (mine)")
    other.close()

    with pytest.raises(StoreError, match="belongs to another program"):
        await Database.open(f"sqlite:///{path}")

    other = sqlite3.connect(path)
    assert [row[0] for row in other.execute("SELECT name FROM sqlite_master")] == ["blobs"]
    other.close()


async def test_an_older_database_is_brought_up_to_date_with_what_it_holds(database_url: str) -> None:
    async with await Database.open(database_url) as store:
        await store.create(RunRecord(id="r", user="u", conversation="c", task="t", loop="chat"))
        await store.put("run_file", "r/chart.txt", b"a file")
        await store.put("session", "c", b"tabs")
        for step in (
            "ALTER TABLE runs DROP COLUMN labels",
            "DROP TABLE fires",
            "DROP TABLE schedules",
            "DROP TABLE notices",
            "DROP TABLE facts",
            "DROP INDEX ix_events_type_id",
            "UPDATE alembic_version SET version_num = '0001'",
        ):
            await store.execute(text(step))

    async with await Database.open(database_url) as store:
        assert await store.run("r") is not None
        assert await store.facts("u") == ([], 0)
        assert await store.entries("file") == {"conversations/c/browser.json": b"tabs", "runs/r/chart.txt": b"a file"}

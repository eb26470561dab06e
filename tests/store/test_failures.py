import asyncio
import sqlite3
from pathlib import Path

import anyio
import pytest
from sqlalchemy import Connection, text

from pilotfish.core.errors import StoreError
from pilotfish.core.events import Noted
from pilotfish.core.records import RunRecord, StoreChange
from pilotfish.core.settings import Settings
from pilotfish.store import tables
from pilotfish.store.database import Database, database_address

RUN = RunRecord(id="r", user="u", conversation="c", task="t", loop="chat")


def big(n: int) -> Noted:
    return Noted(run="r", topic="t", text="x" * n)


@pytest.mark.slow
async def test_a_database_that_another_process_holds_is_named_with_the_way_out(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    async with await Database.open(f"sqlite:///{path}") as store:
        await store.create(RUN)
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")

        with pytest.raises(StoreError, match=r"store\.db is held by another process") as caught:
            await store.append([big(1)])
        other.execute("COMMIT")
        other.close()

        assert "Close what holds it" in caught.value.fix
        assert (await store.append([big(1)]))[0].event.seq == 1


async def test_on_a_full_disk_the_append_fails_whole_and_works_again_when_there_is_room(tmp_path: Path) -> None:
    async with await Database.open(f"sqlite:///{tmp_path / 'store.db'}") as store:
        await store.create(RUN)
        await store.append([big(10)])
        await _limit(store, 60)

        with pytest.raises(StoreError, match="the disk is full"):
            await store.append([big(10), big(1_000_000)])
        await _limit(store, 1_000_000)

        assert [event.seq for event in await store.events("r")] == [1]
        assert (await store.append([big(1_000_000)]))[0].event.seq == 2


async def _limit(store: Database, pages: int) -> None:
    await store.write(lambda connection: connection.execute(text(f"PRAGMA max_page_count={pages}")).close())


async def test_a_file_that_is_no_database_is_said_to_be_none(tmp_path: Path) -> None:
    (tmp_path / "store.db").write_bytes(b"This is a shopping list. " * 100)

    with pytest.raises(StoreError, match="is not a database"):
        await Database.open(f"sqlite:///{tmp_path / 'store.db'}")


async def test_a_folder_that_cannot_be_made_is_named_with_the_way_out(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(StoreError, match="cannot be opened") as caught:
        await Database.open(f"sqlite:///{tmp_path / 'file' / 'home' / 'store.db'}")
    assert "PILOTFISH_HOME" in caught.value.fix


async def test_a_database_in_the_place_of_a_folder_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be opened"):
        await Database.open(f"sqlite:///{tmp_path}")


@pytest.mark.parametrize("bad", ["mysql://x/y", "no address"])
async def test_an_address_of_another_kind_is_refused(bad: str) -> None:
    with pytest.raises(StoreError) as caught:
        await Database.open(bad)
    assert "postgresql://" in caught.value.fix


async def test_a_server_that_does_not_answer_is_named_without_its_password() -> None:
    with pytest.raises(StoreError, match=r"'shop' on 127\.0\.0\.1 cannot be used") as caught:
        await Database.open("postgresql://ann:hunter2@127.0.0.1:1/shop")
    assert "hunter2" not in str(caught.value)
    assert caught.value.fix


async def test_a_new_database_is_readable_by_its_owner_alone(tmp_path: Path) -> None:
    home = tmp_path / "home"
    async with await Database.open(database_address(Settings(home=home))):
        assert (home / "pilotfish.db").stat().st_mode & 0o077 == 0
        assert home.stat().st_mode & 0o077 == 0


@pytest.mark.slow
async def test_a_listener_and_a_writer_survive_a_lost_connection(postgres_url: str) -> None:
    cut = text(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    async with await Database.open(postgres_url) as here, await Database.open(postgres_url) as there:
        await here.create(RUN)
        changes = here.listen()
        with anyio.fail_after(30):
            assert await anext(changes) == StoreChange("all")
            await there.rows(cut)

            assert await anext(changes) == StoreChange("all")
            await here.append([big(1)])
            assert await anext(changes) == StoreChange("events", "r")
        await changes.aclose()


async def test_a_caller_who_leaves_in_the_middle_breaks_no_transaction(database_url: str) -> None:
    count = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000) SELECT max(i) FROM n"
    loop, begun = asyncio.get_running_loop(), asyncio.Event()
    async with await Database.open(database_url) as store:

        def work(connection: Connection) -> None:
            store.enter(connection, RUN)
            loop.call_soon_threadsafe(begun.set)
            connection.execute(text(count)).close()
            connection.execute(store.replace(tables.blobs), {"kind": "k", "key": "late", "value": b"done"})

        caller = asyncio.create_task(store.write(work))
        with anyio.fail_after(30):
            await begun.wait()
            caller.cancel()
            with pytest.raises(asyncio.CancelledError):
                await caller
            while await store.get("k", "late") is None:
                await anyio.sleep(0.01)

            assert await store.run("r") is not None
            assert (await store.append([big(1)]))[0].event.seq == 1

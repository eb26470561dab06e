"""Deleting means everywhere, and what the settings do not keep is deleted by itself."""

import sqlite3
from pathlib import Path

from pilotfish.app import Pilotfish, loop
from pilotfish.core.settings import ModelSettings, RetentionSettings, Settings
from pilotfish.runtime.engine import EngineConnection
from pilotfish.runtime.run import Run
from pilotfish.services.retention import apply_retention

MARK = "marlinspike-4711"


@loop("test-telling")
async def answer_with_file(run: Run) -> None:
    """Say what the model says, and leave a file."""
    reply = await run.ask(run.messages, purpose="answer")
    (run.folder / "note.txt").write_text(reply.text)
    await run.finish(reply.text)


def make_app(home: Path, **keep: float) -> Pilotfish:
    models = ModelSettings(main="scripted")
    return Pilotfish(Settings(home=home, models=models, retention=RetentionSettings.model_validate(keep)))


async def run_to_end(fish: Pilotfish, task: str) -> str:
    record = await fish.start(task, loop="test-telling")
    async for _ in fish.follow(record.id):
        pass
    return record.id


def traces(home: Path) -> list[str]:
    return [path.name for path in home.rglob("*") if path.is_file() and MARK.encode() in path.read_bytes()]


async def test_nothing_of_a_deleted_run_is_left_in_any_file(tmp_path: Path) -> None:
    async with make_app(tmp_path) as fish:
        run = await run_to_end(fish, f"Repeat {MARK}")
        assert traces(tmp_path), "it was there before"
        await fish.delete(run)
    assert traces(tmp_path) == []


async def test_nothing_of_a_conversation_is_left_that_is_deleted_without_an_engine(tmp_path: Path) -> None:
    async with make_app(tmp_path) as fish:
        run = await run_to_end(fish, f"Repeat {MARK}")
        conversation = (await fish.record(run)).conversation
        await super(Pilotfish, fish).delete_conversation(conversation)
    assert traces(tmp_path) == []


async def test_database_files_can_be_read_by_their_owner_alone(tmp_path: Path) -> None:
    (tmp_path / "engine.db").touch(mode=0o644)
    async with make_app(tmp_path) as fish:
        await run_to_end(fish, "Hello")
        modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.glob("*.db*")}
    assert len(modes) >= 2 and set(modes.values()) == {0o600}, modes


async def test_runs_older_than_the_settings_keep_them_are_deleted(tmp_path: Path) -> None:
    async with make_app(tmp_path, days=1e-9) as fish:
        await run_to_end(fish, "Hello")
        assert await apply_retention(fish) == 1
        assert await fish.runs() == []


async def test_the_oldest_runs_are_deleted_while_files_take_too_much_room(tmp_path: Path) -> None:
    async with make_app(tmp_path, megabytes=0.001) as fish:
        old = await run_to_end(fish, "x" * 700)
        new = await run_to_end(fish, "y" * 700)
        assert await apply_retention(fish) == 1
        assert [run.id for run in await fish.runs()] == [new] != [old]


def test_an_old_sqlite_tells_the_engine_the_time_all_the_same(tmp_path: Path) -> None:
    connection = EngineConnection(tmp_path / "engine.db")
    connection.execute("create table ticks (at real default (unixepoch('subsec') * 1000), n integer)")
    connection.execute("insert into ticks (n) values (1)")
    [(at,)] = connection.execute("select at from ticks").fetchall()
    assert connection.execute("select unixepoch('subsec')").fetchone()[0]
    connection.close()
    assert at and at > 1.7e12, sqlite3.sqlite_version

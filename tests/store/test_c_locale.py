"""A PostgreSQL database that was made in the C locale, as servers without a locale make it, serves like any other."""

from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from pilotfish.app import Pilotfish, loop
from pilotfish.core.settings import ModelSettings, Settings
from pilotfish.runtime.run import Run


@loop("test-repeating")
async def repeat_reply(run: Run) -> None:
    """Say what the model says."""
    await run.finish((await run.ask(run.messages, purpose="answer")).text)


@pytest.mark.slow
async def test_a_run_with_letters_of_all_kinds_is_done_read_and_deleted(postgres_server: str, tmp_path: Path) -> None:
    name = f"plain_{uuid4().hex}"
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        made = f"CREATE DATABASE {name} ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0"
        connection.execute(made.encode())
    database = postgres_server.replace("/postgres?", f"/{name}?", 1)
    settings = Settings(home=tmp_path, database=database, models=ModelSettings(main="scripted"))
    async with Pilotfish(settings) as fish:
        run = await fish.start("Fährt die Fähre nach Føhr? 渡し船", loop="test-repeating")
        async for _ in fish.follow(run.id):
            pass
        assert (await fish.record(run.id)).answer == "Fährt die Fähre nach Føhr? 渡し船"
        await fish.delete(run.id)
        assert await fish.runs() == []

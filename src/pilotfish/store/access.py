"""Runs reads and transactions for the parts of the store, and explains failures in words."""

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Connection, Executable, Insert, Row, Table
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from pilotfish.core.errors import StoreError
from pilotfish.store.engines import DatabaseEngine, SqliteEngine, T

Values = Mapping[str, Any]
Where = Callable[[Any], ColumnElement[bool]]


class StoreAccess:
    """Reads and writes over one engine. Each access is a plain function that takes a connection.

    It runs in another thread or task: cancelling the caller does not break it. Fetch rows before it returns.
    """

    def __init__(self, engine: DatabaseEngine) -> None:
        self.engine = engine

    async def read(self, work: Callable[[Connection], T]) -> T:
        with self.explain_errors():
            return await self.engine.read(work)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Run a function in one transaction."""
        with self.explain_errors():
            return await self.engine.write(work)

    async def rows(self, query: Executable, values: Values | None = None) -> Sequence[Row[Any]]:
        """The rows of one query."""
        return await self.read(lambda connection: connection.execute(query, values).all())

    async def execute(self, query: Executable, values: Values | Sequence[Values] | None = None) -> int:
        """Run one changing statement; returns the number of rows."""
        return await self.write(lambda connection: connection.execute(query, values).rowcount)

    @contextmanager
    def explain_errors(self) -> Generator[None]:
        try:
            yield
        except (DBAPIError, OSError) as error:
            known = self.engine.explain(error)
            if known is None:
                raise
            raise known from error
        except PoolTimeout as error:
            raise StoreError("The database has been busy for a minute.", "Run fewer tasks at once.") from error

    def add(self, table: Table) -> Insert:
        """Make an insert that leaves existing rows as they are."""
        return _insert_new(self._dialect, table)

    def replace(self, table: Table, where: Where | None = None) -> Insert:
        """Make an insert that replaces the row of the same primary key where `where`, given the new row, allows it."""
        return _insert_or_replace(self._dialect, table, where)

    @property
    def _dialect(self) -> Any:
        if isinstance(self.engine, SqliteEngine):
            return sqlite
        from sqlalchemy.dialects import postgresql

        return postgresql


# Cached: building a statement takes longer than running it.
@cache
def _insert_new(dialect: Any, table: Table) -> Insert:
    return dialect.insert(table).on_conflict_do_nothing()


@cache
def _insert_or_replace(dialect: Any, table: Table, where: Where | None) -> Insert:
    query = dialect.insert(table)
    keys = [column.name for column in table.primary_key]
    fresh = {column.name: query.excluded[column.name] for column in table.columns if column.name not in keys}
    allowed = None if where is None else where(query.excluded)
    return query.on_conflict_do_update(index_elements=keys, set_=fresh, where=allowed)

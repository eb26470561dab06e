"""The ground the store's parts stand on: transactions that say in words what went wrong."""

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Connection, Executable, Insert, Row, Table
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from pilotfish.core.errors import StoreError
from pilotfish.store.engines import Engine, Sqlite, T

Values = Mapping[str, Any]
Where = Callable[[Any], ColumnElement[bool]]


class Access:
    """Reads and writes over one engine. What is done to the database is a plain function over a connection.

    It runs elsewhere than its caller, who may leave without breaking it; rows must be fetched before it returns.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    async def read(self, work: Callable[[Connection], T]) -> T:
        with self.explained():
            return await self.engine.read(work)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """One transaction: all of it, or none."""
        with self.explained():
            return await self.engine.write(work)

    async def rows(self, query: Executable, values: Values | None = None) -> Sequence[Row[Any]]:
        """What one query finds."""
        return await self.read(lambda connection: connection.execute(query, values).all())

    async def alter(self, query: Executable, values: Values | Sequence[Values] | None = None) -> int:
        """Change by one statement; says how many rows."""
        return await self.write(lambda connection: connection.execute(query, values).rowcount)

    @contextmanager
    def explained(self) -> Generator[None]:
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
        """An insert that leaves what is already there."""
        return _adding(self._dialect, table)

    def replace(self, table: Table, where: Where | None = None) -> Insert:
        """An insert that replaces what has the same primary key, where the new row, given to `where`, may."""
        return _replacing(self._dialect, table, where)

    @property
    def _dialect(self) -> Any:
        if isinstance(self.engine, Sqlite):
            return sqlite
        from sqlalchemy.dialects import postgresql

        return postgresql


# Made once, as all statements are that are wanted often: to put one together takes longer than to run it.
@cache
def _adding(dialect: Any, table: Table) -> Insert:
    return dialect.insert(table).on_conflict_do_nothing()


@cache
def _replacing(dialect: Any, table: Table, where: Where | None) -> Insert:
    query = dialect.insert(table)
    keys = [column.name for column in table.primary_key]
    fresh = {column.name: query.excluded[column.name] for column in table.columns if column.name not in keys}
    allowed = None if where is None else where(query.excluded)
    return query.on_conflict_do_update(index_elements=keys, set_=fresh, where=allowed)

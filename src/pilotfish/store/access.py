"""The ground the store's parts stand on: transactions that say in words what went wrong."""

from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

from sqlalchemy import ColumnElement, Insert, Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection

from pilotfish.core.errors import StoreError
from pilotfish.store.engines import Engine, Sqlite


class Access:
    """Reads and writes over one engine."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    @asynccontextmanager
    async def writing(self) -> AsyncGenerator[AsyncConnection]:
        """One transaction: all of it, or none."""
        with self.explained():
            async with self.engine.turn, self.engine.write.begin() as connection:
                yield connection

    @asynccontextmanager
    async def reading(self) -> AsyncGenerator[AsyncConnection]:
        with self.explained():
            async with self.engine.read.connect() as connection:
                yield connection

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
        return self._dialect.insert(table).on_conflict_do_nothing()

    def replace(self, table: Table, where: Callable[[Any], ColumnElement[bool]] | None = None) -> Insert:
        """An insert that replaces what has the same primary key, where the new row, given to `where`, may."""
        query = self._dialect.insert(table)
        keys = [column.name for column in table.primary_key]
        fresh = {column.name: query.excluded[column.name] for column in table.columns if column.name not in keys}
        allowed = None if where is None else where(query.excluded)
        return query.on_conflict_do_update(index_elements=keys, set_=fresh, where=allowed)

    @property
    def _dialect(self) -> Any:
        return sqlite if isinstance(self.engine, Sqlite) else postgresql

"""Settings that people changed while it runs, with who and when; and small blobs that may expire."""

import json
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from sqlalchemy import delete, func, insert, or_, select

from pilotfish.core.events import now
from pilotfish.store import tables
from pilotfish.store.access import Access
from pilotfish.store.base import Change
from pilotfish.store.config import check, masked


class Shelf(Access):
    """Versioned settings, and values by (kind, key)."""

    async def settings(self) -> Mapping[str, Any]:
        """What is set now, by path such as `agent.steps`. Secrets are in the clear: for `config.load` alone."""
        table = tables.settings
        newest = select(func.max(table.c.id)).group_by(table.c.path)
        query = select(table).where(table.c.id.in_(newest), table.c.value.is_not(None)).order_by(table.c.path)
        return {row.path: json.loads(row.value) for row in await self.rows(query)}

    async def set_setting(self, path: str, value: Any, by: str) -> Change:
        """Set, or with None take back, one setting; refuses what `config.load` could not read."""
        check(path, value)
        at = now()
        row = {"path": path, "value": None if value is None else json.dumps(value), "by": by, "at": at}
        query = insert(tables.settings).values(row).returning(tables.settings.c.id)
        version = await self.write(lambda connection: connection.execute(query).scalar_one())
        return Change(version=version, path=path, value=masked(path, value), by=by, at=at)

    async def setting_history(self, path: str = "") -> list[Change]:
        """Every change, newest first."""
        query = select(tables.settings).order_by(tables.settings.c.id.desc())
        if path:
            query = query.where(tables.settings.c.path == path)
        return [
            Change(
                version=row.id,
                path=row.path,
                value=row.value and masked(row.path, json.loads(row.value)),
                by=row.by,
                at=row.at,
            )
            for row in await self.rows(query)
        ]

    async def put(self, kind: str, key: str, value: bytes, ttl: float | None = None) -> None:
        """Keep a value for `ttl` seconds, or until it is dropped."""
        expires = None if ttl is None else now() + timedelta(seconds=ttl)
        await self.alter(self.replace(tables.blobs), {"kind": kind, "key": key, "value": value, "expires": expires})

    async def get(self, kind: str, *keys: str) -> bytes | None:
        """The value of the first of these keys that has one."""
        table = tables.blobs
        query = select(table.c.key, table.c.value).where(table.c.kind == kind, table.c.key.in_(keys), _alive())
        found = {row.key: row.value for row in await self.rows(query)}
        return next((found[key] for key in keys if key in found), None)

    async def entries(self, kind: str, prefix: str = "") -> dict[str, bytes]:
        table = tables.blobs
        query = select(table.c.key, table.c.value).where(table.c.kind == kind, _alive()).order_by(table.c.key)
        if prefix:
            query = query.where(table.c.key.startswith(prefix, autoescape=True))
        return {row.key: row.value for row in await self.rows(query)}

    async def drop(self, kind: str, key: str) -> bool:
        return await self.alter(delete(tables.blobs).where(tables.blobs.c.kind == kind, tables.blobs.c.key == key)) > 0

    async def expire(self) -> int:
        """Delete what has expired; says how many."""
        return await self.alter(delete(tables.blobs).where(tables.blobs.c.expires <= now()))


def _alive() -> Any:
    return or_(tables.blobs.c.expires.is_(None), tables.blobs.c.expires > now())

"""Stores settings changed at run time, with who and when, and small values by kind and key, which may expire."""

import json
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from sqlalchemy import bindparam, delete, func, insert, or_, select

from pilotfish.core.events import current_time
from pilotfish.core.settings import present_path
from pilotfish.store import tables
from pilotfish.store.access import StoreAccess
from pilotfish.store.base import SettingChange
from pilotfish.store.settings_reader import accept_path, check_setting, mask_value


class SqlSettingsBackend(StoreAccess):
    """Versioned settings, and values by (kind, key)."""

    async def settings(self) -> Mapping[str, Any]:
        """What is set now, by path such as `agent.steps`. Secrets are in the clear: for `load_settings` alone."""
        latest = {present_path(row.path): row.value for row in await self.rows(_SETTINGS)}
        return {path: json.loads(value) for path, value in sorted(latest.items()) if value is not None}

    async def set_setting(self, path: str, value: Any, by: str) -> SettingChange:
        """Set one setting, or with None unset it; refuses what `load_settings` could not read."""
        path = accept_path(path, f"set by {by}")
        check_setting(path, value)
        at = current_time()
        row = {"path": path, "value": None if value is None else json.dumps(value), "by": by, "at": at}
        query = insert(tables.settings).values(row).returning(tables.settings.c.id)
        version = await self.write(lambda connection: connection.execute(query).scalar_one())
        return SettingChange(version=version, path=path, value=mask_value(path, value), by=by, at=at)

    async def setting_history(self, path: str = "") -> list[SettingChange]:
        """Every change, newest first."""
        query = select(tables.settings).order_by(tables.settings.c.id.desc())
        return [
            SettingChange(
                version=row.id,
                path=present,
                value=row.value and mask_value(present, json.loads(row.value)),
                by=row.by,
                at=row.at,
            )
            for row in await self.rows(query)
            if (present := present_path(row.path)) and path in ("", present, row.path)
        ]

    async def put(self, kind: str, key: str, value: bytes, ttl: float | None = None) -> None:
        """Keep a value for `ttl` seconds, or until it is dropped."""
        expires = None if ttl is None else current_time() + timedelta(seconds=ttl)
        await self.execute(self.replace(tables.blobs), {"kind": kind, "key": key, "value": value, "expires": expires})

    async def get(self, kind: str, *keys: str) -> bytes | None:
        """The value of the first of these keys that has one."""
        rows = await self.rows(_BLOBS, {"kind": kind, "keys": keys, "now": current_time()})
        found = {row.key: row.value for row in rows}
        return next((found[key] for key in keys if key in found), None)

    async def entries(self, kind: str, prefix: str = "") -> dict[str, bytes]:
        table = tables.blobs
        query = _KIND.where(table.c.key.startswith(prefix, autoescape=True)) if prefix else _KIND
        return {row.key: row.value for row in await self.rows(query, {"kind": kind, "now": current_time()})}

    async def list_keys(self, kind: str, prefix: str = "") -> list[str]:
        """The keys of a kind, without reading their values."""
        table = tables.blobs
        query = _KIND.with_only_columns(table.c.key).where(table.c.key.startswith(prefix, autoescape=True))
        return [row.key for row in await self.rows(query, {"kind": kind, "now": current_time()})]

    async def drop(self, kind: str, key: str) -> bool:
        return (
            await self.execute(delete(tables.blobs).where(tables.blobs.c.kind == kind, tables.blobs.c.key == key)) > 0
        )

    async def drop_all(self, kind: str, prefix: str = "") -> int:
        """Drop the values of a kind whose keys begin so; returns how many."""
        below = tables.blobs.c.key.startswith(prefix, autoescape=True)
        return await self.execute(delete(tables.blobs).where(tables.blobs.c.kind == kind, below))

    async def expire(self) -> int:
        """Delete expired blobs; returns how many."""
        return await self.execute(delete(tables.blobs).where(tables.blobs.c.expires <= current_time()))


_SETTINGS = (
    select(tables.settings)
    .where(tables.settings.c.id.in_(select(func.max(tables.settings.c.id)).group_by(tables.settings.c.path)))
    .order_by(tables.settings.c.id)
)
_KIND = (
    select(tables.blobs.c.key, tables.blobs.c.value)
    .where(tables.blobs.c.kind == bindparam("kind"))
    .where(or_(tables.blobs.c.expires.is_(None), tables.blobs.c.expires > bindparam("now")))
    .order_by(tables.blobs.c.key)
)
_BLOBS = _KIND.where(tables.blobs.c.key.in_(bindparam("keys", expanding=True)))

"""Users and their tokens. Of a token only a digest is kept; the local admin's lies in the home folder, for its owner.

Both are values of the store: `user/ID`, and `token/DIGEST`, which may expire.
"""

import hashlib
import hmac
import os
import re
import secrets
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pilotfish.core.errors import PersonError
from pilotfish.core.events import current_time
from pilotfish.core.records import Command
from pilotfish.core.users import LOCAL, Role, TokenRecord, User

if TYPE_CHECKING:
    from pilotfish.store.base import Store

MOST_RUNS = 10_000
NAME = re.compile(r"[\w.@+-][\w .@+-]{0,63}")
OWNER = User(id=LOCAL, name=LOCAL, role="admin")


class UserDirectory:
    """Adds, lists and removes users, and finds a user by a token."""

    def __init__(self, store: "Store", home: Path) -> None:
        self.store = store
        self._file = home / "token"
        self._read = (0, "")
        self.listeners: set[Callable[[], Awaitable[None]]] = set()

    @property
    def local_token(self) -> str:
        """The local admin's token, created at first use and readable by the owner of the home folder only."""
        # Every request needs it, so the file is read again only if it was changed.
        try:
            written = self._file.stat().st_mtime_ns
        except FileNotFoundError:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with os.fdopen(os.open(self._file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
                file.write(_token())
            written = self._file.stat().st_mtime_ns
        if written != self._read[0]:
            self._read = (written, self._file.read_text().strip())
        return self._read[1]

    async def add(self, name: str, role: Role = "member") -> User:
        name = name.strip()
        if not NAME.fullmatch(name):
            raise PersonError("That cannot be a user's name.", "Use letters, digits, spaces and any of . _ @ + -")
        if name in {user.name for user in await self.all()}:
            raise PersonError(f"There is a user named {name} already.", "Choose another name.")
        user = User(id=secrets.token_hex(6), name=name, role=role)
        await self.store.put("user", user.id, user.model_dump_json().encode())
        return user

    async def all(self) -> list[User]:
        kept = await self.store.entries("user")
        return [OWNER, *sorted(map(User.model_validate_json, kept.values()), key=lambda user: user.name)]

    async def get(self, id: str) -> User | None:
        if id == LOCAL:
            return OWNER
        kept = await self.store.get("user", id)
        return None if kept is None else User.model_validate_json(kept)

    async def remove(self, id: str) -> bool:
        """Remove a user's access, secrets, logins, shortcuts, browsers and schedules and stop their runs."""
        for schedule in await self.store.schedules(id):
            await self.store.delete_schedule(schedule.id)
        for kind in ("secret", "login", "shortcut", "push"):
            for key in await self.store.entries(kind, f"{id}:"):
                await self.store.drop(kind, key)
        for digest, grant in (await self._grants()).items():
            if grant.user == id:
                await self.store.drop("token", digest)
        known = await self.store.drop("user", id)
        await self._notify_listeners()
        for run in await self.store.runs(user=id, limit=MOST_RUNS) if known else ():
            if run.state != "ended":
                await self.store.send(Command(run=run.id, verb="stop", by=LOCAL))
        return known

    async def _notify_listeners(self) -> None:
        """Notify listeners, which keep connections open, that a token may have been revoked."""
        for listener in list(self.listeners):
            await listener()

    async def grant(
        self,
        user: str,
        name: str,
        *,
        kind: Literal["api", "session", "extension"] = "api",
        ttl: float | None = None,
        origin: str = "",
    ) -> tuple[TokenRecord, str]:
        """Issue a token; return its record and the token itself, which is shown only now."""
        token = _token()
        digest = _digest(token)
        expires = None if ttl is None else current_time() + timedelta(seconds=ttl)
        grant = TokenRecord(id=digest[:12], user=user, name=name, kind=kind, origin=origin, expires=expires)
        await self.store.put("token", digest, grant.model_dump_json().encode(), ttl)
        return grant, token

    async def grants(self, user: str) -> list[TokenRecord]:
        return sorted((g for g in (await self._grants()).values() if g.user == user), key=lambda grant: grant.created)

    async def revoke(self, user: str, id: str) -> bool:
        for digest, grant in (await self._grants()).items():
            if grant.user == user and grant.id == id:
                known = await self.store.drop("token", digest)
                await self._notify_listeners()
                return known
        return False

    async def revoke_token(self, token: str) -> bool:
        """Revoke one token by its value."""
        known = await self.store.drop("token", _digest(token))
        await self._notify_listeners()
        return known

    async def find_by_token(self, token: str) -> User | None:
        """The user of a token; None if it is not valid."""
        if not token:
            return None
        if hmac.compare_digest(token.encode(), self.local_token.encode()):
            return OWNER
        record = await self.token_record(token)
        return None if record is None else await self.get(record.user)

    async def token_record(self, token: str) -> TokenRecord | None:
        """What is kept of a token; nothing for the local admin's own."""
        kept = await self.store.get("token", _digest(token))
        return None if kept is None else TokenRecord.model_validate_json(kept)

    async def _grants(self) -> dict[str, TokenRecord]:
        return {
            digest: TokenRecord.model_validate_json(kept)
            for digest, kept in (await self.store.entries("token")).items()
        }


def _token() -> str:
    return f"pf_{secrets.token_urlsafe(32)}"


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()

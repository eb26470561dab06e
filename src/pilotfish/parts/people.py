"""Users and their tokens. Of a token only a digest is kept; the local admin's lies in the home folder, for its owner.

Both are blobs of the store: `user/ID`, and `token/DIGEST`, which may expire.
"""

import hashlib
import hmac
import os
import re
import secrets
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pilotfish.core.errors import PersonError
from pilotfish.core.events import now
from pilotfish.core.people import LOCAL, Grant, Role, User

if TYPE_CHECKING:
    from pilotfish.store.base import Store

NAME = re.compile(r"[\w.@+-][\w .@+-]{0,63}")
OWNER = User(id=LOCAL, name=LOCAL, role="admin")


class People:
    """Who there is, and whose token this is."""

    def __init__(self, store: "Store", home: Path) -> None:
        self.store = store
        self._file = home / "token"
        self._read = (0, "")

    @property
    def key(self) -> str:
        """The local admin's token, made when first asked for and readable by the owner of the home folder only."""
        # Every request asks for it, so it is read again only where it was changed.
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
        """Take a person's access and secrets away; what they did stays."""
        for secret in await self.store.entries("secret", f"{id}:"):
            await self.store.drop("secret", secret)
        for digest, grant in (await self._grants()).items():
            if grant.user == id:
                await self.store.drop("token", digest)
        return await self.store.drop("user", id)

    async def grant(
        self, user: str, name: str, *, kind: Literal["api", "session"] = "api", ttl: float | None = None
    ) -> tuple[Grant, str]:
        """A new token: what is kept of it, and the token, which is shown this once."""
        token = _token()
        digest = _digest(token)
        expires = None if ttl is None else now() + timedelta(seconds=ttl)
        grant = Grant(id=digest[:12], user=user, name=name, kind=kind, expires=expires)
        await self.store.put("token", digest, grant.model_dump_json().encode(), ttl)
        return grant, token

    async def grants(self, user: str) -> list[Grant]:
        return sorted((g for g in (await self._grants()).values() if g.user == user), key=lambda grant: grant.created)

    async def revoke(self, user: str, id: str) -> bool:
        for digest, grant in (await self._grants()).items():
            if grant.user == user and grant.id == id:
                return await self.store.drop("token", digest)
        return False

    async def leave(self, token: str) -> bool:
        """Forget one token, by itself."""
        return await self.store.drop("token", _digest(token))

    async def who(self, token: str) -> User | None:
        """Whose token this is."""
        if not token:
            return None
        if hmac.compare_digest(token.encode(), self.key.encode()):
            return OWNER
        kept = await self.store.get("token", _digest(token))
        return None if kept is None else await self.get(Grant.model_validate_json(kept).user)

    async def _grants(self) -> dict[str, Grant]:
        return {digest: Grant.model_validate_json(kept) for digest, kept in (await self.store.entries("token")).items()}


def _token() -> str:
    return f"pf_{secrets.token_urlsafe(32)}"


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()

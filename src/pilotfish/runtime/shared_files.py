"""Finds what belongs to runs and conversations from any machine: files, pictures, and the state of browsers.

Machines that share a database need not share a home folder. Everything is on the disk of the machine that made it, and
a copy where all machines find it, before the journal names it. The state of a browser holds cookies, so its copy is
encrypted with the installation's key, which all machines must have.
"""

import asyncio
import hashlib
import logging
from pathlib import Path
from typing import TYPE_CHECKING

from pilotfish.core.errors import StoreError
from pilotfish.core.events import FileSaved
from pilotfish.safety.secrets import make_cipher
from pilotfish.store.blob_stores import BlobStore, DatabaseBlobs, DiskBlobs, SizedBlobs

if TYPE_CHECKING:
    from pilotfish.core.settings import Settings
    from pilotfish.store.base import Store

log = logging.getLogger(__name__)


def session_key(conversation: str) -> str:
    """The key of the state of a conversation's browser."""
    return f"conversations/{conversation}/browser.json"


class SharedFiles:
    """The files of this machine, and the copies that other machines find; without `remote` there are none."""

    def __init__(self, home: Path, remote: BlobStore | None = None) -> None:
        self.home = home
        self.local = DiskBlobs(home)
        self.remote = remote
        self._digests: dict[str, bytes] = {}

    @classmethod
    def of(cls, settings: "Settings", store: "Store") -> "SharedFiles":
        """Where the settings put the files: on disk, with PostgreSQL also in the database, larger ones in a bucket."""
        from pilotfish.store.bucket import BucketBlobs

        work = settings.work
        if not settings.database:
            return cls(settings.home)
        bucket = BucketBlobs(work) if work.bucket else None
        return cls(settings.home, SizedBlobs(DatabaseBlobs(store), bucket, work.shared_mb * 1e6))

    async def share(self, key: str) -> None:
        """Copy a file of this machine to where others find it. If that fails, it stays on this machine alone."""
        data = await self.local.read(key) if self.remote is not None else None
        if data is None or self.remote is None:
            return
        try:
            await self.remote.write(key, data)
        except StoreError as error:
            log.warning("%s could not be shared: %s", key, error.message)

    async def keep_file(self, saved: FileSaved) -> None:
        """Share a file of a run that the journal will name."""
        await self.share(f"runs/{saved.run}/{saved.name}")

    async def find(self, key: str) -> Path | None:
        """The file on this machine, brought from elsewhere if need be."""
        path = self.local.path(key)
        if path.is_file() or self.remote is None:
            return path if path.is_file() else None
        data = await self.remote.read(key)
        if data is None:
            return None
        await self.local.write(key, data)
        return path

    async def fetch_below(self, prefix: str) -> None:
        """Bring all files below a prefix to this machine that are not here; not the states of browsers."""
        for key in await self.remote.keys(prefix) if self.remote is not None else ():
            if not key.endswith("/browser.json"):
                await self.find(key)

    async def delete(self, prefix: str) -> None:
        """Delete all below a prefix, here and elsewhere."""
        await self.local.delete(prefix)
        if self.remote is not None:
            await self.remote.delete(prefix)

    async def keep_session(self, conversation: str, state: bytes) -> None:
        """Store the state of a conversation's browser for other machines, if it changed."""
        digest = hashlib.sha256(state).digest()
        if self.remote is not None and self._digests.get(conversation) != digest:
            sealed = await asyncio.to_thread(lambda: make_cipher(self.home).encrypt(state))
            await self.remote.write(session_key(conversation), sealed)
            self._digests[conversation] = digest

    async def read_session(self, conversation: str) -> bytes | None:
        """The state that was stored last, from any machine; None where there is none, or its key is another one."""
        from cryptography.fernet import InvalidToken

        kept = await self.remote.read(session_key(conversation)) if self.remote is not None else None
        try:
            state = make_cipher(self.home).decrypt(kept) if kept else None
        except InvalidToken:
            log.warning("a browser's state was stored with another key: give all machines the same secret.key")
            return None
        if state is not None:
            # What another machine stored since is what a later state of this one has to replace.
            self._digests[conversation] = hashlib.sha256(state).digest()
        return state

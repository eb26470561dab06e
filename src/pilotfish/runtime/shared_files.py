"""Keeps in the store what belongs to a run and must be found from any machine: its files, and its browser's state.

Machines that share a database need not share a home folder. A file is in the store before the journal names it. The
state of a browser holds cookies, so it is encrypted with the installation's key, which all machines must have.
"""

import asyncio
import hashlib
import logging
from pathlib import Path
from typing import TYPE_CHECKING

from pilotfish.core.events import FileSaved
from pilotfish.safety.secrets import make_cipher

if TYPE_CHECKING:
    from pilotfish.store.base import Store

FILES = "run_file"
SESSIONS = "session"
log = logging.getLogger(__name__)


class SharedFiles:
    """Files of runs up to a size, and the state of the browsers of conversations."""

    def __init__(self, store: "Store", home: Path, most_bytes: float) -> None:
        self.store = store
        self.home = home
        self.most_bytes = most_bytes
        self._digests: dict[str, bytes] = {}

    async def keep_file(self, saved: FileSaved) -> None:
        """Copy a file of a run into the store; a larger one stays on this machine alone."""
        if saved.size > self.most_bytes:
            log.warning("%s is too large to be shared", saved.name, extra={"run": saved.run, "size": saved.size})
            return
        path = self.home / "runs" / saved.run / saved.name
        await self.store.put(FILES, f"{saved.run}/{saved.name}", await asyncio.to_thread(path.read_bytes))

    async def keep_session(self, conversation: str, state: bytes) -> None:
        """Store the state of a conversation's browser, if it changed."""
        digest = hashlib.sha256(state).digest()
        if self._digests.get(conversation) != digest:
            await self.store.put(SESSIONS, conversation, make_cipher(self.home).encrypt(state))
            self._digests[conversation] = digest

    async def read_session(self, conversation: str) -> bytes | None:
        """The state that was stored last, from any machine; None where there is none, or its key is another one."""
        from cryptography.fernet import InvalidToken

        kept = await self.store.get(SESSIONS, conversation)
        try:
            return make_cipher(self.home).decrypt(kept) if kept else None
        except InvalidToken:
            log.warning("a browser's state was stored with another key: give all machines the same secret.key")
            return None


async def fetch_file(store: "Store", run: str, name: str, path: Path) -> bool:
    """Bring a file that another machine stored to its place on this one; whether there is one."""
    data = await store.get(FILES, f"{run}/{name}")
    if data is None:
        return False

    def write() -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f"{path.name}.part")
        part.write_bytes(data)
        part.replace(path)

    await asyncio.to_thread(write)
    return True

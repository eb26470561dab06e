"""Stores the files of runs and conversations, each as bytes under a key such as `runs/RUN/chart.png`.

`DiskBlobs` is the default. Machines that share a database use it up to a size, and a bucket beyond it.
"""

import asyncio
import logging
import os
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Protocol
from uuid import uuid4

from pilotfish.store.base import SettingsBackend

FILE_KIND = "file"
log = logging.getLogger(__name__)


class BlobStore(Protocol):
    """Bytes by key. A key has parts between slashes; none of them is empty, `.` or `..`."""

    async def write(self, key: str, data: bytes) -> None:
        """Store bytes, or replace them; nobody reads half of them."""
        ...

    async def read(self, key: str) -> bytes | None: ...

    async def keys(self, prefix: str) -> list[str]:
        """All keys below a prefix that ends with a slash, in order."""
        ...

    async def delete(self, prefix: str) -> None:
        """Delete one key, or all below a prefix that ends with a slash."""
        ...


class DiskBlobs:
    """Files below a folder, readable by their owner only."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, key: str) -> Path:
        """The file of a key."""
        parts = key.removesuffix("/").split("/")
        if not key or any(part in ("", ".", "..") or "\0" in part for part in parts):
            raise ValueError(f"{key!r} is no key")
        return self.folder.joinpath(*parts)

    async def write(self, key: str, data: bytes) -> None:
        await asyncio.to_thread(_replace_file, self.path(key), data)

    async def read(self, key: str) -> bytes | None:
        path = self.path(key)
        return await asyncio.to_thread(path.read_bytes) if path.is_file() else None

    async def keys(self, prefix: str) -> list[str]:
        found = await asyncio.to_thread(lambda: [path for path in self.path(prefix).rglob("*") if path.is_file()])
        return sorted(path.relative_to(self.folder).as_posix() for path in found if path.suffix != ".part")

    async def delete(self, prefix: str) -> None:
        path = self.path(prefix)
        if prefix.endswith("/"):
            await asyncio.to_thread(shutil.rmtree, path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def _replace_file(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{uuid4().hex}.part")
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(data)
        part.replace(path)
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise


class DatabaseBlobs:
    """Rows of the database, which all machines have."""

    def __init__(self, store: SettingsBackend) -> None:
        self.store = store

    async def write(self, key: str, data: bytes) -> None:
        await self.store.put(FILE_KIND, key, data)

    async def read(self, key: str) -> bytes | None:
        return await self.store.get(FILE_KIND, key)

    async def keys(self, prefix: str) -> list[str]:
        return await self.store.list_keys(FILE_KIND, prefix)

    async def delete(self, prefix: str) -> None:
        for key in await self.keys(prefix) if prefix.endswith("/") else [prefix]:
            await self.store.drop(FILE_KIND, key)


class SizedBlobs:
    """Small blobs in one store and larger ones in another; without another, larger ones are not stored."""

    def __init__(self, small: BlobStore, large: BlobStore | None, most_bytes: float) -> None:
        self.small = small
        self.large = large
        self.most_bytes = most_bytes

    async def write(self, key: str, data: bytes) -> None:
        fits = len(data) <= self.most_bytes
        if fits:
            await self.small.write(key, data)
        elif self.large is None:
            log.warning("%s is too large to be shared: %d bytes, and no bucket is set", key, len(data))
        else:
            await self.large.write(key, data)
        if not fits:
            await self.small.delete(key)
        elif self.large is not None:
            await self.large.delete(key)

    async def read(self, key: str) -> bytes | None:
        found = await self.small.read(key)
        return found if found is not None or self.large is None else await self.large.read(key)

    async def keys(self, prefix: str) -> list[str]:
        return sorted({*await self.small.keys(prefix), *(await self.large.keys(prefix) if self.large else ())})

    async def delete(self, prefix: str) -> None:
        await self.small.delete(prefix)
        if self.large is not None:
            await self.large.delete(prefix)

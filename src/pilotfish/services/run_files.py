"""Finds the files of a run: those that its journal names, and no others."""

import asyncio
from pathlib import Path

from pilotfish.core.errors import NotFoundError
from pilotfish.core.events import FileSaved
from pilotfish.services.run_archive import RunArchive


async def find_file(archive: RunArchive, run: str, name: str) -> tuple[FileSaved, Path]:
    """A file by its name, with the event that tells of it."""
    saved = {event.name: event for event in await archive.events(run) if isinstance(event, FileSaved)}
    path = await archive.files.find(f"runs/{run}/{name}") if name in saved else None
    if path is None:
        raise NotFoundError("There is no such file in this run.", f"See /api/runs/{run}/files.")
    return saved[name], path


async def read_file(archive: RunArchive, run: str, name: str) -> bytes:
    """The content of a file."""
    return await asyncio.to_thread((await find_file(archive, run, name))[1].read_bytes)

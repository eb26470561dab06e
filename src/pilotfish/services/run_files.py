"""Finds the files of a run: those that its journal names, and no others."""

import asyncio
from pathlib import Path

from pilotfish.core.errors import Missing
from pilotfish.core.events import FileSaved
from pilotfish.runtime.shared_files import fetch_file
from pilotfish.services.run_archive import RunArchive


async def find_file(archive: RunArchive, run: str, name: str) -> tuple[FileSaved, Path]:
    """A file by its name, with the event that tells of it."""
    saved = {event.name: event for event in await archive.events(run) if isinstance(event, FileSaved)}
    folder = (archive.home / "runs" / run).resolve()
    path = (folder / name).resolve() if name in saved else Path()
    found = path.is_relative_to(folder) and (path.is_file() or await fetch_file(archive.store, run, name, path))
    if not found:
        raise Missing("There is no such file in this run.", f"See /api/runs/{run}/files.")
    return saved[name], path


async def read_file(archive: RunArchive, run: str, name: str) -> bytes:
    """The content of a file."""
    return await asyncio.to_thread((await find_file(archive, run, name))[1].read_bytes)

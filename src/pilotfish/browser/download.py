"""Files that pages send: held to a size, named safely, and kept in quarantine where they could run on this machine."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pilotfish.core.settings import Browser

if TYPE_CHECKING:
    from playwright.async_api import Download

MEGA = 1_000_000
EXECUTABLE = frozenset(
    {
        ".apk", ".app", ".appimage", ".bat", ".cmd", ".com", ".cpl", ".deb", ".dmg", ".exe", ".hta", ".iso", ".jar",
        ".js", ".jse", ".lnk", ".msi", ".msix", ".pkg", ".ps1", ".reg", ".rpm", ".run", ".scr", ".sh", ".vbe", ".vbs",
        ".wsf", ".xpi",
    }
)  # fmt: skip
PROGRAMS = (b"MZ", b"\x7fELF", b"#!", b"\xcf\xfa\xed\xfe", b"\xce\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"!<arch>\ndebian")


@dataclass(frozen=True)
class Arrival:
    """A file that came. `held` means: it could run on this machine, and lies in quarantine."""

    path: Path
    size: int
    url: str
    held: bool


class Intake:
    """One session's downloads. `spent` is counted anew for each run."""

    def __init__(self, folder: Path, settings: Browser) -> None:
        self.folder = folder
        self.arrived: list[Arrival] = []
        self.spent = 0
        self._file, self._all = settings.download_mb, settings.downloads_mb
        self._begun: dict[str, tuple[str, str]] = {}
        self._active: dict[tuple[str, str], tuple[Download, Callable[[str], None]]] = {}

    async def take(self, download: "Download") -> str:
        """Receive a file; a sentence that says what became of it."""
        from playwright.async_api import Error

        path, stopped = vacant(self.folder / "quarantine", download.suggested_filename), list[str]()
        about = download.url, download.suggested_filename
        self._active[about] = download, stopped.append
        try:
            await download.save_as(path)
        except (Error, OSError) as error:
            path.unlink(missing_ok=True)
            return f"The download of {path.name} {stopped[0] if stopped else f'failed: {error}'}."
        finally:
            self._active.pop(about, None)
        return self._received(path, download.url)

    def _received(self, path: Path, url: str) -> str:
        size, name = path.stat().st_size, path.name
        if why := self._excess(size):
            path.unlink()
            return f"The download of {name} {why}."
        self.spent += size
        path.chmod(0o600)
        held = runs(path)
        if not held:
            path = path.rename(vacant(self.folder / "downloads", name))
        self.arrived.append(Arrival(path, size, url, held))
        waits = " It could run on this machine, so it is in quarantine until the person decides." if held else ""
        return f"Downloaded {path.name} ({size:,} bytes).{waits}"

    def drain(self) -> list[Arrival]:
        """What came since the last time."""
        found, self.arrived = self.arrived, []
        return found

    def begun(self, event: Mapping[str, Any]) -> None:
        """The browser says that a download begins."""
        self._begun[event["guid"]] = event["url"], event["suggestedFilename"]

    async def progressed(self, event: Mapping[str, Any]) -> None:
        """The browser says how far it is; what is too large ends here."""
        about = self._begun.get(event["guid"], ("", ""))
        if event["state"] != "inProgress":
            self._begun.pop(event["guid"], None)
        elif (why := self._excess(max(event["receivedBytes"], event["totalBytes"]))) and about in self._active:
            download, tell = self._active[about]
            tell(why)
            await download.cancel()

    def _excess(self, size: float) -> str:
        if size > self._file * MEGA:
            return f"was stopped: it has more than {self._file:g} MB, the limit in browser.download_mb"
        if self.spent + size > self._all * MEGA:
            return f"was stopped: this run's downloads would exceed {self._all:g} MB, the limit in browser.downloads_mb"
        return ""


def runs(path: Path) -> bool:
    """Whether a file could run on this machine, by its name or by how it begins."""
    with path.open("rb") as file:
        start = file.read(16)
    return path.suffix.lower() in EXECUTABLE or start.startswith(PROGRAMS)


def vacant(folder: Path, name: str) -> Path:
    """A path in the folder that is free, with a name that is safe on any system."""
    folder.mkdir(parents=True, exist_ok=True)
    clean = re.sub(r"[^\w .()\-]", "_", name).strip(" .")[-120:] or "download"
    path, number = folder / clean, 1
    while path.exists():
        number += 1
        path = folder / f"{Path(clean).stem} ({number}){Path(clean).suffix}"
    path.touch()
    return path

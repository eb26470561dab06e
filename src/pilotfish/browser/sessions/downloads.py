"""Receives downloads: limits their size, names them safely, and quarantines those not known to be harmless."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pilotfish.browser.harmless_files import is_harmless
from pilotfish.core.settings import BrowserSettings

if TYPE_CHECKING:
    from playwright.async_api import Download

MEGABYTE = 1_000_000


@dataclass(frozen=True)
class DownloadedFile:
    """A file that came. `is_quarantined`: it could run on this machine or do harm when opened."""

    path: Path
    size: int
    url: str
    is_quarantined: bool


class DownloadReceiver:
    """One session's downloads. `spent` is counted anew for each run."""

    def __init__(self, folder: Path, settings: BrowserSettings) -> None:
        self.folder = folder
        self.received: list[DownloadedFile] = []
        self.spent = 0
        self._file, self._all = settings.download_mb, settings.downloads_mb
        self._begun: dict[str, tuple[str, str]] = {}
        self._active: dict[tuple[str, str], tuple[Download, Callable[[str], None]]] = {}

    async def receive(self, download: "Download") -> str:
        """Receive a file; return a sentence about the outcome."""
        from playwright.async_api import Error

        path, stopped = find_free_path(self.folder / "quarantine", download.suggested_filename), list[str]()
        about = download.url, download.suggested_filename
        self._active[about] = download, stopped.append
        try:
            await download.save_as(path)
        except (Error, OSError) as error:
            path.unlink(missing_ok=True)
            return f"The download of {path.name} {stopped[0] if stopped else f'failed: {error}'}."
        finally:
            self._active.pop(about, None)
        return self._check_received(path, download.url)

    def _check_received(self, path: Path, url: str) -> str:
        size, name = path.stat().st_size, path.name
        if why := self._excess(size):
            path.unlink()
            return f"The download of {name} {why}."
        self.spent += size
        path.chmod(0o600)
        held = not is_harmless(path)
        if not held:
            path = path.rename(find_free_path(self.folder / "downloads", name))
        self.received.append(DownloadedFile(path, size, url, held))
        waits = " It could run on this machine, so it is in quarantine until the person decides." if held else ""
        return f"Downloaded {path.name} ({size:,} bytes).{waits}"

    def drain(self) -> list[DownloadedFile]:
        """The files received since the last call."""
        found, self.received = self.received, []
        return found

    def note_download_start(self, event: Mapping[str, Any]) -> None:
        """Note that a download began."""
        self._begun[event["guid"]] = event["url"], event["suggestedFilename"]

    async def stop_large_download(self, event: Mapping[str, Any]) -> None:
        """Cancel a download that is too large."""
        about = self._begun.get(event["guid"], ("", ""))
        if event["state"] != "inProgress":
            self._begun.pop(event["guid"], None)
        elif (why := self._excess(max(event["receivedBytes"], event["totalBytes"]))) and about in self._active:
            download, tell = self._active[about]
            tell(why)
            await download.cancel()

    def _excess(self, size: float) -> str:
        if size > self._file * MEGABYTE:
            return f"was stopped: it has more than {self._file:g} MB, the limit in browser.download_mb"
        if self.spent + size > self._all * MEGABYTE:
            return f"was stopped: this run's downloads would exceed {self._all:g} MB, the limit in browser.downloads_mb"
        return ""


def find_free_path(folder: Path, name: str) -> Path:
    """A path in the folder that is free, with a name that is safe on any system."""
    folder.mkdir(parents=True, exist_ok=True)
    clean = re.sub(r"[^\w .()\-]", "_", name).strip(" .")[-120:]
    # A name has at most 255 bytes on most systems, and a letter may have four.
    clean = clean.encode(errors="replace")[-180:].decode(errors="ignore").strip(" .") or "download"
    path, number = folder / clean, 1
    while path.exists():
        number += 1
        path = folder / f"{Path(clean).stem} ({number}){Path(clean).suffix}"
    path.touch()
    return path

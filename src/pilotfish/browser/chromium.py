"""Which Chromium to start, and how."""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from pilotfish.core.errors import BrowserError
from pilotfish.core.settings import Browser

NAMES = ("google-chrome-stable", "google-chrome", "chromium", "chromium-browser", "chrome")
PLACES = (
    "/usr/bin/google-chrome",
    "/usr/bin/chromium",
    "/snap/bin/chromium",
    "/opt/google/chrome/chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
FLAGS = (
    "--disable-quic",
    "--disable-sync",
    "--disable-domain-reliability",
    "--disable-client-side-phishing-detection",
    "--no-pings",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy",
)


def find(executable: str = "") -> str:
    """The path of the browser to start: the one that is set, else the system's, else Playwright's own."""
    if executable:
        path = shutil.which(executable)
        if path is None:
            raise BrowserError(
                f"The browser {executable!r} cannot be started.", "Correct the setting browser.executable, or empty it."
            )
        return path
    for path in _candidates():
        if os.access(path, os.X_OK):
            return str(path)
    raise BrowserError(
        "No Chrome or Chromium was found on this machine.",
        "Install one (for example `playwright install chromium`), or name it in the setting browser.executable.",
    )


def flags(settings: Browser) -> list[str]:
    """What is added to Playwright's own switches, which already keep Chromium from phoning home."""
    size = f"--window-size={settings.width},{settings.height}"
    return [*FLAGS, size, *(("--disable-gpu",) if settings.headless else ())]


def sandboxed() -> bool:
    """Chromium refuses its sandbox to root."""
    return not hasattr(os, "geteuid") or os.geteuid() != 0


def _candidates() -> Iterator[Path]:
    for name in NAMES:
        if path := shutil.which(name):
            yield Path(path)
    yield from map(Path, PLACES)
    for pattern in ("chromium-*/chrome-linux*/chrome", "chromium-*/chrome-mac*/*.app/Contents/MacOS/*"):
        yield from sorted(_cache().glob(pattern), reverse=True)


def _cache() -> Path:
    if folder := os.environ.get("PLAYWRIGHT_BROWSERS_PATH", ""):
        return Path(folder)
    return Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache") / "ms-playwright"

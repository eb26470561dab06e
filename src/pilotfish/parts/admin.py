"""What a person does to Pilotfish itself, without starting a run: its settings and its embedded models."""

import json
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from pilotfish.core.errors import SettingsError
from pilotfish.core.values import Value
from pilotfish.store.config import Line, describe, load, read

if TYPE_CHECKING:
    from pilotfish.store.base import Change
    from pilotfish.store.config import Loaded
    from pilotfish.store.database import Database


class Embedded(Value):
    """An embedded model, and where its file is, if it is here."""

    name: str
    title: str
    license: str
    size: int
    path: str = ""


def models() -> list[Embedded]:
    """Every embedded model that there is."""
    from pilotfish.llm.catalog import CATALOG, installed, located

    home = load().home
    here = {entry.name for entry in installed(home)}
    return [
        Embedded(
            name=entry.name,
            title=entry.title,
            license=entry.license,
            size=entry.size,
            path=str(located(entry, home)) if entry.name in here else "",
        )
        for entry in CATALOG.values()
    ]


async def lacking() -> str:
    """The embedded model that would serve but is not here; empty where a model can be used at once."""
    from pilotfish.llm.catalog import CATALOG, DEFAULT, installed
    from pilotfish.runtime.minds import Minds

    async with _store() as store:
        settings = (await _read(store)).settings
    kind, _, rest = (await Minds(settings.models, settings.home).name()).partition(":")
    name = rest or DEFAULT
    missing = CATALOG.keys() - {entry.name for entry in installed(settings.home)}
    return name if kind == "embedded" and name in missing else ""


async def pull(name: str, progress: Callable[[int, int], None]) -> str:
    """Fetch an embedded model, or the default one for an empty name; where it lies now."""
    from pilotfish.llm.catalog import DEFAULT
    from pilotfish.llm.fetch import pull

    return str(await pull(name or DEFAULT, load().home, progress))


def remove(name: str) -> bool:
    """Delete an embedded model's file; false where there was none."""
    from pilotfish.llm.catalog import remove

    return remove(name, load().home)


async def settings(path: str = "") -> list[Line]:
    """Every setting, or those at or under a path, with where each value comes from."""
    async with _store() as store:
        return under(path, describe(await _read(store)))


def under(path: str, lines: Iterable[Line]) -> list[Line]:
    chosen = [line for line in lines if not path or line.path == path or line.path.startswith(f"{path}.")]
    if not chosen:
        raise SettingsError(f"There is no setting {path}.", "`pilotfish settings` lists all of them.")
    return chosen


async def change(path: str, value: str | None, by: str = "local") -> "Change":
    """Set a setting in the database from what a person typed, or with None take it back."""
    async with _store() as store:
        return await store.set_setting(path, None if value is None else typed(value), by)


def typed(text: str) -> Any:
    """JSON where it is JSON, else the words as they are."""
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text


async def _read(store: "Database") -> "Loaded":
    return read(stored=await store.settings())


@asynccontextmanager
async def _store() -> "AsyncGenerator[Database]":
    from pilotfish.store.database import Database, address

    async with await Database.open(address(load())) as store:
        yield store

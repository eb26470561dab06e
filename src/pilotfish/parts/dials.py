"""Settings while it runs: what they are now, who changed what, and taking changes up without a restart."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pilotfish.core.settings import Settings

if TYPE_CHECKING:
    from pilotfish.store.base import Change, Store
    from pilotfish.store.config import Line, Loaded


class Dials:
    """The settings in force: what was loaded, with what the database says on top."""

    def __init__(self, store: "Store", loaded: "Loaded") -> None:
        self.store = store
        self.current = loaded.settings
        self._loaded = loaded
        self._stored: Mapping[str, Any] = {}

    async def refresh(self) -> bool:
        """Look at the database again; true where something changed, here or in another process."""
        stored = await self.store.settings()
        if stored == self._stored:
            return False
        self.current = overlaid(self._loaded.settings, stored)
        self._stored = stored
        return True

    def lines(self) -> "list[Line]":
        """Every setting with its value, secrets masked, and where it comes from."""
        from pilotfish.store.config import Found, Loaded, describe

        stored = {path: Found(value=value, origin="database") for path, value in self._stored.items()}
        return describe(Loaded(settings=self.current, found={**self._loaded.found, **stored}))

    async def change(self, path: str, value: Any, by: str) -> "Change":
        """Set one, or with None take it back."""
        return await self.store.set_setting(path, value, by)

    async def history(self, path: str = "") -> "list[Change]":
        return await self.store.setting_history(path)


def overlaid(settings: Settings, stored: Mapping[str, Any]) -> Settings:
    """The settings with some of them replaced, by path such as `agent.steps`; unknown paths are passed over."""
    values = settings.model_dump()
    for path, value in stored.items():
        *groups, name = path.split(".")
        inner: Any = values
        for group in groups:
            inner = inner.get(group, {})
        if name in inner:
            inner[name] = value
    return Settings.model_validate(values)

"""The settings of a running process: present values, their history, and changes without a restart."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pilotfish.core.settings import Settings

if TYPE_CHECKING:
    from pilotfish.store.base import SettingChange, Store
    from pilotfish.store.settings_reader import LoadedSettings, SettingLine


class SettingsStore:
    """The settings in force: the loaded ones, overlaid by those in the database."""

    def __init__(self, store: "Store", loaded: "LoadedSettings") -> None:
        self.store = store
        self.current = loaded.settings
        self._loaded = loaded
        self._stored: Mapping[str, Any] = {}

    async def refresh(self) -> bool:
        """Read the database again; return whether something changed, here or in another process."""
        stored = await self.store.settings()
        if stored == self._stored:
            return False
        self.current = overlay_settings(self._loaded.settings, stored)
        self._stored = stored
        return True

    def lines(self) -> "list[SettingLine]":
        """Every setting with its value, secrets masked, and where it comes from."""
        from pilotfish.store.settings_reader import LoadedSettings, SourcedValue, describe_settings

        stored = {path: SourcedValue(value=value, origin="database") for path, value in self._stored.items()}
        return describe_settings(LoadedSettings(settings=self.current, found={**self._loaded.found, **stored}))

    async def change(self, path: str, value: Any, by: str) -> "SettingChange":
        """Set one setting, or with None unset it."""
        return await self.store.set_setting(path, value, by)

    async def history(self, path: str = "") -> "list[SettingChange]":
        return await self.store.setting_history(path)


def overlay_settings(settings: Settings, stored: Mapping[str, Any]) -> Settings:
    """The settings with some values replaced, by path such as `agent.steps`; unknown paths are ignored."""
    values = settings.model_dump()
    for path, value in stored.items():
        *groups, name = path.split(".")
        inner: Any = values
        for group in groups:
            inner = inner.get(group, {})
        if name in inner:
            inner[name] = value
    return Settings.model_validate(values)

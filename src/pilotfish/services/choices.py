"""Lists the loops, tools and models that a run may choose, and what a model needs before it can be used."""

import os
from collections.abc import Callable
from typing import Literal

from pilotfish.core.events import InputRequested
from pilotfish.core.settings import ModelSettings, Settings
from pilotfish.core.values import Value
from pilotfish.runtime.budget import read_new_limit
from pilotfish.runtime.loops import LOOPS
from pilotfish.services.settings_store import SettingsStore
from pilotfish.tools.base import TOOLS, Tool

TIERS = ("main", "light", "decision", "executor", "fallback")
UNLISTED_LOOPS = frozenset({"replay"})


class ModelChoice(Value):
    """A model that a run may name; `missing` says what to do before it can be used. `small`: chores are hard for it."""

    name: str
    title: str
    kind: Literal["hosted", "ollama", "embedded", "set"]
    missing: str = ""
    size: int = 0
    small: bool = False


def raised_limit(asked: InputRequested, answer: str) -> float | None:
    """The cents to which an answer raises a limit that a run asks about; None where it raises none."""
    return read_new_limit(answer, float(asked.details.get("raised", 0)))


class AvailableChoices:
    """Models, loops and tools."""

    def __init__(self, settings_store: SettingsStore) -> None:
        self.settings_store = settings_store

    def loops(self) -> list[str]:
        """The loops that a person may choose, without background loops and those that need more than a task."""
        return [name for name in LOOPS if not name.startswith("_") and name not in UNLISTED_LOOPS]

    def tools(self) -> list[Tool]:
        return [TOOLS.get(name) for name in TOOLS]

    async def models(self) -> list[ModelChoice]:
        """The models that a client may name: those in the settings, on this machine, and available for download."""
        from pilotfish.llm import catalog, ollama

        settings = self.settings_store.current
        found = [
            ModelChoice(name=name, title="named in the settings", kind="set") for name in self._list_named_models()
        ]
        found += await _list_hosted_models(settings)
        served = await ollama.list_models(settings.models.ollama_url)
        found += [ModelChoice(name=f"ollama:{name}", title=f"{name} in Ollama", kind="ollama") for name in served]
        here = {entry.name for entry in catalog.list_installed(settings.home)}
        for entry in catalog.CATALOG.values():
            missing = "" if entry.name in here else "Pull it first."
            name = f"embedded:{entry.name}"
            found.append(ModelChoice(name=name, title=entry.title, kind="embedded", missing=missing, size=entry.size))
        return [mark_small(choice) for choice in {choice.name: choice for choice in found}.values()]

    async def offers(self, name: str) -> bool:
        """Whether a client may name this model."""
        return name in self._list_named_models() or name in {model.name for model in await self.models()}

    def names_file(self, name: str) -> bool:
        """Whether a model's name is a file of this machine."""
        from pilotfish.llm.providers import names_file

        return names_file(name)

    def _list_named_models(self) -> list[str]:
        """The models that the settings name, without files of this machine: those are neither shown nor chosen."""
        models = self.settings_store.current.models
        names = (*(getattr(models, tier) for tier in TIERS), *models.offered)
        return [name for name in names if name and not self.names_file(name)]

    async def pull(self, model: str, progress: Callable[[int, int], None]) -> None:
        """Fetch an embedded model; `progress` is called with bytes done and the total."""
        from pilotfish.llm.model_download import pull_model

        await pull_model(model.removeprefix("embedded:"), self.settings_store.current.home, progress)


def mark_small(choice: ModelChoice) -> ModelChoice:
    from pilotfish.llm.model_facts import find_facts

    return choice.model_copy(update={"small": find_facts(choice.name).small})


async def _list_hosted_models(settings: Settings) -> list[ModelChoice]:
    from pilotfish.llm.provider_errors import KEYS
    from pilotfish.llm.providers import choose_model

    found: list[ModelChoice] = []
    for keys in (keys for keys in KEYS.values() if keys[0].isupper()):
        name = await choose_model(ModelSettings(), {keys[0]: "a key"}, settings.home)
        missing = "" if any(os.environ.get(key) for key in keys) else f"Set {' or '.join(keys)} in the environment."
        title = f"behind the API of {name.partition(':')[0]}"
        found.append(ModelChoice(name=name, title=title, kind="hosted", missing=missing))
    return found

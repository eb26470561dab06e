"""What there is to choose from: loops, tools, models that could serve, and what the others lack."""

import os
from collections.abc import Callable
from typing import Literal

from pilotfish.core.settings import Models, Settings
from pilotfish.core.values import Value
from pilotfish.parts.dials import Dials
from pilotfish.runtime.loops import LOOPS
from pilotfish.tools.base import TOOLS, Tool

INNER = frozenset({"call", "replay"})


class Model(Value):
    """A model that a run may name; `missing` says what to do before it can serve."""

    name: str
    title: str
    kind: Literal["hosted", "ollama", "embedded", "set"]
    missing: str = ""
    size: int = 0


class Choices:
    """Models, loops and tools."""

    def __init__(self, dials: Dials) -> None:
        self.dials = dials

    def loops(self) -> list[str]:
        """Those that a person may choose; others work behind the scenes, or need more than a task."""
        return [name for name in LOOPS if not name.startswith("_") and name not in INNER]

    def tools(self) -> list[Tool]:
        return [TOOLS.get(name) for name in TOOLS]

    async def models(self) -> list[Model]:
        """What the settings name, what this machine has, and what could be had."""
        from pilotfish.llm import catalog, ollama

        settings = self.dials.current
        tiers = ("main", "light", "decision", "executor", "fallback")
        named = filter(None, (getattr(settings.models, tier) for tier in tiers))
        found = [Model(name=name, title="named in the settings", kind="set") for name in named]
        found += await _hosted(settings)
        served = await ollama.models(settings.models.ollama_url)
        found += [Model(name=f"ollama:{name}", title=f"{name} in Ollama", kind="ollama") for name in served]
        here = {entry.name for entry in catalog.installed(settings.home)}
        for entry in catalog.CATALOG.values():
            missing = "" if entry.name in here else "Pull it first."
            name = f"embedded:{entry.name}"
            found.append(Model(name=name, title=entry.title, kind="embedded", missing=missing, size=entry.size))
        return list({choice.name: choice for choice in found}.values())

    async def pull(self, model: str, progress: Callable[[int, int], None]) -> None:
        """Fetch an embedded model; `progress` hears of bytes done and bytes in all."""
        from pilotfish.llm.fetch import pull

        await pull(model.removeprefix("embedded:"), self.dials.current.home, progress)


async def _hosted(settings: Settings) -> list[Model]:
    from pilotfish.llm.faults import KEYS
    from pilotfish.llm.providers import choose

    found: list[Model] = []
    for keys in (keys for keys in KEYS.values() if keys[0].isupper()):
        name = await choose(Models(), {keys[0]: "a key"}, settings.home)
        missing = "" if any(os.environ.get(key) for key in keys) else f"Set {' or '.join(keys)} in the environment."
        title = f"behind the API of {name.partition(':')[0]}"
        found.append(Model(name=name, title=title, kind="hosted", missing=missing))
    return found

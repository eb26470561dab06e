"""What there is to choose from: models that could serve, and what the others lack."""

import os
from collections.abc import Callable
from typing import Literal

from pilotfish.core.settings import Models, Settings
from pilotfish.core.values import Value


class Choice(Value):
    """A model that a run may name. `missing` says what to do before it can serve; empty where it can."""

    name: str
    title: str
    kind: Literal["hosted", "ollama", "embedded", "set"]
    missing: str = ""
    size: int = 0


async def models(settings: Settings) -> list[Choice]:
    """What the settings name, what this machine has, and what could be had."""
    from pilotfish.llm import catalog, ollama
    from pilotfish.llm.faults import KEYS
    from pilotfish.llm.providers import choose

    named = [getattr(settings.models, tier) for tier in ("main", "light", "decision", "executor", "fallback")]
    found = [Choice(name=name, title="named in the settings", kind="set") for name in dict.fromkeys(named) if name]
    for keys in (keys for keys in KEYS.values() if keys[0].isupper()):
        name = await choose(Models(), {keys[0]: "a key"}, settings.home)
        missing = "" if any(os.environ.get(key) for key in keys) else f"Set {' or '.join(keys)} in the environment."
        found.append(
            Choice(name=name, title=f"behind an API of {name.partition(':')[0]}", kind="hosted", missing=missing)
        )
    served = await ollama.models(settings.models.ollama_url)
    found += [Choice(name=f"ollama:{name}", title=f"{name} in Ollama", kind="ollama") for name in served]
    here = {entry.name for entry in catalog.installed(settings.home)}
    for entry in catalog.CATALOG.values():
        missing = "" if entry.name in here else "Pull it first."
        name = f"embedded:{entry.name}"
        found.append(Choice(name=name, title=entry.title, kind="embedded", missing=missing, size=entry.size))
    return list({choice.name: choice for choice in reversed(found)}.values())[::-1]


async def pull(name: str, settings: Settings, progress: Callable[[int, int], None]) -> None:
    """Fetch an embedded model; `progress` hears of bytes done and bytes in all."""
    from pilotfish.llm.fetch import pull as fetch

    await fetch(name.removeprefix("embedded:"), settings.home, progress)

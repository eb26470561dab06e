"""Which model serves which tier, connected when first needed and shared by all runs."""

import asyncio
import os
from pathlib import Path
from typing import TYPE_CHECKING

from pilotfish.core.messages import Tier
from pilotfish.core.settings import Models

if TYPE_CHECKING:
    from pilotfish.llm.base import Model


class Minds:
    """Tier → model. An empty tier means the main one; an empty main means what this machine has."""

    def __init__(self, settings: Models, home: Path) -> None:
        self.settings = settings
        self.home = home
        self._models: dict[str, Model] = {}
        self._lock = asyncio.Lock()
        self._chosen = ""

    async def name(self, tier: Tier = "main", wish: str = "") -> str:
        """The name of the model that would serve."""
        named = wish or getattr(self.settings, tier) or self.settings.main
        if named:
            return named
        if not self._chosen:
            from pilotfish.llm.providers import choose

            self._chosen = await choose(self.settings, os.environ, self.home)
        return self._chosen

    def pretend(self, name: str, model: "Model") -> None:
        """Let this model serve wherever none is named: for tests, rehearsals and measurements."""
        self._models[name] = model
        self._chosen = name

    async def of(self, tier: Tier, wish: str = "") -> "Model":
        name = await self.name(tier, wish)
        async with self._lock:
            if name not in self._models:
                self._models[name] = await self._connect(name)
            return self._models[name]

    async def _connect(self, name: str) -> "Model":
        from pilotfish.llm.providers import connect
        from pilotfish.llm.resilient import Resilient

        model = await connect(name, self.settings, self.home)
        spare = self.settings.fallback
        return Resilient(model, await connect(spare, self.settings, self.home) if spare and spare != name else None)

    async def close(self) -> None:
        for model in self._models.values():
            await model.close()
        self._models.clear()

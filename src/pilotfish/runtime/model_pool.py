"""Finds the model of a tier; models are connected when first needed and shared by all runs."""

import asyncio
import os
from pathlib import Path
from typing import TYPE_CHECKING

from pilotfish.core.messages import ModelTier
from pilotfish.core.settings import ModelSettings

if TYPE_CHECKING:
    from pilotfish.llm.base import Model


class ModelPool:
    """Models by tier. A tier without a setting uses the main model; without a main model, one on this machine."""

    def __init__(self, settings: ModelSettings, home: Path) -> None:
        self.settings = settings
        self.home = home
        self._models: dict[str, Model] = {}
        self._locks: dict[str, asyncio.Lock] = {}
        self._chosen = ""

    async def name(self, tier: ModelTier = "main", chosen: str = "") -> str:
        """The name of the model that would be used."""
        named = chosen or getattr(self.settings, tier) or self.settings.main
        if named:
            return named
        if not self._chosen:
            from pilotfish.llm.providers import choose_model

            self._chosen = await choose_model(self.settings, os.environ, self.home)
        return self._chosen

    def set_default(self, name: str, model: "Model") -> None:
        """Use this model wherever none is named: for tests and measurements."""
        self._models[name] = model
        self._chosen = name

    async def of(self, tier: ModelTier, chosen: str = "") -> "Model":
        name = await self.name(tier, chosen)
        # One lock per model, so that a slow one does not delay the others.
        async with self._locks.setdefault(name, asyncio.Lock()):
            if name not in self._models:
                self._models[name] = await self._connect(name)
            return self._models[name]

    async def _connect(self, name: str) -> "Model":
        from pilotfish.llm.providers import connect_model
        from pilotfish.llm.resilient import ResilientModel

        model = await connect_model(name, self.settings, self.home)
        spare = self.settings.fallback
        return ResilientModel(
            model, await connect_model(spare, self.settings, self.home) if spare and spare != name else None
        )

    async def close(self) -> None:
        for model in self._models.values():
            await model.close()
        self._models.clear()

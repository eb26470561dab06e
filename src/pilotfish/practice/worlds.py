"""Worlds: each visitor's own copy of the site's state, with a log of every effect on it."""

import time
from collections.abc import Mapping
from typing import Any

from pydantic import Field

from pilotfish.core.values import Value
from pilotfish.practice.stock import first_state

State = dict[str, Any]


class SiteEffect(Value):
    """Something that somebody did to the site."""

    n: int
    at: float
    kind: str
    details: Mapping[str, Any] = Field(default_factory=dict)


class PracticeWorld:
    """One visitor's copy of the site: its state and its log."""

    def __init__(self, name: str, seed: int = 0) -> None:
        self.name = name
        self.seed = seed
        self.state: State = first_state(seed)
        self.log: list[SiteEffect] = []
        self.flash = ""

    def record_effect(self, kind: str, /, **details: Any) -> None:
        self.log.append(SiteEffect(n=len(self.log) + 1, at=time.time(), kind=kind, details=details))

    def flash_message(self, text: str) -> None:
        """Show a sentence at the top of the next page."""
        self.flash = text

    def take_message(self) -> str:
        text, self.flash = self.flash, ""
        return text


class PracticeWorlds:
    """All worlds of a running site, each made at its first use."""

    def __init__(self) -> None:
        self._worlds: dict[str, PracticeWorld] = {}

    def get(self, name: str, seed: int | None = None) -> PracticeWorld:
        world = self._worlds.get(name)
        if world is None or (seed is not None and seed != world.seed):
            world = self.reset(name, seed or 0)
        return world

    def reset(self, name: str, seed: int = 0) -> PracticeWorld:
        self._worlds[name] = PracticeWorld(name, seed)
        return self._worlds[name]

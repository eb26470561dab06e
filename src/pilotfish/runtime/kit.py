"""What every run stands on, put together once by the app."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from pilotfish.core.messages import Tier
from pilotfish.core.records import RunRecord
from pilotfish.core.settings import Settings

if TYPE_CHECKING:
    from pilotfish.llm.base import Model
    from pilotfish.runtime.journal import Journal
    from pilotfish.tools.base import Tool

Json = dict[str, Any]


class Step(Protocol):
    """Does something once, whatever crashes."""

    async def __call__(self, name: str, body: Callable[[], Awaitable[Json]]) -> Json: ...


class Minds(Protocol):
    """Gives the model of a tier; `wish` is a person's choice for this run."""

    async def of(self, tier: Tier, wish: str = "") -> "Model": ...


class Spawn(Protocol):
    """Starts a sub-run and waits for its end."""

    async def __call__(self, record: RunRecord) -> RunRecord: ...


@dataclass(frozen=True)
class Kit:
    """The parts, by what they are for."""

    home: Path
    settings: Settings
    journal: "Journal"
    minds: Minds
    tools: "Mapping[str, Tool]"
    services: Mapping[type, object]
    step: Step
    spawn: Spawn

    def folder(self, run: str) -> Path:
        """Where a run keeps its files."""
        path = self.home / "runs" / run
        path.mkdir(parents=True, exist_ok=True)
        return path

"""What every run is given by the app: settings, journal, models, tools and services."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from pilotfish.core.messages import ModelTier
from pilotfish.core.records import RunRecord
from pilotfish.core.settings import Settings

if TYPE_CHECKING:
    from pilotfish.llm.base import Model
    from pilotfish.runtime.journal import RunJournal
    from pilotfish.tools.base import Tool

Json = dict[str, Any]


class StepRunner(Protocol):
    """Runs a step once, also if the process crashes."""

    async def __call__(self, name: str, body: Callable[[], Awaitable[Json]]) -> Json: ...


class ModelSource(Protocol):
    """Gives the model of a tier; `chosen` is the model that the run names."""

    async def of(self, tier: ModelTier, chosen: str = "") -> "Model": ...


class SubRunStarter(Protocol):
    """Starts a sub-run and waits for its end."""

    async def __call__(self, record: RunRecord) -> RunRecord: ...


@dataclass(frozen=True)
class RunContext:
    """The parts of the app that runs use."""

    home: Path
    settings: Settings
    journal: "RunJournal"
    models: ModelSource
    tools: "Mapping[str, Tool]"
    services: Mapping[type, object]
    step: StepRunner
    spawn: SubRunStarter

    def folder(self, run: str) -> Path:
        """The folder of a run's files."""
        path = self.home / "runs" / run
        path.mkdir(parents=True, exist_ok=True)
        return path

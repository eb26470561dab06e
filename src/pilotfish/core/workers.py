"""Values about the processes that share a database: what each one is, and what it takes."""

from collections.abc import Iterable
from typing import Annotated

from pydantic import Field

from pilotfish.core.values import Value

MOST_LABELS = 8
"""Of one worker."""
WorkerLabel = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9._-]{0,39}$")]
WorkerLabels = Annotated[tuple[WorkerLabel, ...], Field(max_length=MOST_LABELS)]


class WorkerRecord(Value):
    """A process as it registers itself. Without room for runs it only serves people."""

    id: str
    host: str = ""
    runs: int = 0
    labels: tuple[str, ...] = ()
    draining: bool = False
    address: str = ""
    """Host and port of its channel, by which others reach its browsers; empty: it has none."""
    sealed: str = ""
    """Token and certificate of the channel, encrypted with the installation's key."""

    @property
    def takes_runs(self) -> bool:
        return self.runs > 0 and not self.draining

    def fits(self, wanted: Iterable[str]) -> bool:
        """Whether a run that asks for these labels may go there."""
        return self.takes_runs and set(wanted) <= set(self.labels)

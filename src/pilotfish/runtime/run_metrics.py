"""Counts what the runs of this process do, from the events of the journal, for programs that watch a server."""

from collections import defaultdict
from collections.abc import Iterator

from pilotfish.core import events

Labels = tuple[tuple[str, str], ...]


class RunMetrics:
    """Counters by name and labels. They begin at zero with the process, as those who read them expect."""

    def __init__(self) -> None:
        self.counts: dict[tuple[str, Labels], float] = defaultdict(float)
        self._loops: dict[str, str] = {}

    def record_event(self, event: events.Event) -> None:
        match event:
            case events.RunStarted():
                self._loops[event.run] = event.loop
                self._count("runs_started", loop=event.loop)
            case events.RunFinished():
                loop = self._loops.pop(event.run, "")
                self._count("runs_finished", loop=loop, outcome=event.outcome, reason=event.kind)
                self._count("run_seconds_count", loop=loop)
                self._add("run_seconds_sum", event.seconds, loop=loop)
            case events.ModelReplied():
                self._count("model_calls", model=event.model)
                self._add("model_cost_cents", event.usage.cost * 100, model=event.model)
                self._add("model_tokens", event.usage.input, model=event.model, kind="input")
                self._add("model_tokens", event.usage.output, model=event.model, kind="output")
            case events.ModelFailed():
                self._count("model_failures")
            case events.InputRequested():
                self._count("questions", kind=event.kind)
            case _:
                pass

    def _count(self, name: str, **labels: str) -> None:
        self._add(name, 1, **labels)

    def _add(self, name: str, amount: float, **labels: str) -> None:
        self.counts[name, tuple(labels.items())] += amount

    def lines(self) -> Iterator[tuple[str, Labels, float]]:
        """Each counter with its labels."""
        for (name, labels), value in sorted(self.counts.items()):
            yield name, labels, value

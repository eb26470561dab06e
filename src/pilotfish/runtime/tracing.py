"""Reports runs as OpenTelemetry spans, with the names of its conventions for generative AI.

Only the API is used: without an SDK, which the operator of Pilotfish installs, spans have no effect. Spans are made
from the journal's events, so the code of a run does not mention them; only steps, which are no events, report
themselves.
"""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pilotfish.core import events
from pilotfish.core.current_run import CURRENT_RUN
from pilotfish.core.version import VERSION

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer

Key = tuple[str, str]


class RunTracing:
    """The open spans of runs, steps, model calls and tool calls."""

    def __init__(self, tracer: "Tracer | None" = None) -> None:
        from opentelemetry import trace

        self.tracer = tracer or trace.get_tracer("pilotfish", VERSION)
        self._open: dict[Key, Span] = {}

    def record_event(self, event: events.Event) -> None:
        """Begin or end the span of an event."""
        match event:
            case events.RunStarted():
                begun = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": event.loop}
                more = {"gen_ai.conversation.id": event.conversation, "enduser.id": event.user}
                self._begin((event.run, ""), f"invoke_agent {event.loop}", event.at, {**begun, **more})
            case events.ModelAsked():
                asked = {"gen_ai.operation.name": "chat", "gen_ai.request.model": event.model}
                more = {"gen_ai.provider.name": event.model.partition(":")[0], "pilotfish.purpose": event.purpose}
                self._begin((event.run, event.call), f"chat {event.model}", event.at, {**asked, **more})
            case events.ModelReplied():
                used = {"gen_ai.response.model": event.model, "gen_ai.usage.input_tokens": event.usage.input}
                more = {"gen_ai.usage.output_tokens": event.usage.output, "pilotfish.cost": event.usage.cost}
                self._end((event.run, event.call), event.at, {**used, **more})
            case events.ModelFailed():
                self._end((event.run, event.call), event.at, {}, event.error)
            case events.ToolStarted():
                named = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": event.tool}
                key = (event.run, f"tool {event.key.rpartition('.')[0]}")
                self._begin(key, f"execute_tool {event.tool}", event.at, {**named, "gen_ai.tool.call.id": event.call})
            case events.ToolFinished():
                self._end((event.run, f"tool {event.key.rpartition('.')[0]}"), event.at, {}, event.error)
            case events.RunFinished():
                ended = {"pilotfish.outcome": event.outcome, "pilotfish.steps": event.steps}
                self._end((event.run, ""), event.at, {**ended, "pilotfish.cost": event.usage.cost}, event.error)
                for key in [key for key in self._open if key[0] == event.run]:
                    self._end(key, event.at, {})
            case _:
                pass

    @contextmanager
    def step(self, name: str) -> Generator[None]:
        """The span of a step in the current run."""
        key = (CURRENT_RUN.get(), "step")
        began = events.current_time()
        self._begin(key, f"step {name}", began, {"pilotfish.step": name})
        try:
            yield
        finally:
            self._end(key, events.current_time(), {})

    def _begin(self, key: Key, name: str, at: datetime, attributes: Mapping[str, Any]) -> None:
        from opentelemetry import trace

        above = self._open.get((key[0], "step")) if key[1] != "step" else None
        above = above or self._open.get((key[0], ""))
        around = trace.set_span_in_context(above) if above is not None else None
        named = {"pilotfish.run.id": key[0], **attributes}
        self._open[key] = self.tracer.start_span(name, context=around, start_time=_nanoseconds(at), attributes=named)

    def _end(self, key: Key, at: datetime, attributes: Mapping[str, Any], error: str = "") -> None:
        from opentelemetry.trace import Status, StatusCode

        span = self._open.pop(key, None)
        if span is None:
            return
        span.set_attributes(attributes)
        if error:
            span.set_status(Status(StatusCode.ERROR, error))
        span.end(_nanoseconds(at))


def _nanoseconds(at: datetime) -> int:
    return int(at.timestamp() * 1_000_000) * 1000

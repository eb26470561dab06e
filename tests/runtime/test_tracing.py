"""A run as spans: each begins, ends, and hangs where it belongs."""

from typing import Any

from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, Tracer, get_current_span

from pilotfish.core.messages import ModelReply, ToolCall
from scripted_app import Open, events_of, script


class Span(NonRecordingSpan):
    """A span that remembers."""

    def __init__(self, number: int, name: str, above: int, attributes: dict[str, Any]) -> None:
        super().__init__(SpanContext(1, number, False, TraceFlags(1)))
        self.number, self.name, self.above, self.attributes = number, name, above, attributes
        self.ended = 0

    def set_attributes(self, attributes: Any) -> None:
        self.attributes.update(attributes)

    def end(self, end_time: int | None = None) -> None:
        self.ended += 1


class Recorder(Tracer):
    """Keeps what was begun."""

    def __init__(self) -> None:
        self.spans: list[Span] = []

    def start_span(self, name: str, context: Any = None, *_: Any, attributes: Any = None, **more: Any) -> Span:
        above = get_current_span(context).get_span_context().span_id
        self.spans.append(Span(len(self.spans) + 1, name, above, dict(attributes or {})))
        return self.spans[-1]

    def start_as_current_span(self, *_: Any, **more: Any) -> Any:
        raise AssertionError("a span must not leak into what runs beside it")


async def test_runs_steps_model_calls_and_tools_are_spans_under_each_other(opened: Open) -> None:
    fish = await opened()
    recorder = fish.journal.tracing.tracer = Recorder()
    script(fish, [ModelReply(text="", calls=(ToolCall(id="c", tool="nothing"),)), ModelReply(text="Done.")])
    await events_of(fish, "What is new?", loop="react")
    names = {span.name.split()[0]: span for span in recorder.spans}
    assert {"invoke_agent", "step", "chat"} <= set(names)
    by_number = {span.number: span for span in recorder.spans}
    for span in recorder.spans:
        assert span.ended == 1, span.name
        assert span.attributes["pilotfish.run.id"] == (await fish.runs())[0].id
    chat = names["chat"]
    assert by_number[chat.above].name.startswith("step ")
    assert by_number[by_number[chat.above].above].name == "invoke_agent react"
    assert chat.attributes["gen_ai.operation.name"] == "chat" and "gen_ai.usage.input_tokens" in chat.attributes
    assert names["invoke_agent"].attributes["pilotfish.outcome"] == "completed"

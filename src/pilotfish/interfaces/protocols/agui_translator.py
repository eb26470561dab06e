"""Turns the events of a run into AG-UI events: messages, tool calls, steps, reasoning, state and interrupts."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pydantic_core import to_json

from pilotfish.core import events as e
from pilotfish.interfaces.protocols.answer_text import AnswerText

if TYPE_CHECKING:
    from ag_ui.core import BaseEvent

REASONS = {"approval": "confirmation", "question": "input_required", "budget": "input_required"}


class AguiTranslator:
    """Knows which message, reasoning and steps are open; `over` when the front end's run has ended."""

    def __init__(self, thread: str, run: str) -> None:
        self.thread = thread
        self.run = run
        self.over = False
        self.text = AnswerText()
        self.state: dict[str, Any] = {"status": "queued", "plan": []}
        self._writing = ""
        self._thinking = ""
        self._steps: list[str] = []

    def begin(self) -> "Iterator[BaseEvent]":
        from ag_ui import core as ui

        yield ui.RunStartedEvent(thread_id=self.thread, run_id=self.run)
        yield ui.StateSnapshotEvent(snapshot=self.state)

    def translate(self, event: e.StreamItem) -> "Iterator[BaseEvent]":
        if not isinstance(event, e.TextDelta):
            yield from self._close_texts()
        yield from self._translate_text(event)
        yield from self._translate_work(event)
        yield from self._translate_end(event)

    def show(self, message: str, text: str) -> "Iterator[BaseEvent]":
        """Write a whole message."""
        yield from self._close_texts()
        yield from self._write(message, text)
        yield from self._close_texts()

    def _translate_text(self, event: e.StreamItem) -> "Iterator[BaseEvent]":
        match event:
            case e.TextDelta(kind="content"):
                yield from self._write(event.call, self.text.add_delta(event))
            case e.TextDelta():
                yield from self._translate_thinking(event.call, self.text.add_thought(event))
            case e.MessageAdded() if event.message.role == "assistant":
                yield from self._write(f"{event.run}:{event.seq}", self.text.add_message(event).lstrip("\n"))
                yield from self._close_texts()
            case e.Reasoned() if event.text:
                yield from self._translate_thinking(f"{event.run}:{event.seq}", self.text.add_thought(event))
                yield from self._close_texts()
            case _:
                pass

    def _translate_work(self, event: e.StreamItem) -> "Iterator[BaseEvent]":
        from ag_ui import core as ui

        match event:
            case e.ToolStarted():
                yield ui.ToolCallStartEvent(tool_call_id=event.call, tool_call_name=event.tool)
                yield ui.ToolCallArgsEvent(tool_call_id=event.call, delta=to_json(dict(event.args)).decode())
                yield ui.ToolCallEndEvent(tool_call_id=event.call)
            case e.ToolFinished():
                content, place = event.output if event.ok else event.error, f"{event.run}:{event.seq}"
                yield ui.ToolCallResultEvent(message_id=place, tool_call_id=event.call, content=content, role="tool")
            case e.Progressed():
                yield from self._translate_step(event)
            case e.StateChanged():
                yield self._snapshot_event(status=event.state)
            case e.Planned():
                yield self._snapshot_event(plan=[{"text": text, "state": state} for text, state in event.items])
            case _:
                pass
        if isinstance(event, e.Progressed | e.InputRequested | e.Planned | e.StateChanged | e.Reasoned):
            yield ui.CustomEvent(name=event.type, value=event.model_dump(mode="json"))

    def _translate_end(self, event: e.StreamItem) -> "Iterator[BaseEvent]":
        from ag_ui import core as ui

        if not isinstance(event, e.InputRequested | e.RunFinished):
            return
        self.over = True
        yield from self._finish_steps()
        if isinstance(event, e.InputRequested):
            yield self._finished_event(ui.RunFinishedInterruptOutcome(interrupts=[make_interrupt(event)]))
        elif event.outcome == "failed":
            yield ui.RunErrorEvent(message=f"{event.error} {event.fix}".strip(), code="run_failed")
        elif event.outcome == "stopped":
            yield self._finished_event(ui.RunFinishedCancelledOutcome())
        else:
            yield self._finished_event(ui.RunFinishedSuccessOutcome())

    def _finished_event(self, outcome: Any) -> "BaseEvent":
        from ag_ui import core as ui

        return ui.RunFinishedEvent(thread_id=self.thread, run_id=self.run, outcome=outcome)

    def _snapshot_event(self, **change: Any) -> "BaseEvent":
        from ag_ui import core as ui

        self.state = {**self.state, **change}
        return ui.StateSnapshotEvent(snapshot=self.state)

    def _translate_step(self, event: e.Progressed) -> "Iterator[BaseEvent]":
        from ag_ui import core as ui

        if event.stage in self._steps:
            self._steps.remove(event.stage)
            yield ui.StepFinishedEvent(step_name=event.stage)
        if event.status == "started":
            self._steps.append(event.stage)
            yield ui.StepStartedEvent(step_name=event.stage)

    def _finish_steps(self) -> "Iterator[BaseEvent]":
        from ag_ui import core as ui

        while self._steps:
            yield ui.StepFinishedEvent(step_name=self._steps.pop())

    def _write(self, message: str, text: str) -> "Iterator[BaseEvent]":
        from ag_ui import core as ui

        if not text:
            return
        if self._writing != message:
            yield from self._close_texts()
            self._writing = message
            text = text.lstrip("\n") or text
            yield ui.TextMessageStartEvent(message_id=message, role="assistant")
        yield ui.TextMessageContentEvent(message_id=message, delta=text)

    def _translate_thinking(self, message: str, text: str) -> "Iterator[BaseEvent]":
        from ag_ui import core as ui

        place = f"{message}:thinking"
        if not text:
            return
        if self._thinking != place:
            yield from self._close_texts()
            self._thinking = place
            yield ui.ReasoningStartEvent(message_id=place)
            yield ui.ReasoningMessageStartEvent(message_id=place, role="reasoning")
        yield ui.ReasoningMessageContentEvent(message_id=place, delta=text)

    def _close_texts(self) -> "Iterator[BaseEvent]":
        from ag_ui import core as ui

        if self._writing:
            yield ui.TextMessageEndEvent(message_id=self._writing)
        if self._thinking:
            yield ui.ReasoningMessageEndEvent(message_id=self._thinking)
            yield ui.ReasoningEndEvent(message_id=self._thinking)
        self._writing = self._thinking = ""


def make_interrupt(asked: e.InputRequested) -> Any:
    """A question as an interrupt, with the schema of its answer."""
    from ag_ui.core import Interrupt

    schema: dict[str, Any] = {"type": "string"}
    if asked.choices and asked.kind != "question":
        schema["enum"] = list(asked.choices)
    elif asked.choices:
        schema["examples"] = list(asked.choices)
    return Interrupt(
        id=asked.request,
        reason=REASONS[asked.kind],
        message=asked.question,
        response_schema=schema,
        expires_at=asked.deadline.isoformat() if asked.deadline else None,
    )

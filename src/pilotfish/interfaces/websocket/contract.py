"""Translates journal events to messages of the WebSocket contract. Each has its run and, if journalled, its seq.

`agent_update` tells of the agent itself (start, turn, reason, request_input, request_input_timeout, observe, stopped,
completion); `tool_start`, `tool_complete` and `tool_error` of tools; `content` brings text while it is written,
`message` the finished text, `heard` what the person said to the run while it worked; `progress`, `plan`, `state` and
`file` tell of the rest; `response_complete` is the end.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any, cast

from pilotfish.core import events as e
from pilotfish.core.events import StreamItem, is_steering
from pilotfish.interfaces.websocket.a11y_results import describe_inputs, describe_outputs

Json = dict[str, Any]
LONGEST_TEXT = 500
LONGEST_RESULT = 50_000
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]")
SECRET = re.compile(r"passw|secret|token|api_?key|authorization|cookie", re.IGNORECASE)
PLACE = re.compile(r"path|file|folder|directory", re.IGNORECASE)


def safe_filename(name: str) -> str:
    """The last part of a path, without characters that are unsafe on a screen or in a file system."""
    last = PurePosixPath(name.replace("\\", "/")).name
    return CONTROL.sub("", last).strip(". ")[:200] or "file"


def sanitise_value(value: Any, name: str = "", longest: int = LONGEST_TEXT) -> Any:
    """A value as it may be shown: without secrets, folders or control characters, each text cut at `longest`."""
    match value:
        case str() if SECRET.search(name):
            return "••••••"
        case str() if PLACE.search(name):
            return safe_filename(value)
        case str():
            text = CONTROL.sub("", value)
            return text if len(text) <= longest else f"{text[:longest]}…"
        case Mapping():
            pairs = cast(Mapping[str, Any], value).items()
            return {CONTROL.sub("", str(key))[:100]: sanitise_value(held, str(key), longest) for key, held in pairs}
        case list() | tuple():
            return [sanitise_value(held, name, longest) for held in cast(Sequence[Any], value)[:50]]
        case _:
            return value


class ContractTranslator:
    """Translates the events of one run; keeps track of its step.

    With `shown` the model's thinking is sent too; with `a11y` calls are also told in the words of `a11y_results`.
    """

    def __init__(self, run: str, shown: bool, a11y: bool = False) -> None:
        self.run = run
        self.shown = shown
        self.a11y = a11y
        self._args: dict[str, Mapping[str, Any]] = {}
        self.step = 0
        self.max_steps: int | None = None

    def translate(self, event: StreamItem) -> Iterator[Json]:
        """The messages for an event; none if the contract has none."""
        for message in (
            *self._turn(event),
            *self._translate_agent_event(event),
            *self._translate_tool_event(event),
            *self._translate_other_event(event),
        ):
            message["run"] = self.run
            if not isinstance(event, e.TextDelta):
                message["seq"] = event.seq
            yield message

    def _turn(self, event: StreamItem) -> Iterator[Json]:
        step = 0
        if isinstance(event, e.Reasoned):
            step = event.step
        elif isinstance(event, e.Progressed):
            iteration, limit = event.details.get("iteration", 0), event.details.get("limit")
            step = iteration if isinstance(iteration, int) else 0
            self.max_steps = limit if isinstance(limit, int) else self.max_steps
        if step > self.step:
            self.step = step
            yield status_update("turn_start", step=step, max_steps=self.max_steps)

    def _translate_agent_event(self, event: StreamItem) -> Iterator[Json]:
        match event:
            case e.RunStarted():
                self.max_steps = event.max_steps or event.options.get("max_steps")
                start = {"max_steps": self.max_steps, "loop": event.loop}
                yield status_update("start", **start, conversation=event.conversation)
            case e.Reasoned():
                kind = "observe" if event.phase == "observe" else "reason"
                content = event.text if self.shown or event.public else ""
                yield status_update(kind, content=content, step=self.step)
            case e.InputRequested():
                asked = event.model_dump(mode="json", include={"request", "kind", "question", "choices", "deadline"})
                yield status_update("request_input", **asked, step=self.step)
            case e.InputTimedOut():
                yield status_update("request_input_timeout", request=event.request, step=self.step)
            case e.RunFinished():
                if event.outcome == "stopped":
                    yield status_update("stopped")
                end = event.model_dump(mode="json", include={"outcome", "error", "fix", "usage", "seconds"})
                yield status_update("completion", steps=event.steps, **end)
                # A client of the contract alone shows only this text, so it also tells why a run failed.
                why = f"{event.error} {event.fix}".strip() if event.outcome == "failed" else ""
                yield {"type": "response_complete", "content": "\n\n".join(filter(None, (why, event.text)))}
            case _:
                pass

    def _translate_tool_event(self, event: StreamItem) -> Iterator[Json]:
        match event:
            case e.ToolStarted():
                yield {
                    "type": "tool_start",
                    **_describe_call(event),
                    "arguments": sanitise_value(event.args),
                    **self._describe_for_a11y(event),
                }
            case e.ToolFinished() if event.ok:
                outcome = {"result": sanitise_value(event.output or event.text, longest=LONGEST_RESULT)}
                outcome |= {"summary": sanitise_value(event.text), "seconds": event.seconds}
                yield {"type": "tool_complete", **_describe_call(event), **outcome, **self._describe_for_a11y(event)}
            case e.ToolFinished():
                yield {
                    "type": "tool_error",
                    **_describe_call(event),
                    "error": sanitise_value(event.error),
                    **self._describe_for_a11y(event),
                }
            case _:
                pass

    def _describe_for_a11y(self, event: e.ToolStarted | e.ToolFinished) -> Json:
        """The call in the words of accessibility-tree clients, where the client asked for them."""
        if not self.a11y:
            return {}
        if isinstance(event, e.ToolStarted):
            self._args[event.call] = event.args
            return sanitise_value(describe_inputs(event))
        outputs = describe_outputs(event, self._args.pop(event.call, {}))
        return {"outputs": sanitise_value(outputs, longest=LONGEST_RESULT)}

    def _translate_other_event(self, event: StreamItem) -> Iterator[Json]:
        match event:
            case e.TextDelta() if event.kind == "content" or self.shown:
                yield {"type": event.kind, "content": event.text, "call": event.call}
            case e.MessageAdded() if event.message.role == "assistant":
                yield {"type": "message", "content": event.message.text, "sources": [dict(s) for s in event.sources]}
            case e.MessageAdded() if is_steering(event):
                yield {"type": "heard", "content": event.message.text}
            case e.Progressed():
                fields = event.model_dump(mode="json", include={"stage", "status", "text", "details"})
                yield {"type": "progress", **fields}
            case e.Planned():
                yield {"type": "plan", "items": [{"text": text, "state": state} for text, state in event.items]}
            case e.StateChanged():
                yield {"type": "state", "state": event.state, "why": event.why}
            case e.FileSaved():
                yield {"type": "file", "name": safe_filename(event.name), "media": event.media, "size": event.size}
            case _:
                pass


def status_update(what: str, /, **held: Any) -> Json:
    return {"type": "agent_update", "update_type": f"agent_{what}", **held}


def _describe_call(event: e.ToolStarted | e.ToolFinished) -> Json:
    return {"tool_name": CONTROL.sub("", event.tool)[:100], "tool_call_id": event.call}

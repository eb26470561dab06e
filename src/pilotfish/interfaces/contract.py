"""Journal events as messages of the WebSocket contract. Each carries its run and, where the journal gave one, its seq.

`agent_update` tells of the agent itself (start, turn, reason, request_input, request_input_timeout, observe, stopped,
completion); `tool_start`, `tool_complete` and `tool_error` of tools; `content` brings text while it is written,
`message` the finished text; `progress`, `plan`, `state`, `file` tell of the rest; `response_complete` is the end.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any, cast

from pilotfish.core import events as e
from pilotfish.core.events import Live

Json = dict[str, Any]
LONG = 500
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]")
SECRET = re.compile(r"passw|secret|token|api_?key|authorization|cookie", re.IGNORECASE)
PLACE = re.compile(r"path|file|folder|directory", re.IGNORECASE)


def filename(name: str) -> str:
    """The last part of a path, without anything that a screen or a file system would take amiss."""
    last = PurePosixPath(name.replace("\\", "/")).name
    return CONTROL.sub("", last).strip(". ")[:200] or "file"


def sanitised(value: Any, name: str = "") -> Any:
    """Arguments as they may be shown: short, without secrets, folders or control characters."""
    match value:
        case str() if SECRET.search(name):
            return "••••••"
        case str() if PLACE.search(name):
            return filename(value)
        case str():
            text = CONTROL.sub("", value)
            return text if len(text) <= LONG else f"{text[:LONG]}…"
        case Mapping():
            pairs = cast(Mapping[str, Any], value).items()
            return {CONTROL.sub("", str(key))[:100]: sanitised(held, str(key)) for key, held in pairs}
        case list() | tuple():
            return [sanitised(held, name) for held in cast(Sequence[Any], value)[:50]]
        case _:
            return value


class Teller:
    """Tells one run's events in the contract's words; knows which step it is in."""

    def __init__(self, run: str, shown: bool) -> None:
        self.run = run
        self.shown = shown
        self.step = 0

    def tell(self, event: Live) -> Iterator[Json]:
        """The messages for an event; none for what the contract does not speak of."""
        for message in (*self._turn(event), *self._agent(event), *self._tool(event), *self._other(event)):
            message["run"] = self.run
            if not isinstance(event, e.Delta):
                message["seq"] = event.seq
            yield message

    def _turn(self, event: Live) -> Iterator[Json]:
        step = 0
        if isinstance(event, e.Reasoned):
            step = event.step
        elif isinstance(event, e.Progressed):
            told = event.details.get("iteration", 0)
            step = told if isinstance(told, int) else 0
        if step > self.step:
            self.step = step
            yield update("turn_start", step=step)

    def _agent(self, event: Live) -> Iterator[Json]:
        match event:
            case e.RunStarted():
                start = {"max_steps": event.options.get("max_steps"), "loop": event.loop}
                yield update("start", **start, conversation=event.conversation)
            case e.Reasoned():
                kind = "observe" if event.phase == "observe" else "reason"
                yield update(kind, content=event.text if self.shown else "", step=self.step)
            case e.InputRequested():
                asked = event.model_dump(mode="json", include={"request", "kind", "question", "choices", "deadline"})
                yield update("request_input", **asked, step=self.step)
            case e.InputTimedOut():
                yield update("request_input_timeout", request=event.request, step=self.step)
            case e.RunFinished():
                if event.outcome == "stopped":
                    yield update("stopped")
                end = event.model_dump(mode="json", include={"outcome", "error", "fix", "usage", "seconds"})
                yield update("completion", steps=event.steps, **end)
                yield {"type": "response_complete", "content": event.text}
            case _:
                pass

    def _tool(self, event: Live) -> Iterator[Json]:
        match event:
            case e.ToolStarted():
                yield {"type": "tool_start", **_call(event), "arguments": sanitised(event.args)}
            case e.ToolFinished() if event.ok:
                shown = sanitised(event.text or event.output)
                yield {"type": "tool_complete", **_call(event), "result": shown, "seconds": event.seconds}
            case e.ToolFinished():
                yield {"type": "tool_error", **_call(event), "error": sanitised(event.error)}
            case _:
                pass

    def _other(self, event: Live) -> Iterator[Json]:
        match event:
            case e.Delta() if event.kind == "content" or self.shown:
                yield {"type": event.kind, "content": event.text, "call": event.call}
            case e.MessageAdded() if event.message.role == "assistant":
                yield {"type": "message", "content": event.message.text, "sources": [dict(s) for s in event.sources]}
            case e.Progressed():
                told = event.model_dump(mode="json", include={"stage", "status", "text", "details"})
                yield {"type": "progress", **told}
            case e.Planned():
                yield {"type": "plan", "items": [{"text": text, "state": state} for text, state in event.items]}
            case e.StateChanged():
                yield {"type": "state", "state": event.state, "why": event.why}
            case e.FileSaved():
                yield {"type": "file", "name": filename(event.name), "media": event.media, "size": event.size}
            case _:
                pass


def update(what: str, /, **held: Any) -> Json:
    return {"type": "agent_update", "update_type": f"agent_{what}", **held}


def _call(event: e.ToolStarted | e.ToolFinished) -> Json:
    return {"tool_name": CONTROL.sub("", event.tool)[:100], "tool_call_id": event.call}

"""Streams the parts of a model's reply that people may see while it is written."""

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pilotfish.core import events
from pilotfish.runtime.field_stream import FieldStream
from pilotfish.runtime.run_base import RunBase

if TYPE_CHECKING:
    from pilotfish.llm.base import TextKind


@dataclass(frozen=True)
class StreamedParts:
    """What of a reply people get while it is written: all of it (`stream`), unless it begins with one of `hold_back`,
    or the field named by `thought`, as the model's thinking.

    With `calls_possible` the text may be narration beside tool calls: it is sent at the end, if there were none."""

    stream: bool = False
    hold_back: tuple[str, ...] = ()
    thought: str = ""
    calls_possible: bool = False


class ReplyListener:
    """Streams a reply to followers as it arrives, and records when its first word came.

    A reply that begins with a text of `hold_back` is a signal to the loop and is not shown: its start waits until that
    is clear.
    """

    def __init__(self, run: RunBase, call: str, parts: StreamedParts) -> None:
        self.run = run
        self.call = call
        self.stream = parts.stream
        self.began = time.perf_counter()
        self.first: float | None = None
        self.shown = False
        self._hold = parts.hold_back
        self._held = ""
        self._unsure: list[str] | None = [] if parts.calls_possible else None
        self._thought = FieldStream(parts.thought) if parts.thought else None

    def __call__(self, text: str, kind: "TextKind") -> None:
        if self.first is None:
            self.first = time.perf_counter() - self.began
        if kind == "content" and self._thought:
            text, kind = self._thought.feed(text), "reasoning"
        if kind == "content" and self._unsure is not None:
            self._unsure.append(text)
            return
        if kind == "content":
            text = self._release(text)
        if text and (self.stream or kind == "reasoning"):
            self.shown = self.shown or kind == "content"
            self.run.context.journal.send_delta(events.TextDelta(run=self.run.id, call=self.call, text=text, kind=kind))

    @property
    def broke_off_unseen(self) -> bool:
        """Whether the reply had begun and people saw none of it but thinking, so that another may take its place."""
        return self.first is not None and not self.shown

    def _release(self, text: str) -> str:
        if not self._hold:
            return text
        self._held += text
        start = self._held.lstrip()
        if any(signal.startswith(start[: len(signal)]) for signal in self._hold):
            return ""
        self._hold, held, self._held = (), self._held, ""
        return held

    def close(self, *, calls: bool = False) -> None:
        """End the reply: send what was held back, unless it stood beside tool calls."""
        if self._unsure is not None:
            text, self._unsure = "".join(self._unsure), None
            self("" if calls else text, "content")
        if self._held and not self._held.lstrip().startswith(self._hold):
            self._hold, held = (), self._held
            self(held, "content")

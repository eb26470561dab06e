"""A model that gives scripted replies, for tests and demos.

From Python, `ScriptedModel(["Hello.", Reply(…), lambda request: …])` gives its replies in order and raises when they
run out. By name, `scripted:PATH.json` is a list of objects

    {"when": "words", "turn": 0, "text": "…", "calls": [{"tool": "click", "args": {"id": 3}}], "delay": 0.1}

and the first entry that fits the request answers: `when` must occur in the last message that the model did not
write itself, `turn` must be the number of answers that the model has already given in the conversation; both are
optional, and an entry with neither fits always. The choice depends on the request alone, so a process that is killed
and started again continues in the same way. Plain `scripted` repeats the last message.
"""

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import Field, TypeAdapter, ValidationError

from pilotfish.core.errors import ModelError
from pilotfish.core.messages import Message, ModelFacts, ModelReply, ModelRequest, ToolCall
from pilotfish.core.plain_files import read_plain_file
from pilotfish.core.usage import Usage
from pilotfish.core.values import Value
from pilotfish.llm.base import TextKind, TextListener
from pilotfish.llm.tokens import estimate_tokens

ScriptLine = str | ModelReply | Callable[[ModelRequest], ModelReply | str]
LARGEST_FILE = 5_000_000
FACTS = ModelFacts(window=32_768, answer=4096, tools=True, shapes=True, local=True, caches=True)


class ScriptedCall(Value):
    """A tool call in a script."""

    tool: str
    args: Mapping[str, Any] = Field(default_factory=dict)


class ScriptCue(Value):
    """One entry of a script file."""

    when: str = ""
    turn: int | None = None
    text: str = ""
    calls: tuple[ScriptedCall, ...] = ()
    delay: float = 0.0


class ScriptedModel:
    """Replies from a list, streamed word by word; `delay` seconds pass before each. `asked` keeps every request."""

    def __init__(
        self, replies: Sequence[ScriptLine], *, name: str = "scripted", facts: ModelFacts = FACTS, delay: float = 0.0
    ) -> None:
        self.name = name
        self.facts = facts
        self.requests: list[ModelRequest] = []
        self.warm_requests: list[tuple[Message, ...]] = []
        self._replies = tuple(replies)
        self._delay = delay

    async def reply(self, request: ModelRequest, on_text: TextListener | None = None) -> ModelReply:
        self.requests.append(request)
        if len(self.requests) > len(self._replies):
            raise ModelError(f"The script has {len(self._replies)} replies and was asked for one more.")
        await asyncio.sleep(self._delay)
        return await stream_line(self.name, request, self._replies[len(self.requests) - 1], on_text)

    async def warm(self, messages: Sequence[Message]) -> None:
        self.warm_requests.append(tuple(messages))

    async def close(self) -> None:
        """Do nothing: there is nothing to close."""


class FileScript:
    """Replies from a file, chosen by the request alone."""

    facts: ModelFacts = FACTS

    def __init__(self, name: str, cues: Sequence[ScriptCue]) -> None:
        self.name = name
        self._cues = tuple(cues)

    async def reply(self, request: ModelRequest, on_text: TextListener | None = None) -> ModelReply:
        cue = next((cue for cue in self._cues if _cue_matches(cue, request)), None)
        if cue is None:
            raise ModelError(f"No line of {self.name} fits: {_last_text(request)[:80]!r}", "Add a line to the script.")
        await asyncio.sleep(cue.delay)
        calls = tuple(
            ToolCall(id=f"call-{_turn(request)}-{number}", tool=call.tool, args=call.args)
            for number, call in enumerate(cue.calls)
        )
        return await stream_line(self.name, request, ModelReply(text=cue.text, calls=calls), on_text)

    async def warm(self, messages: Sequence[Message]) -> None:
        """Do nothing: there is no cache."""

    async def close(self) -> None:
        """Do nothing: there is nothing to close."""


class EchoModel(FileScript):
    """Repeats the last message."""

    def __init__(self) -> None:
        super().__init__("scripted", ())

    async def reply(self, request: ModelRequest, on_text: TextListener | None = None) -> ModelReply:
        return await stream_line(self.name, request, _last_text(request), on_text)


def load_script(path: Path) -> FileScript:
    """Read a script file; a ModelError says what is wrong with it, without its folder or content."""
    try:
        cues = TypeAdapter(tuple[ScriptCue, ...]).validate_json(read_plain_file(path, LARGEST_FILE))
    except (OSError, ValidationError) as error:
        why = (error.strerror or str(error)) if isinstance(error, OSError) else _describe_fault(error)
        raise ModelError(f"The script {path.name} cannot be read: {why}.", "Check the file and its name.") from None
    return FileScript(f"scripted:{path.name}", cues)


def _describe_fault(error: ValidationError) -> str:
    """Where a script is wrong and in what way; names and values in the file are not repeated."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    place = ".".join(str(part) for part in first["loc"] if isinstance(part, int))
    return f"it is no list of replies ({first['type']}{f' in entry {place}' if place else ''})"


async def stream_line(name: str, request: ModelRequest, line: ScriptLine, on_text: TextListener | None) -> ModelReply:
    """The line as a reply, streamed word by word, with an estimate of its usage."""
    said = line(request) if callable(line) else line
    reply = ModelReply(text=said) if isinstance(said, str) else said
    if on_text:
        await _stream(reply.reasoning, "reasoning", on_text)
        await _stream(reply.text, "content", on_text)
    usage = reply.usage
    if not usage.tokens:
        tokens = sum(estimate_tokens(message.text) for message in request.messages)
        usage = Usage(input=tokens, output=estimate_tokens(reply.text), estimated=True)
    return reply.model_copy(update={"usage": usage, "model": reply.model or name})


async def _stream(text: str, kind: TextKind, on_text: TextListener) -> None:
    for word in re.findall(r"\s*\S+|\s+$", text):
        on_text(word, kind)
        await asyncio.sleep(0)


def _cue_matches(cue: ScriptCue, request: ModelRequest) -> bool:
    return cue.when in _last_text(request) and cue.turn in (None, _turn(request))


def _turn(request: ModelRequest) -> int:
    return sum(message.role == "assistant" for message in request.messages)


def _last_text(request: ModelRequest) -> str:
    return next((message.text for message in reversed(request.messages) if message.role != "assistant"), "")

"""A model that says what it was told to: for tests, demos and rehearsals.

From Python, `Scripted(["Hello.", Reply(…), lambda request: …])` gives its replies in order and complains when they
run out. By name, `scripted:PATH.json` is a list of objects

    {"when": "words", "turn": 0, "text": "…", "calls": [{"tool": "click", "args": {"id": 3}}], "delay": 0.1}

and the first that fits the request answers: `when` must occur in the text of the last message that the model did not
write itself, `turn` must be the number of answers that the model has already given in the conversation; both are
optional, and an entry with neither fits always. The choice depends on nothing but the request, so a process that is
killed and started again goes on as if nothing had happened. Plain `scripted` repeats what it hears.
"""

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import Field, TypeAdapter, ValidationError

from pilotfish.core.errors import ModelError
from pilotfish.core.messages import Call, Facts, Message, Reply, Request
from pilotfish.core.usage import Usage
from pilotfish.core.values import Value
from pilotfish.llm.base import Hear, Kind
from pilotfish.llm.tokens import estimate

Line = str | Reply | Callable[[Request], Reply | str]
FACTS = Facts(window=32_768, answer=4096, tools=True, shapes=True, local=True, caches=True)


class Wish(Value):
    """A tool call in a script."""

    tool: str
    args: Mapping[str, Any] = Field(default_factory=dict)


class Cue(Value):
    """One entry of a script file."""

    when: str = ""
    turn: int | None = None
    text: str = ""
    calls: tuple[Wish, ...] = ()
    delay: float = 0.0


class Scripted:
    """Replies from a list, streamed word by word; `delay` seconds pass before each. `asked` keeps every request."""

    def __init__(
        self, replies: Sequence[Line], *, name: str = "scripted", facts: Facts = FACTS, delay: float = 0.0
    ) -> None:
        self.name = name
        self.facts = facts
        self.asked: list[Request] = []
        self.warmed: list[tuple[Message, ...]] = []
        self._replies = tuple(replies)
        self._delay = delay

    async def reply(self, request: Request, hear: Hear | None = None) -> Reply:
        self.asked.append(request)
        if len(self.asked) > len(self._replies):
            raise ModelError(f"The script has {len(self._replies)} replies and was asked for one more.")
        await asyncio.sleep(self._delay)
        return await spoken(self.name, request, self._replies[len(self.asked) - 1], hear)

    async def warm(self, messages: Sequence[Message]) -> None:
        self.warmed.append(tuple(messages))

    async def close(self) -> None:
        """There is nothing to close."""


class Script:
    """Replies from a file, chosen by the request alone."""

    facts: Facts = FACTS

    def __init__(self, name: str, cues: Sequence[Cue]) -> None:
        self.name = name
        self._cues = tuple(cues)

    async def reply(self, request: Request, hear: Hear | None = None) -> Reply:
        cue = next((cue for cue in self._cues if _fits(cue, request)), None)
        if cue is None:
            raise ModelError(f"No line of {self.name} fits: {_last(request)[:80]!r}", "Add a line to the script.")
        await asyncio.sleep(cue.delay)
        calls = tuple(
            Call(id=f"call-{_turn(request)}-{number}", tool=wish.tool, args=wish.args)
            for number, wish in enumerate(cue.calls)
        )
        return await spoken(self.name, request, Reply(text=cue.text, calls=calls), hear)

    async def warm(self, messages: Sequence[Message]) -> None:
        """There is no cache."""

    async def close(self) -> None:
        """There is nothing to close."""


class Echo(Script):
    """Repeats the last thing said."""

    def __init__(self) -> None:
        super().__init__("scripted", ())

    async def reply(self, request: Request, hear: Hear | None = None) -> Reply:
        return await spoken(self.name, request, _last(request), hear)


def load(path: Path) -> Script:
    """The script in a file; a ModelError says what is wrong with it."""
    try:
        cues = TypeAdapter(tuple[Cue, ...]).validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        why = " ".join(str(error).split())[:200]
        raise ModelError(f"The script {path} cannot be read: {why}", "Check the file and its name.") from error
    return Script(f"scripted:{path}", cues)


async def spoken(name: str, request: Request, line: Line, hear: Hear | None) -> Reply:
    """The line as a reply, heard word by word, with what it would have used."""
    said = line(request) if callable(line) else line
    reply = Reply(text=said) if isinstance(said, str) else said
    if hear:
        await _stream(reply.reasoning, "reasoning", hear)
        await _stream(reply.text, "content", hear)
    usage = reply.usage
    if not usage.tokens:
        heard = sum(estimate(message.text) for message in request.messages)
        usage = Usage(input=heard, output=estimate(reply.text), estimated=True)
    return reply.model_copy(update={"usage": usage, "model": reply.model or name})


async def _stream(text: str, kind: Kind, hear: Hear) -> None:
    for word in re.findall(r"\s*\S+|\s+$", text):
        hear(word, kind)
        await asyncio.sleep(0)


def _fits(cue: Cue, request: Request) -> bool:
    return cue.when in _last(request) and cue.turn in (None, _turn(request))


def _turn(request: Request) -> int:
    return sum(message.role == "assistant" for message in request.messages)


def _last(request: Request) -> str:
    return next((message.text for message in reversed(request.messages) if message.role != "assistant"), "")

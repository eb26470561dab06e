"""The embedded model: a llama.cpp server in a child process, shared by all who use the same file."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from pilotfish.core.errors import ModelError
from pilotfish.core.messages import Facts, Message, Reply, Request
from pilotfish.llm.base import Hear
from pilotfish.llm.facts import EMBEDDED
from pilotfish.llm.process import Process, State
from pilotfish.llm.remote import Remote
from pilotfish.llm.schema import simplified

_processes: dict[Path, Process] = {}


class Embedded:
    """A GGUF file as a model. Nothing is loaded before the first question or warming."""

    facts: Facts = EMBEDDED

    def __init__(self, name: str, path: Path, temperature: float = 0.0) -> None:
        self.name = name
        self._temperature = temperature
        self._process = _processes.setdefault(path.resolve(), Process(name, path.resolve()))
        self._process.users += 1
        self._closed = False

    @property
    def state(self) -> State:
        """How far the model is: idle, loading, ready or failed."""
        return self._process.state

    @property
    def pid(self) -> int | None:
        """The child process, while there is one."""
        return self._process.pid

    async def reply(self, request: Request, hear: Hear | None = None) -> Reply:
        shape = simplified(request.shape) if request.shape else None
        async with self._process.turn(request.messages) as remote:
            return await self._asked(remote, request.model_copy(update={"shape": shape}), hear)

    async def warm(self, messages: Sequence[Message]) -> None:
        """Have the prefix read now. A question with another prefix goes first; what was read so far stays read."""
        task = asyncio.create_task(self._read(tuple(messages)))
        self._process.warming[task] = tuple(messages)
        try:
            await asyncio.wait({task})
        finally:
            del self._process.warming[task]
            task.cancel()
        if not task.cancelled():
            task.result()

    async def close(self) -> None:
        """Let go of the process; the last one out ends it."""
        if self._closed:
            return
        self._closed = True
        self._process.users -= 1
        if self._process.users == 0:
            _processes.pop(self._process.path, None)
            await self._process.stop()

    async def _read(self, messages: tuple[Message, ...]) -> None:
        # Some chat templates refuse to end on a system message; a token of a question costs next to nothing.
        asked = messages if messages and messages[-1].role == "user" else (*messages, Message(role="user", text="."))
        async with self._process.turn() as remote:
            await self._asked(remote, Request(messages=asked, max_tokens=1), None)

    async def _asked(self, remote: Remote, request: Request, hear: Hear | None) -> Reply:
        if request.temperature is None:
            request = request.model_copy(update={"temperature": self._temperature})
        try:
            reply = await remote.reply(request, hear)
        except ModelError as error:
            if not error.transient or await self._process.alive():
                raise
            lost = f"The process of {self.name} ended unexpectedly. It starts again with the next question."
            raise ModelError(lost, "Ask again.", transient=True) from error
        return reply.model_copy(update={"model": self.name})

"""The embedded model: a llama.cpp server in a child process, shared by all users of the same file."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from pilotfish.core.errors import ModelError
from pilotfish.core.messages import Message, ModelFacts, ModelReply, ModelRequest
from pilotfish.llm.base import TextListener
from pilotfish.llm.model_facts import EMBEDDED_MODEL
from pilotfish.llm.model_process import ModelProcess, ProcessState
from pilotfish.llm.remote_model import RemoteModel
from pilotfish.llm.schema import simplify_schema

_processes: dict[tuple[Path, Path | None], ModelProcess] = {}


class EmbeddedModel:
    """A GGUF file as a model, with its adapter if it has one. It is loaded at the first question or warm-up."""

    facts: ModelFacts = EMBEDDED_MODEL

    def __init__(self, name: str, path: Path, temperature: float = 0.0, adapter: Path | None = None) -> None:
        self.name = name
        self._temperature = temperature
        self._key = (path.resolve(), adapter)
        self._process = _processes.setdefault(self._key, ModelProcess(name, *self._key))
        self._process.users += 1
        self._closed = False

    @property
    def state(self) -> ProcessState:
        """The state of the model: idle, loading, ready or failed."""
        return self._process.state

    @property
    def pid(self) -> int | None:
        """The child process, while there is one."""
        return self._process.pid

    async def reply(self, request: ModelRequest, on_text: TextListener | None = None) -> ModelReply:
        shape = simplify_schema(request.shape) if request.shape else None
        async with self._process.take_turn(request.messages) as remote:
            return await self._ask_remote(remote, request.model_copy(update={"shape": shape}), on_text)

    async def warm(self, messages: Sequence[Message]) -> None:
        """Read the prefix now. A question with another prefix goes first; what was read so far stays cached."""
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
        """Release the process; the last user ends it."""
        if self._closed:
            return
        self._closed = True
        self._process.users -= 1
        if self._process.users == 0:
            _processes.pop(self._key, None)
            await self._process.stop()

    async def _read(self, messages: tuple[Message, ...]) -> None:
        # Some chat templates refuse to end with a system message; one token of a question costs little.
        asked = messages if messages and messages[-1].role == "user" else (*messages, Message(role="user", text="."))
        async with self._process.take_turn() as remote:
            await self._ask_remote(remote, ModelRequest(messages=asked, max_tokens=1), None)

    async def _ask_remote(self, remote: RemoteModel, request: ModelRequest, on_text: TextListener | None) -> ModelReply:
        if request.temperature is None:
            request = request.model_copy(update={"temperature": self._temperature})
        try:
            reply = await remote.reply(request, on_text)
        except ModelError as error:
            if not error.transient or await self._process.is_alive():
                raise
            lost = f"The process of {self.name} ended unexpectedly. It starts again with the next question."
            raise ModelError(lost, "Ask again.", transient=True) from error
        return reply.model_copy(update={"model": self.name})

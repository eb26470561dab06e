"""Starts the embedded model's child process on demand, restarts it after a crash, and queues its callers."""

import asyncio
import contextlib
import json
import os
import secrets
import sys
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from pilotfish.core.errors import ModelError
from pilotfish.core.messages import Message
from pilotfish.llm.catalog import CATALOG, corrupt_file_error, is_intact
from pilotfish.llm.embedded_server import ServeOrder
from pilotfish.llm.machine import count_cores
from pilotfish.llm.model_facts import EMBEDDED_MODEL
from pilotfish.llm.remote_model import RemoteModel

ProcessState = Literal["idle", "loading", "ready", "failed"]
_ANSWER_TIMEOUT = 900.0  # a long prompt on a slow machine gives no output for minutes
# By default llama.cpp's threads spin while they wait for each other. If another process needs a core, they waste
# their time: a busy machine made 1.6 tokens a second with spinning, 9 to 11 without.
_NO_SPINNING = {"GOMP_SPINCOUNT": "1000"}
# Models that think would spend minutes on it before each answer. Other templates know no such argument.
_TEMPLATE = {"chat_template_kwargs": {"enable_thinking": False}}
ModelBuilder = Callable[[str, str, str], RemoteModel]
_CLOSE_TIMEOUT = 5.0


class ModelProcess:
    """A child that serves one file. `take_turn` queues callers, since the child answers one question at a time."""

    def __init__(self, name: str, path: Path, adapter: Path | None = None) -> None:
        self.name = name
        self.path = path
        self.adapter = adapter
        self.users = 0
        self.state: ProcessState = "idle"
        self.warming: dict[asyncio.Task[None], tuple[Message, ...]] = {}
        self._lock = asyncio.Lock()
        self._child: asyncio.subprocess.Process | None = None
        self._loading: asyncio.Task[RemoteModel] | None = None

    @property
    def pid(self) -> int | None:
        return self._child.pid if self._child else None

    async def is_alive(self) -> bool:
        """Whether the child still runs. It waits a moment, in case an exit is just being noticed."""
        if self._child is None:
            return False
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._child.wait(), 0.5)
        return self._child.returncode is None

    @contextlib.asynccontextmanager
    async def take_turn(self, messages: Sequence[Message] = ()) -> AsyncGenerator[RemoteModel, None]:
        """The running model, for one caller. A question goes before any warming that does not help it."""
        for task, prefix in self.warming.items():
            if messages and tuple(messages[: len(prefix)]) != prefix:
                task.cancel()
        async with self._lock:
            yield await self._ensure_running()

    async def stop(self) -> None:
        """End the child: closing its input is enough, killing is for one that hangs."""
        if self._loading:
            self._loading.cancel()
            await asyncio.wait({self._loading})
        await self._end()
        self.state = "idle"

    async def _ensure_running(self) -> RemoteModel:
        if self._loading is None or (self._loading.done() and not self._is_serving(self._loading)):
            await self._end()
            self._loading = asyncio.create_task(self._load())
        # Stopping one caller must not end the loading that the next one waits for.
        return await asyncio.shield(self._loading)

    def _is_serving(self, loaded: asyncio.Task[RemoteModel]) -> bool:
        running = self._child is not None and self._child.returncode is None
        return running and not loaded.cancelled() and loaded.exception() is None

    async def _load(self) -> RemoteModel:
        self.state = "loading"
        key = secrets.token_urlsafe(24)
        order = ServeOrder(
            path=str(self.path),
            key=key,
            context=EMBEDDED_MODEL.window,
            threads=count_cores(),
            adapter=str(self.adapter or ""),
        )
        self._child = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "pilotfish.llm.embedded_server"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env=_NO_SPINNING | os.environ,
            start_new_session=True,  # Ctrl-C is for us to handle
        )
        assert self._child.stdin and self._child.stdout
        self._child.stdin.write(json.dumps(order).encode() + b"\n")
        line, build = await asyncio.gather(self._child.stdout.readline(), asyncio.to_thread(_make_builder))
        reply = json.loads(line or b"{}")
        if "url" not in reply:
            self.state = "failed"
            raise await self._load_error(reply.get("error", "it ended while loading, perhaps for want of memory"))
        self.state = "ready"
        return replace(build(self.name, reply["url"], key), adapter=self.adapter is not None)

    async def _load_error(self, why: str) -> ModelError:
        entry = next((entry for entry in CATALOG.values() if entry.file == self.path.name), None)
        if entry and not await asyncio.to_thread(is_intact, self.path, entry):
            return corrupt_file_error(entry.name, self.path)
        return ModelError(
            f"The model file {self.path} cannot be loaded: {why}", "Free some memory, or use another model."
        )

    async def _end(self) -> None:
        loaded, self._loading = self._loading, None
        if loaded and not loaded.cancelled() and not loaded.exception():
            await loaded.result().close()
        child, self._child = self._child, None
        if child is None:
            return
        assert child.stdin
        child.stdin.close()
        try:
            await asyncio.wait_for(child.wait(), _CLOSE_TIMEOUT)
        except TimeoutError:
            child.kill()
            await child.wait()


def _make_builder() -> ModelBuilder:
    """Import the HTTP client for the child, which takes a second or two, while the child loads the model."""
    from httpx2 import AsyncClient, Limits, Timeout
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    def build(name: str, url: str, key: str) -> RemoteModel:
        # The server drops idle connections without notice, so none is kept; new ones on loopback are fast.
        http = AsyncClient(
            timeout=Timeout(_ANSWER_TIMEOUT, connect=30.0), limits=Limits(max_keepalive_connections=0), trust_env=False
        )
        provider = OpenAICompatibleProvider("embedded", base_url=f"{url}/v1", api_key=key, http_client=http)
        inner = OpenAIChatModel("embedded", provider=provider, profile=OpenAIModelProfile(json_schema_transformer=None))
        return RemoteModel(name, EMBEDDED_MODEL, inner, http, _list_no_models, extra=_TEMPLATE)

    return build


async def _list_no_models() -> list[str]:
    return []

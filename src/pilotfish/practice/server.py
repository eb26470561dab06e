"""The site on two loopback ports (two origins), served inside the running loop."""

import asyncio
import socket
from collections.abc import Callable, Generator
from contextlib import contextmanager
from copy import deepcopy
from types import TracebackType
from typing import Self
from urllib.parse import urlencode, urljoin

import uvicorn

from pilotfish.core.sockets import listen, url
from pilotfish.practice.site import build
from pilotfish.practice.worlds import Effect, State, Worlds

TAKEN = "If the practice site is there already, use it; else choose another --port."


class _Server(uvicorn.Server):
    """Uvicorn that says when it listens and leaves signals to whoever runs the loop."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = asyncio.Event()

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready.set()


class Practice:
    """The running site: `async with Practice() as site: ... site.url`."""

    def __init__(self, host: str = "127.0.0.1", port: int = 0, second_port: int = 0) -> None:
        self._host = host
        self._ports = (port, second_port)
        self._worlds = Worlds()
        self.url = ""
        self.other_url = ""

    async def __aenter__(self) -> Self:
        listeners = [listen(self._host, port, TAKEN) for port in self._ports]
        self.url, self.other_url = map(url, listeners)
        app = build(self._worlds, self.other_url)
        config = uvicorn.Config(app, log_config=None, lifespan="off", ws="none", timeout_graceful_shutdown=1)
        self._server = _Server(config)
        self._serving = asyncio.create_task(self._server.serve(listeners))
        await self._server.ready.wait()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.should_exit = True
        await self._serving

    def address(self, path: str = "/", world: str = "main", seed: int = 0) -> str:
        """Where a visitor of `world` begins."""
        mark = "&" if "?" in path else "?"
        return urljoin(self.url, path) + mark + urlencode({"world": world, "seed": seed})

    def log(self, world: str = "main") -> list[Effect]:
        return list(self._worlds.get(world).log)

    def state(self, world: str = "main") -> State:
        return deepcopy(self._worlds.get(world).state)

    def reset(self, world: str = "main", seed: int = 0) -> None:
        self._worlds.reset(world, seed)


async def serve(host: str = "127.0.0.1", port: int = 0, ready: Callable[[str], object] | None = None) -> None:
    """Serve until cancelled; `ready` is told the address."""
    async with Practice(host, port) as site:
        if ready:
            ready(site.url)
        await asyncio.Event().wait()

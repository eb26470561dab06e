"""Serves the site on two loopback ports (two origins), inside the running loop."""

import asyncio
from collections.abc import Callable
from copy import deepcopy
from types import TracebackType
from typing import Self
from urllib.parse import urlencode, urljoin

from pilotfish.core.sockets import listen, socket_url
from pilotfish.practice.loopback import serve_app
from pilotfish.practice.site import build
from pilotfish.practice.worlds import PracticeWorlds, SiteEffect, State

PORT_TAKEN = "If the practice site is there already, use it; else choose another --port."


class Practice:
    """The running site: `async with Practice() as site: ... site.url`."""

    def __init__(self, host: str = "127.0.0.1", port: int = 0, second_port: int = 0) -> None:
        self._host = host
        self._ports = (port, second_port)
        self._worlds = PracticeWorlds()
        self.url = ""
        self.other_url = ""

    async def __aenter__(self) -> Self:
        listeners = [listen(self._host, port, PORT_TAKEN) for port in self._ports]
        self.url, self.other_url = map(socket_url, listeners)
        app = build(self._worlds, self.other_url)
        self._serving = serve_app(app, *listeners)
        await self._serving.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._serving.__aexit__(kind, error, trace)

    def address(self, path: str = "/", world: str = "main", seed: int = 0) -> str:
        """Where a visitor of `world` begins."""
        mark = "&" if "?" in path else "?"
        return urljoin(self.url, path) + mark + urlencode({"world": world, "seed": seed})

    def log(self, world: str = "main") -> list[SiteEffect]:
        return list(self._worlds.get(world).log)

    def state(self, world: str = "main") -> State:
        return deepcopy(self._worlds.get(world).state)

    def reset(self, world: str = "main", seed: int = 0) -> None:
        self._worlds.reset(world, seed)


async def serve(host: str = "127.0.0.1", port: int = 0, ready: Callable[[str], object] | None = None) -> None:
    """Serve until cancelled; `ready` is called with the address."""
    async with Practice(host, port) as site:
        if ready:
            ready(site.url)
        await asyncio.Event().wait()

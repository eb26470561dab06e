"""The server: every protocol over one app, in this process, until told to stop."""

import asyncio
import gc
import signal
import socket
import sys
import time
from collections.abc import Callable, Generator
from contextlib import AsyncExitStack, contextmanager
from typing import TYPE_CHECKING

import uvicorn
from fastapi import FastAPI
from starlette.routing import Route

from pilotfish import __version__
from pilotfish.app import Pilotfish
from pilotfish.core.sockets import listen, url
from pilotfish.interfaces import agui, auth, live, logs, mcp, openai, pages, problems, sse, ws
from pilotfish.interfaces.buckets import Buckets
from pilotfish.interfaces.gate import Gate
from pilotfish.interfaces.http import (
    again,
    conversations,
    costs,
    exports,
    files,
    health,
    memory,
    models,
    people,
    practice,
    runs,
    safety,
    settings,
    tabs,
)

if TYPE_CHECKING:
    from fastapi.routing import APIRoute

    from pilotfish.core.settings import Settings

TAKEN = "If Pilotfish runs there already, open it; else choose another port with PILOTFISH_SERVER__PORT."
GRACE = 2
SWITCH = 0.0005
MESSAGE = 20_000_000
# Those first that are asked for most: routes are tried in their order.
PARTS = (
    sse,
    runs,
    auth,
    health,
    again,
    exports,
    ws,
    tabs,
    files,
    live,
    conversations,
    models,
    settings,
    people,
    memory,
    safety,
    practice,
    costs,
    openai,
    agui,
    pages,
)


def create(fish: Pilotfish) -> FastAPI:
    """The ASGI app over a Pilotfish."""
    app = FastAPI(
        title="Pilotfish",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        generate_unique_id_function=_named,
    )
    app.state.fish = fish
    app.state.began = time.monotonic()
    app.state.streams = set()
    app.state.press = sse.Press()
    app.state.guesses = Buckets(rate=0.2, burst=20)
    app.state.files = pages.files()
    problems.install(app)
    app.state.practice = None
    app.state.stack = AsyncExitStack()
    door = mcp.Door(fish)
    app.state.stack.push_async_callback(door.close)
    app.router.routes.append(Route("/mcp", door, include_in_schema=False))
    for part in PARTS:
        app.include_router(part.router)
    server = fish.settings.server
    app.add_middleware(Gate, people=fish.people, host=server.host, hosts=server.hosts)
    return app


def _named(route: "APIRoute") -> str:
    return route.name


class Server(uvicorn.Server):
    """Uvicorn that says when it listens, ends open streams when it stops, and lets its owner clean up after it."""

    def __init__(self, app: FastAPI) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,
                ws_max_size=MESSAGE,
                timeout_graceful_shutdown=GRACE,
            )
        )
        self.app = app
        self.ready = asyncio.Event()

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Stop on the signals that ask for it. They are not raised again, or runs could not be parked."""
        loop = asyncio.get_running_loop()
        wanted = (signal.SIGINT, signal.SIGTERM)
        try:
            for each in wanted:
                loop.add_signal_handler(each, self.handle_exit, each, None)
        except (NotImplementedError, ValueError, RuntimeError):
            yield
            return
        try:
            yield
        finally:
            for each in wanted:
                loop.remove_signal_handler(each)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        for each in sockets or ():
            self.app.state.fish.guard(each.getsockname()[1])
        await super().startup(sockets)
        self.ready.set()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for stream in list(self.app.state.streams):
            stream.cancel()
        await self.app.state.stack.aclose()
        await super().shutdown(sockets)


def listener(host: str, port: int) -> socket.socket:
    """A socket at the address, or what is in the way."""
    return listen(host, port, TAKEN)


async def serve(
    settings: "Settings | None" = None,
    open_browser: bool = False,
    ready: Callable[[str], object] = print,
    runs: int | None = None,
) -> None:
    """Serve until stopped; `ready` is told the address to open, with the token in it."""
    # A thread that comes back from the database gets its turn soon, also while many readers come at once.
    sys.setswitchinterval(SWITCH)
    async with Pilotfish(settings, runs=runs) as fish:
        logs.install(fish.settings.log)
        with listener(fish.settings.server.host, fish.settings.server.port) as at:
            server = Server(create(fish))
            serving = asyncio.create_task(server.serve([at]))
            await asyncio.wait({serving, asyncio.create_task(server.ready.wait())}, return_when="FIRST_COMPLETED")
            way = f"{url(at)}/enter?token={fish.people.key}"
            # What the start made stays to the end: no need to look for garbage in it again and again.
            gc.freeze()
            ready(way)
            if open_browser:
                import webbrowser

                await asyncio.to_thread(webbrowser.open, way)
            await serving

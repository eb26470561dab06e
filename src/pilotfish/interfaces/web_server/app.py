"""The server: all protocols over one app, in this process, until it is stopped."""

import asyncio
import gc
import logging
import signal
import socket
import sys
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import AsyncExitStack, contextmanager
from typing import TYPE_CHECKING, Any

import uvicorn
from fastapi import FastAPI
from starlette.routing import Route

from pilotfish import __version__
from pilotfish.app import Pilotfish
from pilotfish.core.sockets import listen, socket_url
from pilotfish.interfaces import logs
from pilotfish.interfaces.http import (
    answers,
    conversations,
    costs,
    exports,
    extension,
    files,
    health,
    logins,
    memory,
    models,
    notices,
    practice,
    push,
    repeats,
    runs,
    safety,
    schedules,
    settings,
    shortcuts,
    tabs,
    users,
)
from pilotfish.interfaces.protocols import agui, openai, openai_responses
from pilotfish.interfaces.protocols.client_calls import ClientCalls
from pilotfish.interfaces.protocols.mcp_endpoint import McpEndpoint
from pilotfish.interfaces.web_server import event_stream, problems, sign_in, static_files
from pilotfish.interfaces.web_server.access_gate import AccessGate
from pilotfish.interfaces.web_server.open_streams import OpenStreams
from pilotfish.interfaces.web_server.rate_limit import RateLimiter
from pilotfish.interfaces.websocket import chat_socket, extension_socket, live_view
from pilotfish.services.retention import apply_retention_hourly

if TYPE_CHECKING:
    from fastapi.routing import APIRoute

    from pilotfish.core.settings import ServerSettings, Settings

PORT_TAKEN = "If Pilotfish runs there already, open it; else choose another port with --port."
SHUTDOWN_SECONDS = 2
log = logging.getLogger(__name__)
SWITCH_INTERVAL = 0.0005
LARGEST_MESSAGE = 20_000_000
# The most used first: routes are tried in their order.
PARTS = (
    event_stream,
    runs,
    sign_in,
    health,
    repeats,
    exports,
    chat_socket,
    tabs,
    files,
    live_view,
    extension_socket,
    extension,
    conversations,
    models,
    settings,
    users,
    memory,
    safety,
    logins,
    shortcuts,
    practice,
    costs,
    schedules,
    notices,
    push,
    answers,
    openai,
    openai_responses,
    agui,
    static_files,
)


def create_app(fish: Pilotfish, server: "ServerSettings | None" = None) -> FastAPI:
    """The ASGI app over a Pilotfish; `server` says where it is served, if not where the settings say."""
    app = FastAPI(
        title="Pilotfish",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        generate_unique_id_function=_operation_id,
    )
    app.state.fish = fish
    app.state.began = time.monotonic()
    app.state.streams = OpenStreams(fish.users)
    app.state.client_calls = ClientCalls()
    app.state.encoder = event_stream.EventEncoder()
    app.state.guesses = RateLimiter(rate=0.2, burst=20)
    app.state.files = static_files.list_files()
    problems.install_handlers(app)
    app.state.practice = None
    app.state.stack = AsyncExitStack()
    mcp_endpoint = McpEndpoint(fish)
    app.state.stack.push_async_callback(mcp_endpoint.close)
    app.router.routes.append(Route("/mcp", mcp_endpoint, include_in_schema=False))
    for part in PARTS:
        app.include_router(part.router)
    app.add_middleware(AccessGate, people=fish.users, server=server or fish.settings.server)
    return app


def _operation_id(route: "APIRoute") -> str:
    return route.name


class AppServer(uvicorn.Server):
    """Uvicorn that signals when it listens, ends open streams when it stops, and does not exit the process."""

    def __init__(self, app: FastAPI) -> None:
        proxies: tuple[str, ...] = app.state.fish.settings.server.proxies
        super().__init__(
            uvicorn.Config(
                app,
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=bool(proxies),
                forwarded_allow_ips=list(proxies),
                ws_max_size=LARGEST_MESSAGE,
                # Most connections are within this machine, where packing costs more than sending.
                ws_per_message_deflate=False,
                timeout_graceful_shutdown=SHUTDOWN_SECONDS,
            )
        )
        self.app = app
        self.ready = asyncio.Event()

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Stop on SIGINT and SIGTERM. They are not raised again, or runs could not be released."""
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

    def handle_exit(self, sig: int, frame: Any) -> None:
        runs = len(self.app.state.fish.engine.driving)
        log.info("%s: stopping; %d runs wait for the next start or another worker", signal.Signals(sig).name, runs)
        super().handle_exit(sig, frame)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        for each in sockets or ():
            self.app.state.fish.block_port(each.getsockname()[1])
            self.app.state.fish.notices.address = socket_url(each)
        await super().startup(sockets)
        self.ready.set()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.app.state.streams.end_all()
        await self.app.state.stack.aclose()
        await super().shutdown(sockets)


def open_listener(host: str, port: int) -> socket.socket:
    """A listening socket at the address, or an error that says why there is none."""
    return listen(host, port, PORT_TAKEN)


async def serve(
    settings: "Settings | None" = None,
    open_browser: bool = False,
    ready: Callable[[str], object] = print,
    runs: int | None = None,
    where: Mapping[str, Any] | None = None,
) -> None:
    """Serve until stopped; `ready` is called with the address to open, which contains the token.

    `where` (host, port) overrides the settings.
    """
    # Threads that return from the database run soon, also while many readers connect at once.
    sys.setswitchinterval(SWITCH_INTERVAL)
    async with Pilotfish(settings, runs=runs) as fish:
        logs.install_logging(fish.settings.log)
        place = fish.settings.server.model_copy(update=dict(where or {}))
        with open_listener(place.host, place.port) as at:
            server, way = AppServer(create_app(fish, place)), f"{socket_url(at)}/enter?token={fish.users.local_token}"
            serving = asyncio.create_task(server.serve([at]))
            await asyncio.wait({serving, asyncio.create_task(server.ready.wait())}, return_when="FIRST_COMPLETED")
            if not server.should_exit:
                # Objects made at the start live to the end: the garbage collector need not scan them.
                gc.freeze()
                ready(way)
            if open_browser and not server.should_exit:
                import webbrowser

                await asyncio.to_thread(webbrowser.open, way)
            tidying = asyncio.create_task(apply_retention_hourly(fish))
            await serving
            tidying.cancel()
    log.info("stopped")

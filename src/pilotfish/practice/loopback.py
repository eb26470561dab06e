"""Serves an ASGI app on open sockets inside the running event loop."""

import asyncio
import socket
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import uvicorn


class LoopbackServer(uvicorn.Server):
    """Uvicorn that sets `ready` when it listens and leaves signals to the owner of the event loop."""

    def __init__(self, app: Any) -> None:
        super().__init__(uvicorn.Config(app, log_config=None, lifespan="off", ws="none", timeout_graceful_shutdown=1))
        self.ready = asyncio.Event()

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready.set()


@asynccontextmanager
async def serve_app(app: Any, *listeners: socket.socket) -> AsyncGenerator[None]:
    """Serve the app until the block ends."""
    server = LoopbackServer(app)
    serving = asyncio.create_task(server.serve(list(listeners)))
    await server.ready.wait()
    try:
        yield
    finally:
        server.should_exit = True
        await serving

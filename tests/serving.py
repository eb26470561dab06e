"""Serves an app on a real port of loopback, for tests."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from pilotfish.app import Pilotfish
from pilotfish.core.sockets import socket_url
from pilotfish.interfaces.web_server.app import AppServer, create_app, open_listener

PATIENCE = 20


@asynccontextmanager
async def serve_pilotfish(fish: Pilotfish, port: int = 0) -> AsyncGenerator[tuple[AppServer, str]]:
    """Start a server for an open app; yields the server and its address."""
    with open_listener("127.0.0.1", port) as listener:
        server = AppServer(create_app(fish))
        serving = asyncio.create_task(server.serve([listener]))
        await asyncio.wait_for(server.ready.wait(), PATIENCE)
        try:
            yield server, socket_url(listener)
        finally:
            server.should_exit = True
            await serving

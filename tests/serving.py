"""Serves an app on a real port of loopback, and watches its live view, for tests."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from pilotfish.app import Pilotfish
from pilotfish.core.sockets import socket_url
from pilotfish.interfaces.web_server.app import AppServer, create_app, open_listener

PATIENCE = 20
POND = (
    "data:text/html,<title>Pond</title><body style='margin:0'><input id=a style='width:300px;height:100px'>"
    "<button style='position:fixed;left:0;top:200px;width:200px;height:100px' "
    "onclick='document.title=a.value'>Go</button>"
)
"""A page whose button gives it the title that was typed."""


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


@asynccontextmanager
async def view(url: str, token: str, conversation: str) -> AsyncGenerator[ClientConnection]:
    """Open the live view of a conversation."""
    at = f"{url.replace('http', 'ws')}/api/conversations/{conversation}/live"
    async with connect(at, additional_headers={"authorization": f"Bearer {token}"}, max_size=None) as line:
        yield line


async def receive_message(line: ClientConnection, kind: str) -> Any:
    """The next message of a type; `bytes` is a frame."""
    async with asyncio.timeout(PATIENCE):
        while True:
            message = await line.recv()
            if isinstance(message, bytes):
                if kind == "bytes":
                    return message
            elif (told := json.loads(message))["type"] == kind:
                return told

"""Keeps a connection open to each MCP client that said hello over HTTP, so that the server can ask it something."""

import asyncio
import logging
import math
import secrets
from typing import TYPE_CHECKING, Any

import anyio

from pilotfish.interfaces.protocols.mcp_sessions import IDLE_SECONDS

if TYPE_CHECKING:
    from mcp.server import Server
    from mcp.server.streamable_http import StreamableHTTPServerTransport

log = logging.getLogger(__name__)
MOST_CONNECTIONS = 100
"""Connections of one user in one process; with more, the one that rested longest is closed."""


class McpConnections:
    """The connections by user and session, the one used last at the end."""

    def __init__(self, server: "Server[Any]") -> None:
        self.server = server
        self._open: dict[tuple[str, str], StreamableHTTPServerTransport] = {}
        self._tasks: dict[tuple[str, str], asyncio.Task[None]] = {}

    def find(self, user: str, session: str) -> "StreamableHTTPServerTransport | None":
        """The connection of a session; None where this process has none, or another user has it."""
        if (connection := self._open.pop((user, session), None)) is None:
            return None
        self._open[user, session] = connection
        return connection

    async def open(self, user: str) -> "StreamableHTTPServerTransport":
        """Open the connection of a new session."""
        from mcp.server.streamable_http import StreamableHTTPServerTransport

        mine = [key for key in self._open if key[0] == user]
        if len(mine) >= MOST_CONNECTIONS:
            await self.end(*next((key for key in mine if is_resting(self._open[key])), mine[0]))
        session = secrets.token_hex(16)
        connection = StreamableHTTPServerTransport(mcp_session_id=session, idle_timeout=IDLE_SECONDS)
        key, ready = (user, session), asyncio.Event()
        self._open[key] = connection
        self._tasks[key] = task = asyncio.create_task(self._serve(key, connection, ready))
        task.add_done_callback(log_failure)
        await ready.wait()
        return connection

    async def end(self, user: str, session: str) -> None:
        """Close the connection of a session, with the calls under way."""
        self._open.pop((user, session), None)
        if task := self._tasks.get((user, session)):
            task.cancel()
            await asyncio.wait([task])

    async def close(self) -> None:
        for key in list(self._tasks):
            await self.end(*key)

    async def _serve(
        self, key: tuple[str, str], connection: "StreamableHTTPServerTransport", ready: asyncio.Event
    ) -> None:
        """Serve a connection until it was idle for long."""
        try:
            async with connection.connect() as (received, sent):
                ready.set()
                with connection.idle_scope or anyio.CancelScope():
                    await self.server.run(received, sent, self.server.create_initialization_options())
        finally:
            ready.set()
            self._open.pop(key, None)
            self._tasks.pop(key, None)
            with anyio.CancelScope(shield=True):
                await connection.terminate()


def is_resting(connection: "StreamableHTTPServerTransport") -> bool:
    """Whether no request is under way; the time at which it is closed is set when the last one ends."""
    return connection.idle_scope is not None and math.isfinite(connection.idle_scope.deadline)


def log_failure(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()):
        log.error("A connection of an MCP client failed: %r", error)

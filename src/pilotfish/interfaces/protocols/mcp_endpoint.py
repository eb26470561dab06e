"""MCP over streamable HTTP, at /mcp.

A client that says hello has a session: questions can be put to it while it waits, and when it gives a call up the run
stops. A request that names a session which this process does not know, as after a restart, is served by itself in the
same tabs; then questions come as text. Clients of the protocol without a hello are served request by request too.
"""

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import anyio
from pydantic_core import from_json
from starlette.datastructures import Headers
from starlette.responses import Response

from pilotfish.app import Pilotfish
from pilotfish.interfaces.protocols.mcp import CALL, McpServer
from pilotfish.interfaces.protocols.mcp_connections import McpConnections
from pilotfish.interfaces.protocols.mcp_sessions import HEADER
from pilotfish.interfaces.web_server.open_streams import OpenStreams, find_user

if TYPE_CHECKING:
    from mcp.server.streamable_http import StreamableHTTPServerTransport
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
    from starlette.types import Message, Receive, Scope, Send


class McpEndpoint:
    """The ASGI app. The library is loaded by the first request."""

    def __init__(self, fish: Pilotfish) -> None:
        self.server = McpServer(fish)
        self._ready: asyncio.Future[tuple[StreamableHTTPSessionManager, McpConnections]] | None = None
        self._holding: asyncio.Task[None] | None = None

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        if self._ready is None:
            self._ready = asyncio.get_running_loop().create_future()
            self._holding = asyncio.create_task(self._hold(self._ready))
        single, connections = await asyncio.shield(self._ready)
        session = Headers(scope=scope).get(HEADER, "")
        if scope["method"] == "POST":
            opens, receive = (False, receive) if session else await read_opening(receive)
            user = find_user(scope)
            connection = await connections.open(user) if opens else connections.find(user, session)
            await self._serve(connection or single, scope, receive, send)
            return
        # There is no stream besides the answers; a client that leaves says so.
        if scope["method"] == "DELETE":
            await connections.end(find_user(scope), session)
            await self.server.sessions.end(scope["state"]["user"], session)
        await Response(status_code=204 if scope["method"] == "DELETE" else 405)(scope, receive, send)

    async def _serve(
        self,
        served: "StreamableHTTPServerTransport | StreamableHTTPSessionManager",
        scope: "Scope",
        receive: "Receive",
        send: "Send",
    ) -> None:
        """Serve one request, until its token is revoked. A call that goes on when its client has left is ended."""
        streams: OpenStreams = scope["app"].state.streams
        streams.check_room(scope)
        scope["state"][CALL] = call = anyio.CancelScope()
        with anyio.CancelScope() as until_revoked:
            streams.add(until_revoked, scope)
            try:
                await served.handle_request(scope, receive, send)
            finally:
                call.cancel()
                streams.discard(until_revoked)

    async def _hold(self, ready: "asyncio.Future[Any]") -> None:
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

        server = self.server.server()
        manager, connections = StreamableHTTPSessionManager(server, stateless=True), McpConnections(server)
        async with manager.run():
            ready.set_result((manager, connections))
            try:
                await self.server.sessions.close_idle()
            finally:
                await connections.close()

    async def close(self) -> None:
        if self._holding is not None:
            self._holding.cancel()
            with suppress(asyncio.CancelledError):
                await self._holding


async def read_opening(receive: "Receive") -> "tuple[bool, Receive]":
    """Whether a request is a client's hello, and the request to be received again."""
    held: list[Message] = [await receive()]
    while held[-1].get("more_body"):
        held.append(await receive())
    try:
        said: Any = from_json(b"".join(message.get("body", b"") for message in held))
    except ValueError:
        said = None

    async def receive_again() -> "Message":
        return held.pop(0) if held else await receive()

    return isinstance(said, dict) and said.get("method") == "initialize", receive_again

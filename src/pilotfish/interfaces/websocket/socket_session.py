"""What the sockets share: a task group that ends with the connection, the client's messages, and errors as messages."""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import anyio
from anyio.abc import TaskGroup
from starlette.websockets import WebSocket, WebSocketDisconnect

from pilotfish.core.errors import PilotfishError
from pilotfish.interfaces.web_server.problems import problem_for

if TYPE_CHECKING:
    from pilotfish.interfaces.web_server.open_streams import OpenStreams


@asynccontextmanager
async def open_task_group(socket: WebSocket) -> AsyncGenerator[TaskGroup]:
    """A task group that ends with the body, or when the client leaves, its token is revoked or the server stops."""
    streams: OpenStreams = socket.app.state.streams
    async with anyio.create_task_group() as group:
        streams.add(group.cancel_scope, socket.scope)
        try:
            yield group
        except WebSocketDisconnect:
            pass
        finally:
            streams.discard(group.cancel_scope)
            group.cancel_scope.cancel()


async def read_messages(socket: WebSocket) -> AsyncIterator[str | bytes]:
    """The client's messages, until it leaves."""
    while (message := await socket.receive())["type"] != "websocket.disconnect":
        yield message.get("text") or message.get("bytes") or b""


def error_message(error: PilotfishError) -> dict[str, Any]:
    """An error as a message to the client."""
    problem = problem_for(error)
    return {"type": "error", "code": problem.code, "message": problem.detail, "fix": problem.fix}

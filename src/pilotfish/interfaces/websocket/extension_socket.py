"""`/ws/extension`: the connection between the server and the extension in a person's Chrome."""

import json
from collections.abc import Mapping
from typing import Any

import anyio
from fastapi import APIRouter, WebSocket

from pilotfish.app import Pilotfish
from pilotfish.interfaces.web_server.access_gate import user_of
from pilotfish.interfaces.websocket.socket_session import open_task_group

router = APIRouter()
NOT_AN_EXTENSION = 1008


@router.websocket("/ws/extension")
async def serve_extension(socket: WebSocket) -> None:
    """Exchange requests and notices until the extension leaves or its token is revoked."""
    fish: Pilotfish = socket.app.state.fish
    me, token = user_of(socket), str(socket.scope["state"]["token"])
    record = await fish.users.token_record(token)
    await socket.accept(subprotocol="pilotfish" if "pilotfish" in socket.scope["subprotocols"] else None)
    if record is None or record.kind != "extension":
        await socket.close(NOT_AN_EXTENSION, "Only a paired extension connects here.")
        return
    turn = anyio.Lock()

    async def send(message: Mapping[str, Any]) -> None:
        async with turn:
            await socket.send_text(json.dumps(message, ensure_ascii=False))

    async with open_task_group(socket) as group:

        def touched(conversation: str) -> None:
            group.start_soon(pause_runs, fish, me.id, conversation)

        extension = await fish.extensions.join(record, send, touched)
        try:
            while True:
                message = json.loads(await socket.receive_text())
                if message == {}:
                    # A sign of life, which is answered: so the extension notices a dead connection.
                    await send({})
                elif isinstance(message, dict):
                    extension.link.receive(message)
        except (ValueError, KeyError):
            pass
        finally:
            with anyio.CancelScope(shield=True):
                await fish.extensions.leave(extension)


async def pause_runs(fish: Pilotfish, user: str, conversation: str) -> None:
    """Pause the runs of a conversation, because the person touched a tab that the agent uses."""
    for run in await fish.runs(user=user, conversation=conversation):
        if run.state in ("running", "queued"):
            await fish.command(run.id, "pause", text="the person touched a tab that the agent uses", by=user)

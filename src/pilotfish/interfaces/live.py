"""The live view of a conversation's browser: JPEG frames out, mouse and keys in, on one socket.

Out: `{"type": "frame", "tab", "width", "height"}` whenever these change, and each frame as a binary message; `aim` says
what the agent is about to touch. A viewer that is slow gets the latest only. In: `mouse`, `wheel`, `key` and `paste`
(see `core.hands`); `take_over` pauses the conversation's runs, `hand_back` lets them go on. What cannot be done is
answered with `error`.
"""

from contextlib import aclosing
from typing import Literal

import anyio
from fastapi import APIRouter, WebSocket
from pydantic import TypeAdapter, ValidationError
from starlette.websockets import WebSocketDisconnect

from pilotfish.app import Pilotfish
from pilotfish.core.errors import PilotfishError
from pilotfish.core.hands import Aim, Gesture
from pilotfish.core.people import User
from pilotfish.core.records import Conversation
from pilotfish.core.values import Value
from pilotfish.interfaces.gate import whose
from pilotfish.interfaces.places import thread
from pilotfish.interfaces.problems import problem

router = APIRouter()
NOT_THEIRS = 1008


class Turn(Value):
    """Whose turn it is at the browser."""

    type: Literal["take_over", "hand_back"]


DEED: TypeAdapter[Gesture | Turn] = TypeAdapter(Gesture | Turn)


@router.websocket("/api/conversations/{conversation}/live")
async def watch(socket: WebSocket, conversation: str) -> None:
    """Watch, and lend a hand, until the viewer leaves."""
    fish: Pilotfish = socket.app.state.fish
    me = whose(socket)
    await socket.accept()
    try:
        found = await thread(conversation, fish, me)
    except PilotfishError as error:
        await socket.close(NOT_THEIRS, error.message)
        return
    streams: set[anyio.CancelScope] = socket.app.state.streams
    async with anyio.create_task_group() as group:
        streams.add(group.cancel_scope)
        view = View(socket, fish, me, found)
        group.start_soon(view.show)
        try:
            await view.heed()
        except WebSocketDisconnect:
            pass
        finally:
            streams.discard(group.cancel_scope)
            group.cancel_scope.cancel()


class View:
    """One viewer."""

    def __init__(self, socket: WebSocket, fish: Pilotfish, me: User, conversation: Conversation) -> None:
        self.socket = socket
        self.fish = fish
        self.me = me
        self.conversation = conversation.id
        self.window = fish.windows.of(conversation.id)

    async def show(self) -> None:
        seen: tuple[int, int, int] | None = None
        try:
            async with aclosing(self.window.frames()) as frames:
                async for frame in frames:
                    if isinstance(frame, Aim):
                        await self.socket.send_text(frame.model_dump_json())
                        continue
                    if seen != (frame.tab, frame.width, frame.height):
                        seen = (frame.tab, frame.width, frame.height)
                        told = {"type": "frame", "tab": frame.tab, "width": frame.width, "height": frame.height}
                        await self.socket.send_json(told)
                    await self.socket.send_bytes(frame.data)
        except PilotfishError as error:
            await self.refuse(error)
        except (WebSocketDisconnect, RuntimeError):
            return

    async def heed(self) -> None:
        while True:
            message = await self.socket.receive()
            if message["type"] == "websocket.disconnect":
                raise WebSocketDisconnect(message.get("code", 1000))
            try:
                await self.do(DEED.validate_json(message.get("text") or message.get("bytes") or b""))
            except ValidationError as error:
                first = error.errors()[0]["msg"]
                await self.socket.send_json(
                    {"type": "error", "code": "invalid", "message": f"Not understood: {first}."}
                )
            except PilotfishError as error:
                await self.refuse(error)

    async def do(self, deed: Gesture | Turn) -> None:
        if not isinstance(deed, Turn):
            await self.window.touch(deed)
            return
        verb = "pause" if deed.type == "take_over" else "resume"
        for run in await self.fish.runs(user=self.me.id, conversation=self.conversation):
            if run.state != "ended":
                await self.fish.command(run.id, verb, by=self.me.id)
        await self.socket.send_json({"type": "turn", "yours": verb == "pause"})

    async def refuse(self, error: PilotfishError) -> None:
        known = problem(error)
        await self.socket.send_json({"type": "error", "code": known.code, "message": known.detail, "fix": known.fix})

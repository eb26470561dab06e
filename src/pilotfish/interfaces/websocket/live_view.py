"""The live view of a conversation's browser: JPEG frames out, mouse and keys in, on one socket.

Out: `{"type": "frame", "tab", "width", "height"}` whenever these change, and each frame as a binary message; `aim` is
the element that the agent will use next. A slow viewer gets only the latest frame. In: `mouse`, `wheel`, `key` and
`paste` (see `core.gestures`); `take_over` pauses the conversation's runs, `hand_back` resumes them. An input that
cannot be carried out is answered with `error`.
"""

from contextlib import aclosing
from typing import Literal

from fastapi import APIRouter, WebSocket
from pydantic import TypeAdapter, ValidationError
from starlette.websockets import WebSocketDisconnect

from pilotfish.app import Pilotfish
from pilotfish.core.errors import PilotfishError
from pilotfish.core.gestures import Gesture, PointerTarget
from pilotfish.core.records import Conversation
from pilotfish.core.users import User
from pilotfish.core.values import Value
from pilotfish.interfaces.web_server.access_gate import user_of
from pilotfish.interfaces.web_server.dependencies import get_conversation
from pilotfish.interfaces.web_server.open_streams import OpenStreams
from pilotfish.interfaces.websocket.socket_session import error_message, open_task_group, read_messages
from pilotfish.services.browser_views import BrowserView

router = APIRouter()
NOT_THEIRS = 1008


class ControlTurn(Value):
    """Whether the person takes over the browser or hands it back."""

    type: Literal["take_over", "hand_back"]


VIEWER_ADAPTER: TypeAdapter[Gesture | ControlTurn] = TypeAdapter(Gesture | ControlTurn)


@router.websocket("/api/conversations/{conversation}/live")
async def watch(socket: WebSocket, conversation: str) -> None:
    """Send frames and take input until the viewer leaves."""
    fish: Pilotfish = socket.app.state.fish
    me = user_of(socket)
    streams: OpenStreams = socket.app.state.streams
    if not await streams.accept(socket):
        return
    try:
        found = await get_conversation(conversation, fish, me)
    except PilotfishError as error:
        await socket.close(NOT_THEIRS, error.message)
        return
    async with open_task_group(socket) as group:
        viewer = LiveViewer(socket, fish, me, found)
        group.start_soon(viewer.send_frames)
        await viewer.receive()


class LiveViewer:
    """One viewer of a conversation's browser."""

    def __init__(self, socket: WebSocket, fish: Pilotfish, me: User, conversation: Conversation) -> None:
        self.socket = socket
        self.fish = fish
        self.me = me
        self.conversation = conversation.id
        self.view: BrowserView | None = None

    async def send_frames(self) -> None:
        """Send what the browser shows; when it goes on in another process, what is shown there."""
        try:
            async for view in self.fish.views.follow(self.conversation):
                self.view = view
                await self.send_frames_of(view)
        except PilotfishError as error:
            await self.socket.send_json(error_message(error))
        except (WebSocketDisconnect, RuntimeError):
            return

    async def send_frames_of(self, view: BrowserView) -> None:
        """Send the frames of one view until they end."""
        seen: tuple[int, int, int] | None = None
        async with aclosing(view.frames()) as frames:
            async for frame in frames:
                if isinstance(frame, PointerTarget):
                    await self.socket.send_text(frame.model_dump_json())
                    continue
                if seen != (frame.tab, frame.width, frame.height):
                    seen = (frame.tab, frame.width, frame.height)
                    header = {"type": "frame", "tab": frame.tab, "width": frame.width, "height": frame.height}
                    await self.socket.send_json(header)
                await self.socket.send_bytes(frame.data)

    async def receive(self) -> None:
        """Carry out the viewer's input until it leaves."""
        async for raw in read_messages(self.socket):
            try:
                await self.handle(VIEWER_ADAPTER.validate_json(raw))
            except ValidationError as error:
                first = error.errors()[0]["msg"]
                await self.socket.send_json(
                    {"type": "error", "code": "invalid", "message": f"Not understood: {first}."}
                )
            except PilotfishError as error:
                await self.socket.send_json(error_message(error))

    async def handle(self, action: Gesture | ControlTurn) -> None:
        if not isinstance(action, ControlTurn):
            view = self.view or await self.fish.views.find(self.conversation)
            await view.apply_gesture(action)
            return
        verb = "pause" if action.type == "take_over" else "resume"
        for run in await self.fish.runs(user=self.me.id, conversation=self.conversation):
            if run.state != "ended":
                await self.fish.command(run.id, verb, by=self.me.id)
        await self.socket.send_json({"type": "turn", "yours": verb == "pause"})

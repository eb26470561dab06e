"""`/ws`: several runs on one socket, both directions. An invalid message is answered with an error.

In: `auth` says who a page of another site is; `chat` starts a run, with `agent_mode` in the conversation of its socket;
`agent_control` stops, pauses or resumes one; `agent_user_input` answers its question; `agent_say` says something to it
while it works; `follow` follows a run after a sequence number; `ping`. A message without a run means the latest.
Out: see `contract`.
"""

import asyncio
from contextlib import aclosing
from typing import Any

import anyio
from fastapi import APIRouter, WebSocket
from pydantic import ValidationError
from starlette.websockets import WebSocketDisconnect

from pilotfish.app import Pilotfish
from pilotfish.core.errors import PilotfishError
from pilotfish.core.events import RunFinished
from pilotfish.core.users import User
from pilotfish.interfaces.http.runs import send_answer, send_command, start_requested
from pilotfish.interfaces.web_server.access_gate import user_of
from pilotfish.interfaces.web_server.open_streams import OpenStreams
from pilotfish.interfaces.web_server.problems import RequestRefused
from pilotfish.interfaces.websocket.client_messages import (
    CLIENT_ADAPTER,
    AnyClientMessage,
    ChatMessageIn,
    ControlMessage,
    FollowMessage,
    InputMessage,
    PingMessage,
    SayMessage,
    SignInMessage,
    Vocabulary,
)
from pilotfish.interfaces.websocket.contract import ContractTranslator
from pilotfish.interfaces.websocket.socket_session import error_message, open_task_group, read_messages

router = APIRouter()
MOST_RUNS = 50
SIGN_IN_SECONDS = 30.0
NOT_SIGNED_IN = 1008


@router.websocket("/ws")
async def serve_socket(socket: WebSocket) -> None:
    """Serve a socket until the client leaves or the server stops."""
    streams: OpenStreams = socket.app.state.streams
    if not await streams.accept(socket) or not await sign_in(socket, streams):
        return
    async with open_task_group(socket) as group:
        await ChatSocket(socket, socket.app.state.fish, user_of(socket), group).listen()


async def sign_in(socket: WebSocket, streams: OpenStreams) -> bool:
    """Whether the user of a socket is known, by its request or by the token in its first message; else it is closed."""
    state = socket.scope["state"]
    if state["user"] is not None:
        return True
    why = "Say who you are first: send `auth` with a token."
    try:
        with streams.awaiting_sign_in(SIGN_IN_SECONDS):
            message = SignInMessage.model_validate_json(await socket.receive_text())
            client = (socket.scope.get("client") or ("",))[0]
            state.update(user=await state["find_user"](message.token, client), token=message.token)
            why = "That token is not valid."
        streams.check_room(socket.scope)
    except (ValidationError, KeyError):
        pass
    except RequestRefused as refusal:
        why = refusal.message
    except WebSocketDisconnect:
        return False
    if state["user"] is None:
        await socket.close(NOT_SIGNED_IN, why)
        return False
    await socket.send_json({"type": "signed_in"})
    return True


class ChatSocket:
    """One socket: its user, and the runs that it follows."""

    def __init__(self, socket: WebSocket, fish: Pilotfish, me: User, group: anyio.abc.TaskGroup) -> None:
        self.socket = socket
        self.fish = fish
        self.me = me
        self.group = group
        self.latest = ""
        self.conversation = ""
        self.ended: set[str] = set()
        self.followed: dict[str, anyio.CancelScope] = {}
        self._turn = asyncio.Lock()

    async def listen(self) -> None:
        """Carry out the client's messages until it leaves."""
        async for raw in read_messages(self.socket):
            try:
                await self.handle(CLIENT_ADAPTER.validate_json(raw))
            except ValidationError as error:
                errors = "; ".join(
                    f"{'.'.join(map(str, one['loc'])) or 'message'}: {one['msg']}" for one in error.errors()[:3]
                )
                fix = "Send JSON with a `type` of chat, agent_control, agent_user_input, agent_say, follow or ping."
                await self.send(
                    {"type": "error", "code": "invalid", "message": f"Not understood: {errors}.", "fix": fix}
                )
            except PilotfishError as error:
                await self.send(error_message(error))

    async def handle(self, message: AnyClientMessage) -> None:
        match message:
            case ChatMessageIn():
                start = message.start()
                if message.goes_on and self.latest in self.ended:
                    start = start.model_copy(update={"conversation": self.conversation})
                run = await start_requested(self.fish, self.me, start)
                self.conversation = run.conversation
                self.follow(run.id, 0, message.vocabulary)
            case ControlMessage():
                run = await self.fish.record(self.resolve_run(message.run), self.me.id)
                await send_command(self.fish, self.me, run, message.action)
            case InputMessage():
                run = await self.fish.record(self.resolve_run(message.run), self.me.id)
                await send_answer(self.fish, self.me, run, message.content, message.request)
            case SayMessage():
                run = await self.fish.record(self.resolve_run(message.run), self.me.id)
                await send_command(self.fish, self.me, run, "say", message.content)
            case FollowMessage():
                run = await self.fish.record(message.run, self.me.id)
                self.follow(run.id, message.after, message.vocabulary)
            case PingMessage():
                await self.send({"type": "pong"})

    def resolve_run(self, run: str) -> str:
        """The named run, else the latest one of this socket."""
        if not run and not self.latest:
            raise RequestRefused(
                409, "no_run", "No run was started or followed on this socket.", "Name one with `run`."
            )
        return run or self.latest

    def follow(self, run: str, after: int, vocabulary: Vocabulary = "") -> None:
        """Send the events of a run after a sequence number; it becomes the latest run."""
        if run in self.followed:
            self.followed.pop(run).cancel()
        if len(self.followed) >= MOST_RUNS:
            raise RequestRefused(429, "too_many", f"A socket can follow {MOST_RUNS} runs at once.", "Open another.")
        self.latest = run
        self.followed[run] = scope = anyio.CancelScope()
        translator = ContractTranslator(run, self.fish.settings.agent.reasoning_visible, vocabulary == "a11y")
        self.group.start_soon(self._send_events, run, after, scope, translator)

    async def _send_events(
        self, run: str, after: int, scope: anyio.CancelScope, translator: ContractTranslator
    ) -> None:
        with scope:
            for past in (await self.fish.events(run) if after else ())[:after]:
                list(translator.translate(past))
            async with aclosing(self.fish.follow(run, after)) as events:
                async for event in events:
                    if isinstance(event, RunFinished):
                        self.ended.add(run)
                    for message in translator.translate(event):
                        await self.send(message)
        if self.followed.get(run) is scope:
            del self.followed[run]

    async def send(self, message: dict[str, Any]) -> None:
        async with self._turn:
            try:
                await self.socket.send_json(message)
            except (WebSocketDisconnect, RuntimeError):
                self.group.cancel_scope.cancel()

"""`/ws`: several runs on one socket, both directions. What cannot be understood is answered, never a reason to close.

In: `chat` starts a run; `agent_control` stops, pauses or resumes one; `agent_user_input` answers its question; `follow`
takes a run up again after a sequence number; `ping`. A message that names no run means the latest. Out: see `contract`.
"""

import asyncio
from contextlib import aclosing
from typing import Annotated, Any, Literal

import anyio
from fastapi import APIRouter, WebSocket
from pydantic import ConfigDict, Field, TypeAdapter, ValidationError
from starlette.websockets import WebSocketDisconnect

from pilotfish.app import Pilotfish
from pilotfish.core.errors import PilotfishError
from pilotfish.core.hands import Outside
from pilotfish.core.people import User
from pilotfish.core.values import Value
from pilotfish.interfaces.contract import Teller
from pilotfish.interfaces.gate import whose
from pilotfish.interfaces.http.runs import Start, begun, replied, told
from pilotfish.interfaces.problems import Refusal, problem

router = APIRouter()
MOST = 50
Text = Annotated[str, Field(min_length=1, max_length=200_000)]
Id = Annotated[str, Field(max_length=100, pattern=r"^[A-Za-z0-9_-]*$")]


class Word(Value):
    """A message from the client; what it says beyond the contract is passed over."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Chat(Word):
    """Start a run. In agent mode it reasons, acts and observes in turn, unless a loop is named."""

    type: Literal["chat"]
    content: Text
    agent_mode: bool | None = None
    agent_max_steps: int | None = Field(default=None, ge=1, le=500)
    loop: str = Field(default="", max_length=100)
    model: str | None = Field(default=None, max_length=200)
    conversation: Id = ""
    tabs: tuple[int | Outside, ...] = Field(default=(), max_length=50)

    def start(self) -> Start:
        modes = {True: "strict", False: "chat", None: ""}
        return Start(
            task=self.content,
            loop=self.loop or modes[self.agent_mode],
            model=self.model,
            max_steps=self.agent_max_steps,
            conversation=self.conversation,
            tabs=self.tabs,
        )


class Control(Word):
    """Stop, pause or resume a run."""

    type: Literal["agent_control"]
    action: Literal["stop", "pause", "resume"]
    run: Id = ""


class Input(Word):
    """Answer a run's question."""

    type: Literal["agent_user_input"]
    content: str = Field(max_length=100_000)
    run: Id = ""
    request: str = Field(default="", max_length=200)


class Follow(Word):
    """Hear a run again from a place on."""

    type: Literal["follow"]
    run: Id
    after: int = Field(default=0, ge=0, le=2**31)


class Ping(Word):
    """Are you there?"""

    type: Literal["ping"]


WORD: TypeAdapter[Chat | Control | Input | Follow | Ping] = TypeAdapter(
    Annotated[Chat | Control | Input | Follow | Ping, Field(discriminator="type")]
)


@router.websocket("/ws")
async def talk(socket: WebSocket) -> None:
    """Talk until the client leaves or the server stops."""
    await socket.accept()
    streams: set[anyio.CancelScope] = socket.app.state.streams
    async with anyio.create_task_group() as group:
        streams.add(group.cancel_scope)
        try:
            await Talk(socket, socket.app.state.fish, whose(socket), group).listen()
        except WebSocketDisconnect:
            pass
        finally:
            streams.discard(group.cancel_scope)
            group.cancel_scope.cancel()


class Talk:
    """One socket: who is on it, and which runs they hear."""

    def __init__(self, socket: WebSocket, fish: Pilotfish, me: User, group: anyio.abc.TaskGroup) -> None:
        self.socket = socket
        self.fish = fish
        self.me = me
        self.group = group
        self.latest = ""
        self.heard: dict[str, anyio.CancelScope] = {}
        self._turn = asyncio.Lock()

    async def listen(self) -> None:
        while True:
            message = await self.socket.receive()
            if message["type"] == "websocket.disconnect":
                raise WebSocketDisconnect(message.get("code", 1000))
            try:
                raw = message.get("text") or message.get("bytes") or b""
                await self.heed(WORD.validate_json(raw))
            except ValidationError as error:
                told = "; ".join(
                    f"{'.'.join(map(str, one['loc'])) or 'message'}: {one['msg']}" for one in error.errors()[:3]
                )
                fix = "Send a JSON object with a `type` of chat, agent_control, agent_user_input, follow or ping."
                await self.send({"type": "error", "code": "invalid", "message": f"Not understood: {told}.", "fix": fix})
            except PilotfishError as error:
                known = problem(error)
                await self.send({"type": "error", "code": known.code, "message": known.detail, "fix": known.fix})

    async def heed(self, word: Chat | Control | Input | Follow | Ping) -> None:
        match word:
            case Chat():
                self.follow((await begun(self.fish, self.me, word.start())).id, 0)
            case Control():
                run = await self.fish.record(self.meant(word.run), self.me.id)
                await told(self.fish, self.me, run, word.action)
            case Input():
                run = await self.fish.record(self.meant(word.run), self.me.id)
                await replied(self.fish, self.me, run, word.content, word.request)
            case Follow():
                self.follow((await self.fish.record(word.run, self.me.id)).id, word.after)
            case Ping():
                await self.send({"type": "pong"})

    def meant(self, run: str) -> str:
        if not run and not self.latest:
            raise Refusal(409, "no_run", "No run was started or followed on this socket.", "Name one with `run`.")
        return run or self.latest

    def follow(self, run: str, after: int) -> None:
        if run in self.heard:
            self.heard.pop(run).cancel()
        if len(self.heard) >= MOST:
            raise Refusal(429, "too_many", f"A socket can follow {MOST} runs at once.", "Open another.")
        self.latest = run
        self.heard[run] = scope = anyio.CancelScope()
        self.group.start_soon(self._pass_on, run, after, scope)

    async def _pass_on(self, run: str, after: int, scope: anyio.CancelScope) -> None:
        teller = Teller(run, self.fish.settings.agent.reasoning_visible)
        with scope:
            for past in (await self.fish.events(run) if after else ())[:after]:
                list(teller.tell(past))
            async with aclosing(self.fish.follow(run, after)) as events:
                async for event in events:
                    for message in teller.tell(event):
                        await self.send(message)
        if self.heard.get(run) is scope:
            del self.heard[run]

    async def send(self, message: dict[str, Any]) -> None:
        async with self._turn:
            try:
                await self.socket.send_json(message)
            except (WebSocketDisconnect, RuntimeError):
                self.group.cancel_scope.cancel()

"""A run as server-sent events: `event:` names what it is, `id:` is the journal's number, `data:` the event as JSON.

| in the journal | `event:` |
|---|---|
| run_started | start |
| state_changed | state |
| progress | progress |
| message_added | message |
| model_asked, model_replied, model_failed | model |
| reasoned (where the settings show it) | reasoning |
| page_seen | page |
| tool_started, tool_finished | tool |
| planned | plan |
| input_requested | input_request |
| input_received, input_timed_out | input |
| file_saved | file |
| noted | note |
| run_finished | done |

Pieces of text while they are written are `content`, or `reasoning` where the settings show it; they are live only and
have no id. A reader that comes back with `Last-Event-ID` or `?after=` misses nothing and gets nothing twice.
"""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING, Annotated

import anyio
import anyio.lowlevel
from fastapi import APIRouter, Header, Query, Request
from fastapi.responses import Response

from pilotfish.core.events import Delta, Live, Reasoned
from pilotfish.interfaces.places import ERRORS, Fish, Run

if TYPE_CHECKING:
    from anyio.abc import TaskGroup
    from starlette.types import Receive, Scope, Send

HEARTBEAT = 15.0
TURN = 20
PULSE = b": still here\n\n"
NAMES = {
    "run_started": "start",
    "state_changed": "state",
    "progress": "progress",
    "message_added": "message",
    "model_asked": "model",
    "model_replied": "model",
    "model_failed": "model",
    "reasoned": "reasoning",
    "page_seen": "page",
    "tool_started": "tool",
    "tool_finished": "tool",
    "planned": "plan",
    "input_requested": "input_request",
    "input_received": "input",
    "input_timed_out": "input",
    "file_saved": "file",
    "noted": "note",
    "run_finished": "done",
}
router = APIRouter(tags=["runs"], responses=ERRORS)


def private(event: Live) -> bool:
    """Whether it is thinking, shown only where the settings say so."""
    return isinstance(event, Reasoned) or (isinstance(event, Delta) and event.kind == "reasoning")


def encoded(event: Live) -> bytes:
    if isinstance(event, Delta):
        return f"event: {event.kind}\ndata: {event.model_dump_json()}\n\n".encode()
    return f"event: {NAMES[event.type]}\nid: {event.seq}\ndata: {event.model_dump_json()}\n\n".encode()


class Press:
    """Encodes each event once, however many read it."""

    def __init__(self, size: int = 1000) -> None:
        self.size = size
        self._pieces: dict[int, tuple[Live, bytes]] = {}

    def piece(self, event: Live) -> bytes:
        """The bytes of an event. It is held with them, so that its identity is not given to another."""
        known = self._pieces.get(id(event))
        if known is None:
            if len(self._pieces) >= self.size:
                self._pieces.pop(next(iter(self._pieces)))
            known = self._pieces[id(event)] = (event, encoded(event))
        return known[1]


@router.get(
    "/api/runs/{run}/events",
    response_class=Response,
    responses={200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}},
)
async def follow_run(
    run: Run,
    fish: Fish,
    request: Request,
    after: Annotated[int, Query(ge=0, le=2**31)] = 0,
    last_event_id: Annotated[str, Header(max_length=20)] = "",
) -> Response:
    """Everything the run says after a sequence number, to its end."""
    if last_event_id.isascii() and last_event_id.isdigit():
        after = max(after, min(int(last_event_id), 2**31))
    shown = fish.settings.agent.reasoning_visible
    return Stream(chosen(fish.journal.batches(run.id, after), shown, request.app.state.press))


async def chosen(batches: AsyncGenerator[Sequence[Live]], shown: bool, press: Press) -> AsyncGenerator[bytes]:
    """What may be shown, some of it at a time: to send each event by itself costs more than to make it."""
    async with aclosing(batches):
        async for batch in batches:
            for start in range(0, len(batch), TURN):
                if start:
                    # A long replay must not keep others from their turn.
                    await anyio.lowlevel.checkpoint()
                wanted = (event for event in batch[start : start + TURN] if shown or not private(event))
                if told := b"".join(map(press.piece, wanted)):
                    yield told


class Stream(Response):
    """Sends pieces as they come, and a sign of life when none do. A slow reader only slows itself."""

    media_type = "text/event-stream"

    def __init__(self, pieces: AsyncGenerator[bytes]) -> None:
        super().__init__(headers={"cache-control": "no-store", "x-accel-buffering": "no"})
        del self.headers["content-length"]
        self.pieces = pieces
        self.quiet = True
        self.gone = False

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        open_streams: set[anyio.CancelScope] = scope["app"].state.streams
        async with anyio.create_task_group() as group:
            open_streams.add(group.cancel_scope)
            group.start_soon(self._until_gone, receive, group.cancel_scope)
            self._beat(group, send)
            try:
                await self._send(send)
            finally:
                self.next.cancel()
                open_streams.discard(group.cancel_scope)
                group.cancel_scope.cancel()
        with anyio.CancelScope(shield=True):
            await self.pieces.aclose()
        if not self.gone:
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _send(self, send: "Send") -> None:
        sent = 0
        async for piece in self.pieces:
            self.quiet = False
            await send({"type": "http.response.body", "body": piece, "more_body": True})
            sent += 1
            if sent % TURN == 0:
                # A long replay must not keep others, or the news that the reader left, from their turn.
                await anyio.lowlevel.checkpoint()

    async def _until_gone(self, receive: "Receive", scope: anyio.CancelScope) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self.gone = True
        scope.cancel()

    async def _pulse(self, send: "Send") -> None:
        await send({"type": "http.response.body", "body": PULSE, "more_body": True})

    def _beat(self, group: "TaskGroup", send: "Send") -> None:
        """A sign of life now and then, by a timer: a task for each reader that only sleeps is not worth its cost."""

        def due() -> None:
            if self.quiet:
                group.start_soon(self._pulse, send)
            self.quiet = True
            self._beat(group, send)

        self.next = asyncio.get_running_loop().call_later(HEARTBEAT, due)

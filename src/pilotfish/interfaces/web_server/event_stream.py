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

from pilotfish.core.events import StreamItem, TextDelta, hide_thinking
from pilotfish.interfaces.web_server.dependencies import ERRORS, AppDep, RunDep
from pilotfish.interfaces.web_server.open_streams import OpenStreams

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

HEARTBEAT_PERIOD = 15.0
EVENTS_AT_ONCE = 20
HEARTBEAT = b": still here\n\n"
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


def encode_event(event: StreamItem) -> bytes:
    if isinstance(event, TextDelta):
        return f"event: {event.kind}\ndata: {event.model_dump_json()}\n\n".encode()
    return f"event: {NAMES[event.type]}\nid: {event.seq}\ndata: {event.model_dump_json()}\n\n".encode()


class EventEncoder:
    """Encodes each event once for all readers."""

    def __init__(self, size: int = 1000) -> None:
        self.size = size
        self._pieces: dict[tuple[int, bool], tuple[StreamItem, bytes]] = {}

    def encode(self, event: StreamItem, thinking: bool) -> bytes:
        """The bytes of an event, with or without what the model thought; none where it is nothing else.

        The event is kept too, so that its `id()` is not reused.
        """
        known = self._pieces.get((id(event), thinking))
        if known is None:
            if len(self._pieces) >= self.size:
                self._pieces.pop(next(iter(self._pieces)))
            shown = event if thinking else hide_thinking(event)
            known = self._pieces[id(event), thinking] = (event, encode_event(shown) if shown else b"")
        return known[1]


@router.get(
    "/api/runs/{run}/events",
    response_class=Response,
    responses={200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}},
)
async def follow_run(
    run: RunDep,
    fish: AppDep,
    request: Request,
    after: Annotated[int, Query(ge=0, le=2**31)] = 0,
    last_event_id: Annotated[str, Header(max_length=20)] = "",
) -> Response:
    """The events of a run after a sequence number, to its end."""
    request.app.state.streams.check_room(request.scope)
    if last_event_id.isascii() and last_event_id.isdigit():
        after = max(after, min(int(last_event_id), 2**31))
    shown = fish.settings.agent.reasoning_visible
    return EventStream(select_events(fish.journal.batches(run.id, after), shown, request.app.state.encoder))


async def select_events(
    batches: AsyncGenerator[Sequence[StreamItem]], shown: bool, press: EventEncoder
) -> AsyncGenerator[bytes]:
    """The events that may be shown, in batches: sending each by itself costs more than encoding it."""
    async with aclosing(batches):
        async for batch in batches:
            for start in range(0, len(batch), EVENTS_AT_ONCE):
                if start:
                    # A long replay must not block other tasks.
                    await anyio.lowlevel.checkpoint()
                if encoded := b"".join(press.encode(event, shown) for event in batch[start : start + EVENTS_AT_ONCE]):
                    yield encoded


class EventStream(Response):
    """Sends events as they come, and a heartbeat when none do. A slow reader delays only itself."""

    media_type = "text/event-stream"

    def __init__(self, pieces: AsyncGenerator[bytes]) -> None:
        super().__init__(headers={"cache-control": "no-store", "x-accel-buffering": "no"})
        del self.headers["content-length"]
        self.pieces = pieces
        self.quiet = True
        self.gone = False
        self.pulse: asyncio.Task[None] | None = None

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        open_streams: OpenStreams = scope["app"].state.streams
        async with anyio.create_task_group() as group:
            open_streams.add(group.cancel_scope, scope)
            group.start_soon(self._wait_until_gone, receive, group.cancel_scope)
            self._schedule_heartbeat(send)
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
            if sent % EVENTS_AT_ONCE == 0:
                # A long replay must not block other tasks, or the message that the reader left.
                await anyio.lowlevel.checkpoint()

    async def _wait_until_gone(self, receive: "Receive", scope: anyio.CancelScope) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self.gone = True
        scope.cancel()

    async def _pulse(self, send: "Send") -> None:
        await send({"type": "http.response.body", "body": HEARTBEAT, "more_body": True})

    def _schedule_heartbeat(self, send: "Send") -> None:
        """Send a heartbeat by a timer: a sleeping task for each reader would cost more."""

        loop = asyncio.get_running_loop()

        def send_pulse() -> None:
            if self.quiet:
                # A timer has no task of its own, from which a task group could start one.
                self.pulse = loop.create_task(self._pulse(send))
            self.quiet = True
            self._schedule_heartbeat(send)

        self.next = loop.call_later(HEARTBEAT_PERIOD, send_pulse)

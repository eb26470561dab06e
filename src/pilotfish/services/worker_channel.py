"""A worker's own channel: other processes reach the browsers that it holds by WebSocket, over TLS, with its token.

`/calls` answers requests `{"id", "call", "conversation", "args"}` with `{"id", "result"}` or `{"id", "error"}`.
`/frames/CONVERSATION` sends what the live view shows: a frame as a binary message that begins with tab, width and
height; where the agent points as text.
"""

import asyncio
import base64
import hmac
import http
import json
import logging
from collections.abc import Callable, Coroutine
from contextlib import aclosing
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from pydantic import TypeAdapter

from pilotfish.core.errors import BrowserError, PilotfishError
from pilotfish.core.gestures import Gesture
from pilotfish.services.channel_keys import ChannelPlace, make_keys
from pilotfish.services.frame_encoding import LARGEST_MESSAGE, encode_frame

if TYPE_CHECKING:
    from pathlib import Path

    from websockets.asyncio.server import Server, ServerConnection
    from websockets.http11 import Request, Response

    from pilotfish.runtime.worker_registry import WorkerRegistry
    from pilotfish.services.browser_views import BrowserViews

log = logging.getLogger(__name__)
GESTURE: TypeAdapter[Gesture] = TypeAdapter(Gesture)
Json = dict[str, Any]


class WorkerChannel:
    """Lets other processes use the browsers of this one."""

    def __init__(self, views: "BrowserViews", registry: "WorkerRegistry", home: "Path") -> None:
        self.views = views
        self.registry = registry
        self.home = home
        self._token = b""
        self._server: Server | None = None

    async def open(self, place: ChannelPlace) -> None:
        """Listen, and register the address."""
        from websockets.asyncio.server import serve

        keys, context = make_keys()
        self._token = keys.token.encode()
        try:
            self._server = await serve(
                self._serve,
                place.bind or None,
                place.port,
                ssl=context,
                process_request=self._admit,
                max_size=LARGEST_MESSAGE,
                compression=None,
            )
        except OSError as error:
            raise BrowserError(
                f"{place.host}:{place.port} cannot be listened on: {error.strerror}.",
                "Correct the setting work.address.",
            ) from error
        port = next(iter(self._server.sockets)).getsockname()[1]
        host = f"[{place.host}]" if ":" in place.host else place.host
        await self.registry.change(address=f"{host}:{port}", sealed=keys.seal(self.home))

    async def close(self) -> None:
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()
            self._server = None

    @property
    def port(self) -> int:
        """Where it listens; browsers of agents must not reach it."""
        return next(iter(self._server.sockets)).getsockname()[1] if self._server else 0

    def _admit(self, socket: "ServerConnection", request: "Request") -> "Response | None":
        given = request.headers.get("authorization", "").removeprefix("Bearer ").encode()
        if hmac.compare_digest(given, self._token):
            return None
        return socket.respond(http.HTTPStatus.UNAUTHORIZED, "")

    async def _serve(self, socket: "ServerConnection") -> None:
        from websockets.exceptions import ConnectionClosed

        path = socket.request.path if socket.request else ""
        try:
            if path.startswith("/frames/"):
                await self._send_frames(socket, unquote(path.removeprefix("/frames/")))
            else:
                await self._answer_calls(socket)
        except ConnectionClosed:
            return

    async def _send_frames(self, socket: "ServerConnection", conversation: str) -> None:
        """Send frames until the viewer leaves or the browser is no longer here."""
        view = await self.views.find_here(conversation)
        async with aclosing(view.frames()) as frames:
            leaving = asyncio.create_task(socket.wait_closed())
            try:
                while not leaving.done():
                    following = asyncio.ensure_future(anext(frames, None))
                    await asyncio.wait({leaving, following}, return_when=asyncio.FIRST_COMPLETED)
                    if not following.done():
                        following.cancel()
                        await asyncio.wait({following})
                        return
                    if (item := following.result()) is None:
                        return
                    await socket.send(encode_frame(item))
            finally:
                leaving.cancel()

    async def _answer_calls(self, socket: "ServerConnection") -> None:
        async with asyncio.TaskGroup() as group:
            async for message in socket:
                group.create_task(self._answer(socket, json.loads(message)))

    async def _answer(self, socket: "ServerConnection", asked: Json) -> None:
        from websockets.exceptions import ConnectionClosed

        answer: Json = {"id": asked["id"]}
        try:
            answer["result"] = await self._call(asked["call"], asked["conversation"], asked["args"])
        except PilotfishError as error:
            answer["error"] = {"type": type(error).__name__, "message": error.message, "fix": error.fix}
        try:
            await socket.send(json.dumps(answer))
        except ConnectionClosed:
            log.debug("the process that asked for %s is gone", asked["call"])

    async def _call(self, call: str, conversation: str, args: Json) -> Any:
        views = self.views
        without_window: dict[str, Callable[[], Coroutine[Any, Any, None]]] = {
            "release": lambda: views.release(conversation),
            "discard": lambda: views.browsers.close(conversation),
            "save": views.browsers.save,
        }
        if call in without_window:
            return await without_window[call]()
        view = await views.find_here(conversation)
        match call:
            case "list":
                return [tab.model_dump(mode="json") for tab in await view.list()]
            case "open" | "select" | "go":
                return (await getattr(view, call)(**args)).model_dump(mode="json")
            case "close" | "remember" | "warm":
                return await getattr(view, call)(**args)
            case "gesture":
                return await view.apply_gesture(GESTURE.validate_python(args))
            case "icon":
                icon = await view.icon(**args)
                return icon and {"data": base64.b64encode(icon.data).decode(), "media": icon.media}
            case "screenshot":
                return base64.b64encode(await view.screenshot(**args)).decode()
            case _:
                raise BrowserError(f"This worker does not know the call {call!r}.", "Let all machines run one version.")

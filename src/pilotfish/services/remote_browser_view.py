"""A conversation's browser that another process holds, used over the channel of that process."""

import asyncio
import base64
import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from pilotfish.core.errors import BrowserError, PersonError, PilotfishError, ToolError
from pilotfish.core.gestures import Gesture, PointerTarget, TabInfo
from pilotfish.core.workers import WorkerRecord
from pilotfish.services.channel_keys import NAME, ChannelKeys, open_keys
from pilotfish.services.frame_encoding import LARGEST_MESSAGE, decode_frame
from pilotfish.services.local_browser_view import ScreenFrame

if TYPE_CHECKING:
    from websockets.asyncio.client import ClientConnection

    from pilotfish.browser.sessions.tab_icon import TabIcon

CONNECT_TIMEOUT = 5.0
ANSWER_TIMEOUT = 60.0
ERRORS: dict[str, type[PilotfishError]] = {kind.__name__: kind for kind in (ToolError, BrowserError)}


class WorkerLink:
    """The connection to another worker's channel, opened when it is first needed and again when it broke."""

    def __init__(self, worker: WorkerRecord, home: Path) -> None:
        self.worker = worker
        self.keys: ChannelKeys = open_keys(worker, home)
        self._socket: ClientConnection | None = None
        self._reading: asyncio.Task[None] | None = None
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._numbers = count(1)
        self._turn = asyncio.Lock()

    async def connect(self, path: str) -> "ClientConnection":
        """A new connection; one waiting message at most, so that a slow reader gets only the latest frames."""
        from websockets.asyncio.client import connect
        from websockets.exceptions import InvalidHandshake

        try:
            return await connect(
                f"wss://{self.worker.address}{path}",
                ssl=self.keys.trust(),
                server_hostname=NAME,
                additional_headers={"authorization": f"Bearer {self.keys.token}"},
                open_timeout=CONNECT_TIMEOUT,
                max_size=LARGEST_MESSAGE,
                max_queue=1,
                compression=None,
                proxy=None,
            )
        except (OSError, TimeoutError, InvalidHandshake) as error:
            raise self._unreachable(str(error)) from error

    async def request(self, call: str, conversation: str = "", **args: Any) -> Any:
        """Ask the worker, and return what it answers."""
        from websockets.exceptions import ConnectionClosed

        async with self._turn:
            if self._socket is None or self._reading is None or self._reading.done():
                self._socket = await self.connect("/calls")
                self._reading = asyncio.create_task(self._read(self._socket))
        number = next(self._numbers)
        answer = self._waiting[number] = asyncio.get_running_loop().create_future()
        asked = {"id": number, "call": call, "conversation": conversation, "args": args}
        try:
            await self._socket.send(json.dumps(asked))
            return await asyncio.wait_for(answer, ANSWER_TIMEOUT)
        except (ConnectionClosed, TimeoutError) as error:
            raise self._unreachable(str(error) or "it did not answer") from error
        finally:
            del self._waiting[number]

    async def close(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            with suppress(asyncio.CancelledError):
                await self._reading
        if self._socket is not None:
            await self._socket.close()

    async def _read(self, socket: "ClientConnection") -> None:
        from websockets.exceptions import ConnectionClosed

        with suppress(ConnectionClosed):
            async for message in socket:
                self._take(json.loads(message))
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(self._unreachable("it went away"))

    def _take(self, answer: dict[str, Any]) -> None:
        waiting = self._waiting.get(answer["id"])
        if waiting is None or waiting.done():
            return
        if error := answer.get("error"):
            waiting.set_exception(ERRORS.get(error["type"], PersonError)(error["message"], error["fix"]))
        else:
            waiting.set_result(answer["result"])

    def _unreachable(self, why: str) -> BrowserError:
        worker = self.worker
        return BrowserError(
            f"The browser is at {worker.id} on {worker.host}, which cannot be reached at {worker.address}: {why}.",
            "Let the machines reach each other, or set work.address on that one.",
        )


class RemoteBrowserView:
    """The browser of a conversation in another process, as `LocalBrowserView` is for one of this process."""

    def __init__(self, link: WorkerLink, conversation: str) -> None:
        self.link = link
        self.conversation = conversation

    async def list(self) -> list[TabInfo]:
        return [TabInfo.model_validate(tab) for tab in await self._ask("list")]

    async def open(self, url: str) -> TabInfo:
        return TabInfo.model_validate(await self._ask("open", url=url))

    async def select(self, number: int) -> TabInfo:
        return TabInfo.model_validate(await self._ask("select", number=number))

    async def close(self, number: int) -> None:
        await self._ask("close", number=number)

    async def go(self, number: int, to: str) -> TabInfo:
        return TabInfo.model_validate(await self._ask("go", number=number, to=to))

    async def icon(self, number: int) -> "TabIcon | None":
        from pilotfish.browser.sessions.tab_icon import TabIcon

        found = await self._ask("icon", number=number)
        return found and TabIcon(base64.b64decode(found["data"]), found["media"])

    async def screenshot(self, number: int | None = None) -> bytes:
        return base64.b64decode(await self._ask("screenshot", number=number))

    async def frames(self) -> AsyncGenerator[ScreenFrame | PointerTarget]:
        """What the worker shows, until its browser of this conversation ends or it goes away."""
        from websockets.exceptions import ConnectionClosed

        socket = await self.link.connect(f"/frames/{quote(self.conversation, safe='')}")
        try:
            while True:
                yield decode_frame(await socket.recv())
        except ConnectionClosed:
            return
        finally:
            await socket.close()

    async def apply_gesture(self, gesture: Gesture) -> None:
        await self._ask("gesture", **gesture.model_dump(mode="json"))

    async def remember(self) -> None:
        await self._ask("remember")

    async def warm(self, tabs: Sequence[str | int], user: str, model: str = "") -> None:
        await self._ask("warm", tabs=[*tabs], user=user, model=model)

    async def _ask(self, call: str, **args: Any) -> Any:
        return await self.link.request(call, self.conversation, **args)

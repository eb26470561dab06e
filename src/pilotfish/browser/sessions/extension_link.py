"""The line to one extension: requests with answers, and notices about the tabs of its relays."""

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

from pilotfish.core.errors import BrowserError

if TYPE_CHECKING:
    from pilotfish.browser.sessions.extension_relay import ExtensionRelay

ANSWER = 60.0
"""Seconds after which a command that Chrome did not answer counts as failed."""
Send = Callable[[Mapping[str, Any]], Awaitable[None]]


class TabRefused(BrowserError):
    """The extension answered that it cannot do something with a tab."""


class ExtensionLink:
    """One connected extension. `relays` are the browsers that conversations see through it, by conversation."""

    def __init__(self, send: Send) -> None:
        self.relays: dict[str, ExtensionRelay] = {}
        self.version = ""
        self.browser = ""
        self.on_touch: Callable[[str], object] | None = None
        self._send = send
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._closed = False

    @property
    def is_closed(self) -> bool:
        return self._closed

    async def request(self, kind: str, **values: Any) -> dict[str, Any]:
        """Send a request and return its answer."""
        if self._closed:
            raise BrowserError("Chrome is not connected.", "Open Chrome with the Pilotfish extension, then try again.")
        number = next(self._numbers)
        self._waiting[number] = answer = asyncio.get_running_loop().create_future()
        try:
            await self._send({"id": number, "kind": kind, **values})
            async with asyncio.timeout(ANSWER):
                return await answer
        except TimeoutError:
            raise BrowserError(f"Chrome did not answer within {ANSWER:g} s.", "See whether the tab hangs.") from None
        finally:
            self._waiting.pop(number, None)

    def receive(self, message: Mapping[str, Any]) -> None:
        """Take in a message: the answer to a request, or a notice."""
        match message:
            case {"id": int(number)}:
                self._settle(number, message)
            case {"type": "hello", "version": str(version), "browser": str(browser)}:
                self.version, self.browser = version[:40], browser[:200]
            case {"type": "touched", "tab": int(tab)}:
                for conversation, relay in self.relays.items():
                    if tab in relay.targets and self.on_touch is not None:
                        self.on_touch(conversation)
            case {"type": "opened", "opener": int(opener)}:
                for relay in self.relays.values():
                    if opener in relay.targets:
                        relay.receive(message)
            case {"tab": int(tab)}:
                for relay in self.relays.values():
                    if tab in relay.targets:
                        relay.receive(message)
            case _:
                pass

    def _settle(self, number: int, message: Mapping[str, Any]) -> None:
        answer = self._waiting.get(number)
        if answer is None or answer.done():
            return
        if error := message.get("error"):
            answer.set_exception(TabRefused(str(error)[:500]))
        else:
            answer.set_result(dict(message.get("value") or {}))

    async def close(self) -> None:
        """Fail the requests and end the relays, so that runs notice that the extension is gone."""
        self._closed = True
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(BrowserError("The connection to Chrome was lost.", "Open Chrome again."))
        for relay in list(self.relays.values()):
            await relay.close()
        self.relays.clear()

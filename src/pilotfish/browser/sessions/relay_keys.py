"""Keys of text on their way to tabs: the next one need not wait for the one before, and many travel in one message."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from pilotfish.browser.sessions.relay_sessions import Json

SHIFT = 8
"""The modifier of capital letters, in the protocol."""
TOGETHER = 0.008
"""Seconds for which a key waits for others that travel with it, unless another command comes."""


Place = tuple[int, str]
"""Where keys go: a tab, and the session of a frame in another process, empty for the page itself."""
SendKeys = Callable[[Place, list[Json]], Awaitable[Any]]
"""Sends commands to a place, in order, and returns when all were answered."""


class KeyQueue:
    """The keys that a tab was sent and has not answered yet. Chrome keeps their order."""

    def __init__(self, send: SendKeys) -> None:
        self._send = send
        self._collected: dict[Place, list[Json]] = {}
        self._sent: dict[int, list[asyncio.Task[Any]]] = {}

    def add(self, place: Place, method: str, params: Json) -> None:
        """Let a key travel with those that come within a moment; it overtakes none to another place of its tab."""
        if place not in self._collected:
            self.flush(place[0])
            asyncio.get_running_loop().call_later(TOGETHER, self.flush, place[0])
        self._collected.setdefault(place, []).append({"method": method, "params": params})

    def flush(self, tab: int) -> None:
        """Send what was collected for a tab."""
        for place in [place for place in self._collected if place[0] == tab]:
            work = self._send(place, self._collected.pop(place))
            self._sent.setdefault(tab, []).append(asyncio.ensure_future(work))

    async def wait(self, tab: int) -> None:
        """Wait until the tab has all keys; raises where one did not arrive."""
        self.flush(tab)
        while sent := self._sent.pop(tab, None):
            for answer in await asyncio.gather(*sent, return_exceptions=True):
                if isinstance(answer, BaseException):
                    raise answer


def types_text(method: str, params: Json) -> bool:
    """Whether a command types a character. A key that does something, such as Enter or a shortcut, is not meant."""
    if method == "Input.insertText":
        return True
    if method != "Input.dispatchKeyEvent":
        return False
    key = str(params.get("key", ""))
    return len(key) == 1 and key.isprintable() and not int(params.get("modifiers", 0)) & ~SHIFT

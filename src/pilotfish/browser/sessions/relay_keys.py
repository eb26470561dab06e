"""Keys of text on their way to tabs: the next one need not wait for the one before."""

import asyncio
from collections.abc import Coroutine
from typing import Any

from pilotfish.browser.sessions.relay_sessions import Json

SHIFT = 8
"""The modifier of capital letters, in the protocol."""


class KeyQueue:
    """The keys that a tab was sent and has not answered yet. Chrome keeps their order."""

    def __init__(self) -> None:
        self._sent: dict[int, list[asyncio.Task[Json]]] = {}

    def send(self, tab: int, key: Coroutine[Any, Any, Json]) -> None:
        self._sent.setdefault(tab, []).append(asyncio.ensure_future(key))

    async def wait(self, tab: int) -> None:
        """Wait until the tab has all keys; raises where one did not arrive."""
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

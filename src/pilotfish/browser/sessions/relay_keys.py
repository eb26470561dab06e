"""Keys of text on their way to tabs: the next one need not wait for the one before, and many travel in one message."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from pilotfish.browser.sessions.relay_sessions import Json

SHIFT_MODIFIER = 8
"""The modifier of capital letters, in the protocol."""
COLLECT_SECONDS = 0.008
"""Seconds for which a key waits for others that travel with it, unless another command comes."""


Place = tuple[int, str]
"""Where keys go: a tab, and the session of a frame in another process, empty for the page itself."""
SendKeys = Callable[[Place, list[Json], Json | None], Coroutine[Any, Any, Any]]
"""Sends keys to a place, in order, and returns when all were answered; with a command that follows them, its answer."""


class KeyQueue:
    """The keys that a tab was sent and has not answered yet. Chrome keeps their order."""

    def __init__(self, send: SendKeys) -> None:
        self._send = send
        self._collected: dict[Place, list[Json]] = {}
        self._sent: dict[Place, list[asyncio.Task[Any]]] = {}

    def add(self, place: Place, method: str, params: Json) -> None:
        """Let a key travel with those that come within a moment; it overtakes none to another place of its tab."""
        if place not in self._collected:
            self.flush(place[0])
            asyncio.get_running_loop().call_later(COLLECT_SECONDS, self.flush, place[0])
        self._collected.setdefault(place, []).append({"method": method, "params": params})

    def flush(self, tab: int) -> None:
        """Send what was collected for a tab."""
        for place in [place for place in self._collected if place[0] == tab]:
            self._begin(place, None)

    async def send_with(self, place: Place, command: Json) -> Any:
        """Send a command in one message with the keys before it; None where no key waits that it could travel with."""
        places = {each for each in (*self._collected, *self._sent) if each[0] == place[0]}
        if place not in self._collected or len(places) > 1:
            return None
        work = self._begin(place, command)
        try:
            # The keys arrive also where nobody waits for the answer any more.
            return await asyncio.shield(work)
        finally:
            if work.done():
                self._forget(place, [work])

    async def wait(self, tab: int) -> None:
        """Wait until the tab has all keys; raises where one did not arrive. Several may wait for the same keys."""
        self.flush(tab)
        while place := next((each for each in self._sent if each[0] == tab), None):
            sent = self._sent[place]
            await asyncio.wait(sent)
            self._forget(place, sent)
            for task in sent:
                if error := task.exception():
                    raise error

    def _begin(self, place: Place, command: Json | None) -> asyncio.Task[Any]:
        work = asyncio.create_task(self._send(place, self._collected.pop(place), command))
        self._sent[place] = [*self._sent.get(place, ()), work]
        return work

    def _forget(self, place: Place, done: list[asyncio.Task[Any]]) -> None:
        left = [each for each in self._sent.pop(place, ()) if each not in done]
        if left:
            self._sent[place] = left


def types_text(method: str, params: Json) -> bool:
    """Whether a command types a character. A key that does something, such as Enter or a shortcut, is not meant."""
    if method == "Input.insertText":
        return True
    if method != "Input.dispatchKeyEvent":
        return False
    key = str(params.get("key", ""))
    return len(key) == 1 and key.isprintable() and not int(params.get("modifiers", 0)) & ~SHIFT_MODIFIER

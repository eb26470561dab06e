"""Inputs on their way to tabs: the next one need not wait for the one before, and many travel in one message."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from pilotfish.browser.sessions.relay_sessions import Json

CLICK_TYPES = frozenset({"mousePressed", "mouseReleased"})
SHIFT_MODIFIER = 8
"""The modifier of capital letters, in the protocol."""
COLLECT_SECONDS = 0.008
"""Seconds for which an input waits for others that travel with it, unless another command comes."""

Place = tuple[int, str]
"""Where inputs go: a tab, and the session of a frame in another process, empty for the page itself."""
SendInputs = Callable[[Place, list[Json], Json | None], Coroutine[Any, Any, Any]]
"""Sends inputs to a place, in order, and returns when all were answered; with a command after them, its answer."""


class InputQueue:
    """The inputs that a tab was sent and has not answered yet. Chrome keeps their order."""

    def __init__(self, send: SendInputs) -> None:
        self._send = send
        self._collected: dict[Place, list[Json]] = {}
        self._sent: dict[Place, list[asyncio.Task[Any]]] = {}

    def add(self, place: Place, method: str, params: Json) -> None:
        """Let an input travel with those that come within a moment; it overtakes none to another place of its tab."""
        if place not in self._collected:
            self.flush(place[0])
            asyncio.get_running_loop().call_later(COLLECT_SECONDS, self.flush, place[0])
        self._collected.setdefault(place, []).append({"method": method, "params": params})

    def flush(self, tab: int) -> None:
        """Send what was collected for a tab."""
        for place in [place for place in self._collected if place[0] == tab]:
            self._begin(place, None)

    async def send_with(self, place: Place, command: Json) -> Any:
        """Send a command in one message with the inputs before it; None where none waits that it could travel with."""
        places = {each for each in (*self._collected, *self._sent) if each[0] == place[0]}
        if place not in self._collected or len(places) > 1:
            return None
        work = self._begin(place, command)
        try:
            # The inputs arrive also where nobody waits for the answer any more.
            return await asyncio.shield(work)
        finally:
            if work.done():
                self._forget(place, [work])

    async def wait(self, tab: int) -> None:
        """Wait until the tab has all inputs; raises where one did not arrive. Several may wait for the same ones."""
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


def travels_with_others(method: str, params: Json) -> bool:
    """Whether an input may be on its way while the next command is prepared: a character, a click, the free mouse.

    Not a key that does something, such as Enter or a shortcut, and not the mouse with a button held, whose moves a page
    may take for a drag.
    """
    if method == "Input.dispatchMouseEvent":
        return params.get("type") in CLICK_TYPES or (params.get("type") == "mouseMoved" and not params.get("buttons"))
    if method == "Input.insertText":
        return True
    if method != "Input.dispatchKeyEvent":
        return False
    key = str(params.get("key", ""))
    return len(key) == 1 and key.isprintable() and not int(params.get("modifiers", 0)) & ~SHIFT_MODIFIER

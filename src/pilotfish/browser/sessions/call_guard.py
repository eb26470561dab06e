"""Guards every browser call: a time limit, an end when the browser dies, errors that say what happened."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from pilotfish.core.errors import ToolError

T = TypeVar("T")


class BrowserGone(ToolError):
    """The renderer, the browser or its driver died during a call."""


class Unresponsive(ToolError):
    """A call did not come back within its time limit."""


class CallGuard:
    """Guards the calls to one tab or context. Once broken it stays broken, and the tab or context is replaced."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.suspect = False
        self.is_holding: Callable[[], bool] = lambda: False
        self._end: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    @property
    def broken(self) -> bool:
        return self._end.done()

    @property
    def why(self) -> str:
        return self._end.result() if self._end.done() else ""

    def break_calls(self, why: str) -> None:
        """End all calls now: the guarded tab or browser is dead."""
        if not self._end.done():
            self._end.set_result(why)

    def on_break(self, callback: Callable[[str], None]) -> None:
        """Call `callback` once with the reason when it breaks."""
        self._end.add_done_callback(lambda end: callback(end.result()))

    async def call(self, work: Awaitable[T], doing: str = "this", seconds: float | None = None) -> T:
        """Await the work, until the time limit or the death of its tab or browser.

        While a request is held for a person's answer the limit does not count; it begins anew after the answer.
        """
        from playwright.async_api import Error

        limit = self.seconds if seconds is None else seconds
        task = asyncio.ensure_future(work)
        try:
            done, _ = await asyncio.wait({task, self._end}, timeout=limit, return_when=asyncio.FIRST_COMPLETED)
            while not done and self.is_holding():
                done, _ = await asyncio.wait({task, self._end}, timeout=1.0, return_when=asyncio.FIRST_COMPLETED)
                if not done and not self.is_holding():
                    done, _ = await asyncio.wait({task, self._end}, timeout=limit, return_when=asyncio.FIRST_COMPLETED)
            if task in done:
                return task.result()
        except Error as error:
            raise self._explain(error, doing) from None
        finally:
            if not task.done():
                task.cancel()
        if self.broken:
            raise BrowserGone(f"{self.why} while {doing}.", "It is replaced on the next call; look at the page again.")
        raise Unresponsive(f"The page did not answer within {limit:g} s while {doing}.")

    def _explain(self, error: Exception, doing: str) -> ToolError:
        from playwright.async_api import TimeoutError as RequestTooLong

        text = str(error)
        if isinstance(error, RequestTooLong):
            return Unresponsive(f"The page did not get ready in time while {doing}.")
        if "crashed" in text or "has been closed" in text or "Connection closed" in text:
            self.suspect = True
            why = self.why or ("The page crashed" if "crashed" in text else "The tab or its browser was closed")
            return BrowserGone(f"{why} while {doing}.", "Look at the tabs again.")
        return ToolError(f"The browser could not do it while {doing}: {first_message_line(text)}.")


def first_message_line(text: str) -> str:
    """The first line of a Playwright message, without its method name and call log."""
    line = text.strip().splitlines()[0] if text.strip() else "no reason given"
    head, _, rest = line.partition(": ")
    return (rest if rest and "." in head and " " not in head else line).rstrip(".")

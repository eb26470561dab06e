"""Waits within a run for what a page does not show yet."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from pilotfish.browser.sessions.tab import Tab

Found = TypeVar("Found")
PAUSE = 0.25
"""Seconds between two looks for what has not come yet."""
LOADING = 10.0
"""Seconds that are waited instead while the page still waits for answers."""


async def wait_until(find: Callable[[], Awaitable[Found]], tab: "Tab", seconds: float) -> Found:
    """What is found; looked for again until it is true or not empty, or so many seconds are over."""
    clock = asyncio.get_running_loop().time
    began = clock()
    while not (found := await find()):
        limit = LOADING if seconds and tab.activity.has_pending(0) else seconds
        if clock() - began >= limit:
            break
        await asyncio.sleep(PAUSE)
    return found

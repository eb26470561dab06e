"""The cache protocol for pages, and a cache in memory."""

import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Protocol


class PageCache(Protocol):
    """Keeps text under a key for some seconds."""

    async def get(self, key: str) -> str | None: ...

    async def put(self, key: str, value: str, ttl: float) -> None: ...


class MemoryCache:
    """A cache that drops old entries, and the least used when it is full."""

    def __init__(self, size: int = 256, clock: Callable[[], float] = time.monotonic) -> None:
        self._size = size
        self._clock = clock
        self._rows: OrderedDict[str, tuple[float, str]] = OrderedDict()

    async def get(self, key: str) -> str | None:
        ends, value = self._rows.get(key, (0.0, ""))
        if ends <= self._clock():
            self._rows.pop(key, None)
            return None
        self._rows.move_to_end(key)
        return value

    async def put(self, key: str, value: str, ttl: float) -> None:
        self._rows[key] = (self._clock() + ttl, value)
        self._rows.move_to_end(key)
        while len(self._rows) > self._size:
            self._rows.popitem(last=False)

"""Counts searches and limits them by user and provider."""

from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Protocol

from aiolimiter import AsyncLimiter

from pilotfish.core.errors import ToolError
from pilotfish.core.settings import SearchSettings


class SearchMeter(Protocol):
    """Counts searches by day, user and provider."""

    async def add(self, day: str, user: str, provider: str) -> None: ...

    async def read(self, day: str, user: str) -> Mapping[str, int]: ...


class MemoryMeter:
    """A meter in memory; it keeps the last day only."""

    def __init__(self) -> None:
        self._day = ""
        self._counts: dict[str, Counter[str]] = {}

    async def add(self, day: str, user: str, provider: str) -> None:
        if day != self._day:
            self._day, self._counts = day, {}
        self._counts.setdefault(user, Counter())[provider] += 1

    async def read(self, day: str, user: str) -> Mapping[str, int]:
        return dict(self._counts.get(user, {})) if day == self._day else {}


class SearchLimits:
    """Allows a search, or says why not."""

    def __init__(self, settings: SearchSettings, meter: SearchMeter) -> None:
        self._settings = settings
        self._meter = meter
        self._rates: dict[tuple[str, str], AsyncLimiter] = {}

    async def take(self, user: str, provider: str) -> None:
        """Count one search, or refuse it; the local index costs nobody anything."""
        if provider == "local":
            return
        rate = self._rates.setdefault((user, provider), AsyncLimiter(self._settings.per_minute, 60))
        if not rate.has_capacity():
            raise ToolError(f"{provider} was asked {self._settings.per_minute} times within a minute.")
        used = (await self.usage(user)).get(provider, 0)
        if used >= self._settings.per_day:
            raise ToolError(f"{provider} has been asked {used} times today, which is the limit.")
        await rate.acquire()
        await self._meter.add(current_day(), user, provider)

    async def usage(self, user: str) -> Mapping[str, int]:
        """Searches of today by provider."""
        return await self._meter.read(current_day(), user)


def current_day() -> str:
    return datetime.now(UTC).date().isoformat()

"""Limits the rate of requests by a token bucket for each caller."""

import time

MOST_CALLERS = 10_000


class RateLimiter:
    """Each key may take `burst` at once and `rate` a second from then on."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate = rate
        self.burst = burst
        self._levels: dict[str, tuple[float, float]] = {}

    def take(self, key: str) -> bool:
        """Take one; return whether there was one left."""
        now = time.monotonic()
        level, seen = self._levels.pop(key, (self.burst, now))
        level = min(self.burst, level + (now - seen) * self.rate)
        self._levels[key] = (max(0.0, level - 1), now)
        if len(self._levels) > MOST_CALLERS:
            del self._levels[next(iter(self._levels))]
        return level >= 1

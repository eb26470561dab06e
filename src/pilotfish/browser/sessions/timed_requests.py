"""Recognises requests that a page sends by a timer, so that nobody waits for them after an action."""

import itertools
import time
from collections import deque
from collections.abc import Callable, Sequence

SHORTEST_INTERVAL = 0.2
JITTER_SECONDS, JITTER_SHARE = 0.03, 0.03
"""Seconds, and share of the interval, by which a timer may be early or late."""
INPUT_SECONDS = 0.3
"""Seconds after an input in which a request is taken for its effect, unless a timer is known to be due."""
KNOWN_TIMES = 3


class TimedRequests:
    """The times at which a page asked for each address."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.last_input = float("-inf")
        self._clock = clock
        self._times: dict[str, deque[float]] = {}

    def count_input(self) -> None:
        self.last_input = self._clock()

    def is_timed(self, method: str, url: str) -> bool:
        """Note a request; whether it comes when the timer of its address is due."""
        now, times = (
            self._clock(),
            self._times.setdefault(f"{method} {url.partition('?')[0]}", deque(maxlen=KNOWN_TIMES)),
        )
        timed = len(times) == KNOWN_TIMES and is_regular([*times, now])
        if timed or now - self.last_input > INPUT_SECONDS:
            times.append(now)
        return timed


def is_regular(times: Sequence[float]) -> bool:
    """Whether the times have equal intervals."""
    steps = [after - before for before, after in itertools.pairwise(times)]
    usual = sum(steps) / len(steps)
    return usual >= SHORTEST_INTERVAL and all(
        abs(step - usual) <= JITTER_SECONDS + JITTER_SHARE * usual for step in steps
    )

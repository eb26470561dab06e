"""How long a run has worked, and its limit. Waiting for a person does not count."""

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager

from pilotfish.core.errors import OutOfBudget


class WorkTime:
    """Adds up the seconds of a run's steps. After a crash it begins anew: recorded steps take no time.

    Of the limits that the run and the settings give, in minutes, the smaller one holds.
    """

    def __init__(
        self, own: float | None, usual: float | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.limit = min((each for each in (own, usual) if each is not None), default=None)
        self._clock = clock
        self._seconds = 0.0

    def check(self) -> None:
        """Raise where the limit is reached."""
        if self.left is not None and self.left <= 0:
            raise self.used_up()

    @property
    def used(self) -> float:
        """The seconds that steps have taken."""
        return self._seconds

    @property
    def left(self) -> float | None:
        """The seconds that were left when the present step began; none without a limit."""
        return None if self.limit is None else 60 * self.limit - self._seconds

    def used_up(self) -> OutOfBudget:
        """The error for a run whose time is used up."""
        return OutOfBudget(
            f"The run has worked for {self.limit:g} minutes, which is its limit.",
            "Continue it with `pilotfish resume`, or allow more: --max-minutes, or agent.minutes in the settings.",
        )

    @contextmanager
    def count_time(self) -> Generator[None]:
        """Count the time within."""
        begun = self._clock()
        try:
            yield
        finally:
            self._seconds += self._clock() - begun

    @contextmanager
    def pause_count(self) -> Generator[None]:
        """Do not count the time within, although it is part of a step."""
        begun = self._clock()
        try:
            yield
        finally:
            self._seconds -= self._clock() - begun

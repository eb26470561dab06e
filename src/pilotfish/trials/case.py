"""Trial cases and their outcomes."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from pilotfish.core.values import Value


@dataclass(frozen=True)
class TrialCase:
    """One trial. `prepare` sets up the site and returns the start; `passed` checks whether the task was done."""

    name: str
    loop: str
    prepare: Callable[[str], Awaitable["TrialStart"]]
    passed: Callable[[str, str], Awaitable[bool]]
    steps: int = 0


@dataclass(frozen=True)
class TrialStart:
    """The start of a trial: the page, the goal (perhaps known only when the page is open), and an end that the site may
    signal."""

    goal: Callable[[], Awaitable[str]]
    url: str
    limit: int | None = None
    over: Callable[[], bool] = lambda: False
    sites: tuple[str, ...] = ()
    """Other sites of the trial, such as the origin of a frame."""


class TrialOutcome(Value):
    """The outcome of one trial."""

    name: str
    loop: str
    model: str
    seed: int
    success: bool
    claimed: bool
    steps: int
    seconds: float
    tokens: int
    cents: float | None
    answer: str = ""
    error: str = ""
    run: str = ""

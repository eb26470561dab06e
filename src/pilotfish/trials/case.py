"""What is tried, and what came of it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from pilotfish.core.values import Value


@dataclass(frozen=True)
class Case:
    """One thing to try. `prepare` makes the world ready and says where to begin; `passed` looks whether it was done."""

    name: str
    loop: str
    prepare: Callable[[str], Awaitable["Start"]]
    passed: Callable[[str, str], Awaitable[bool]]
    steps: int = 0


@dataclass(frozen=True)
class Start:
    """Where a trial begins: the page, the goal (which the page may tell once it is open), and an end that may come
    from the world itself."""

    goal: Callable[[], Awaitable[str]]
    url: str
    limit: int | None = None
    over: Callable[[], bool] = lambda: False
    sites: tuple[str, ...] = ()
    """Other places that belong to it, such as the origin of a frame."""


class Outcome(Value):
    """What came of one trial."""

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

"""Loops by name. A loop is one async function over a run."""

import hashlib
import inspect
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

from pilotfish.core.registry import Registry
from pilotfish.core.version import VERSION

Loop = Callable[[Any], Awaitable[None]]
"""An async function over a `Run`. The type is not named here because `run.py` imports this module."""
LoopFunction = TypeVar("LoopFunction", bound=Loop)
PACKAGES = ("runtime", "context", "enforcement", "loop_support", "small_model")
"""Packages whose code decides what a loop does."""
LOOPS: Registry[Loop] = Registry("loop")
_UNSTEERABLE: set[str] = set()
_USUAL_STEPS: dict[str, int] = {}


def loop(name: str, *, steerable: bool = True, steps: int | None = None) -> Callable[[LoopFunction], LoopFunction]:
    """Register a loop. Its prompts are Markdown files in `prompts/` beside it.

    A loop that is not steerable does what its options say; a person's message has no part in it. `steps` is how many
    steps it may take where nothing else is said; a loop without decides that by the size of the model.
    """

    def register(body: LoopFunction) -> LoopFunction:
        LOOPS.add(name, body)
        if not steerable:
            _UNSTEERABLE.add(name)
        if steps:
            _USUAL_STEPS[name] = steps
        return body

    return register


def is_steerable(name: str) -> bool:
    """Whether a person can say something to a run of this loop."""
    return name not in _UNSTEERABLE


def usual_steps(name: str) -> int | None:
    """How many steps a loop may take where nothing else is said; None where the model decides that."""
    return _USUAL_STEPS.get(name)


def prompts(body: Loop) -> Path:
    """The folder of a loop's prompts."""
    return Path(inspect.getfile(body)).parent / "prompts"


def version() -> str:
    """The package's version and a digest of the loops: a run is replayed only by the code that began it."""
    digest = hashlib.sha256()
    files = {inspect.getfile(LOOPS.get(name)) for name in LOOPS}
    for file in sorted(
        [
            *files,
            *map(str, (path for package in PACKAGES for path in (Path(__file__).parents[1] / package).rglob("*.py"))),
        ]
    ):
        digest.update(Path(file).read_bytes())
    return f"{VERSION}+{digest.hexdigest()[:8]}"

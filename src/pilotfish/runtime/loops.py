"""Loops by name. A loop is one async function over a run."""

import hashlib
import inspect
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

from pilotfish import __version__
from pilotfish.core.registry import Registry

if TYPE_CHECKING:
    from pilotfish.runtime.run import Run

Loop = Callable[["Run"], Awaitable[None]]
LOOPS: Registry[Loop] = Registry("loop")


def loop(name: str) -> Callable[[Loop], Loop]:
    """Register a loop. Its prompts are Markdown files in `prompts/` beside it."""
    return LOOPS.named(name)


def prompts(body: Loop) -> Path:
    return Path(inspect.getfile(body)).parent / "prompts"


def version() -> str:
    """The package's version and a digest of the loops: a run is replayed only by the code that began it."""
    digest = hashlib.sha256()
    files = {inspect.getfile(LOOPS.get(name)) for name in LOOPS}
    for file in sorted([*files, *map(str, Path(__file__).parent.rglob("*.py"))]):
        digest.update(Path(file).read_bytes())
    return f"{__version__}+{digest.hexdigest()[:8]}"

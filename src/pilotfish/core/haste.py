"""A quick start: while much is imported there is no garbage, and to look for it would take a fifth of the time."""

import gc
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def haste() -> Generator[None]:
    """Collect no garbage meanwhile."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()

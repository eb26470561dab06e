"""What the tests of the parser pool run apart. It imports little: its import counts among what a document may take."""

import os
import time
from pathlib import Path
from typing import Any

from pilotfish.core.errors import ToolError


def echo(data: bytes, **options: Any) -> list[Any]:
    return [data.decode(), options]


def spin(data: bytes) -> None:
    while True:
        pass


def hold(data: bytes) -> str:
    """Wait for a file, without using the processor."""
    while not Path(data.decode()).exists():
        time.sleep(0.02)
    return "open"


def devour(data: bytes) -> int:
    return len([bytes(100_000_000) for _ in range(100)])


def refuse(data: bytes) -> None:
    raise ToolError("It is locked.", "Open it.")


def crash(data: bytes) -> None:
    os.abort()


def stray(data: bytes) -> str:
    print("noise on standard output")
    return os.environ.get("OPENAI_API_KEY", "")


def number(data: bytes) -> int:
    return os.getpid()

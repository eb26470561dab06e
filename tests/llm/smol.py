"""The small real model of the tests, fetched once per machine."""

import asyncio
import os
from pathlib import Path

import platformdirs

from pilotfish.llm.catalog import SHARED
from pilotfish.llm.fetch import pull

NAME = "smollm2-135m"


def shared() -> Path:
    """The folder that keeps models between test runs; its file is fetched if it is not there yet."""
    place = Path(os.environ.get(SHARED) or platformdirs.user_cache_path("pilotfish") / "models")
    if not (place / "SmolLM2-135M-Instruct.Q4_1.gguf").exists():
        before = os.environ.get(SHARED)
        os.environ[SHARED] = str(place)
        try:
            asyncio.run(pull(NAME, place))
        finally:
            os.environ.pop(SHARED) if before is None else None
    return place

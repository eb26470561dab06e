"""The small real model of the tests, fetched once per machine."""

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import platformdirs

from pilotfish.llm.catalog import SHARED_FOLDER_VARIABLE, find_entry
from pilotfish.llm.model_download import obtain_file

NAME = "smollm2-135m"
LAYERS, WIDTH, INNER = 30, 576, 1536


def find_shared_folder() -> Path:
    """The folder that keeps models between test runs; the small one is fetched if it is not there yet."""
    place = Path(os.environ.get(SHARED_FOLDER_VARIABLE) or platformdirs.user_cache_path("pilotfish") / "models")
    entry = find_entry(NAME)
    if not (place / entry.file).exists():
        with ThreadPoolExecutor(1) as elsewhere:  # the test's own event loop may be running here
            elsewhere.submit(lambda: asyncio.run(obtain_file(entry, place))).result()
    return place

"""Asking a peer's script in the peer's own environment; it answers with one line of JSON."""

import asyncio
import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "peers"


async def run_peer(python: str, script: str, *words: str) -> dict[str, Any]:
    """What the script found; nothing where it failed."""
    process = await asyncio.create_subprocess_exec(
        *(python, str(FOLDER / script), *words), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
    )
    out, _ = await process.communicate()
    return read_result(out)


def read_result(out: bytes) -> dict[str, Any]:
    return next((json.loads(line) for line in out.splitlines() if line.startswith(b"{")), {})

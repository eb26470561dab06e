"""Reads files that a person named: plain files only, up to a size, without waiting for a writer."""

import os
import stat
from pathlib import Path


def read_plain_file(path: Path, limit: int) -> bytes:
    """The content of a plain file. A pipe, a device, a folder or a file beyond `limit` bytes is an OSError."""
    # Without this flag, opening a named pipe waits for somebody to write into it.
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError("not a plain file")
        data = file.read(limit + 1)
    if len(data) > limit:
        raise OSError(f"larger than {limit:,} bytes")
    return data

"""Turns the address of a file on this machine into a page of the given files' own origin."""

import asyncio
import hashlib
import os
from pathlib import Path
from urllib.parse import unquote, urlsplit

from pilotfish.core.errors import ToolError
from pilotfish.core.given_pages import given_address, page_file
from pilotfish.core.parser_pool import parse_apart

LARGEST_FILE = 20_000_000


async def given_page_address(folder: Path, address: str) -> str:
    """The address to open: a file's page below `folder`, made now; any other address as it is."""
    if urlsplit(address.strip()).scheme.lower() != "file":
        return address
    from pilotfish.web.page_reading import make_shown

    path = Path(unquote(urlsplit(address.strip()).path))
    data = await asyncio.to_thread(_read, path)
    made = await parse_apart(make_shown, data, what=path.name, name=path.name)
    if made is None:
        raise ToolError(f"{path.name} holds no text and is no picture.", "Give a page, a text, a table or a PDF.")
    name = f"{hashlib.sha256(os.fsencode(path)).hexdigest()[:8]}-{path.name[-50:]}"
    await asyncio.to_thread(_keep, page_file(folder, name), made)
    return given_address(name)


def _keep(path: Path, page: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(page, "utf-8", errors="replace")


def _read(path: Path) -> bytes:
    if not path.is_file():
        raise ToolError(f"There is no file {path.name}.", "Check the name, or give the address of a page.")
    if path.stat().st_size > LARGEST_FILE:
        raise ToolError(f"{path.name} has more than {LARGEST_FILE // 1_000_000} MB.", "Give a part of it.")
    try:
        return path.read_bytes()
    except OSError as error:
        raise ToolError(f"{path.name} cannot be read: {error.strerror}.", "Check who may read it.") from error

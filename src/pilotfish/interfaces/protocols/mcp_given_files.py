"""Takes files that an MCP client gives, so that the tool `upload` can give them to a page."""

import asyncio
import base64
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pilotfish.app import Pilotfish
from pilotfish.core.errors import NotFoundError, PersonError
from pilotfish.core.users import User
from pilotfish.interfaces.http.files import attach_file
from pilotfish.interfaces.protocols.mcp_tools import LARGEST_FILE, CallOutput, FileInput

if TYPE_CHECKING:
    from mcp.types import CallToolResult


async def take_file(
    fish: Pilotfish, me: User, conversation: str, given: Any, folders: Sequence[Path]
) -> "CallToolResult":
    """Keep a file with the conversation of a session; its result says how to upload it."""
    from mcp.types import CallToolResult, TextContent

    asked = FileInput.model_validate(given)
    data = await asyncio.to_thread(read_given, asked, folders)
    kept = await attach_file(fish, conversation, me.id, asked.name or Path(asked.path).name, data)
    text = f"{kept.name} can be uploaded now: `upload` with this name as `path`."
    output = CallOutput(run="", outcome="completed", text=text, data={"name": kept.name, "size": kept.size})
    return CallToolResult(
        content=[TextContent(type="text", text=text)], structured_content=output.model_dump(mode="json"), is_error=False
    )


def read_given(given: FileInput, folders: Sequence[Path]) -> bytes:
    """The bytes of a file. A path, with links followed, must be in one of the folders."""
    if given.text:
        return given.text.encode()
    if given.data:
        try:
            return base64.b64decode(given.data, validate=True)
        except ValueError:
            raise PersonError("The data is not valid base64.", "Encode it again.") from None
    known = [folder.expanduser().resolve() for folder in folders]
    places = [place for folder in known if (place := (folder / given.path).resolve()).is_relative_to(folder)]
    found = next((place for place in places if place.is_file()), None)
    if found is None:
        fix = "Name its folder: `pilotfish mcp --files FOLDER`." if not known else "Give its content as `data`."
        raise NotFoundError(f"{given.path} is in no folder whose files may be given.", fix)
    if found.stat().st_size > LARGEST_FILE:
        raise PersonError(f"{found.name} is larger than {LARGEST_FILE // 1_000_000} MB.", "Give a smaller file.")
    return found.read_bytes()

"""Offers the files of a client's runs, such as downloads and pictures, as MCP resources."""

import asyncio
import base64
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from pilotfish.app import Pilotfish
from pilotfish.core.errors import NotFoundError
from pilotfish.core.events import FileSaved
from pilotfish.core.users import User
from pilotfish.services.run_files import find_file

if TYPE_CHECKING:
    from mcp.types import ListResourcesResult, ReadResourceResult, ResourceLink

SCHEME = "pilotfish://runs/"
MOST_FILES = 200
LARGEST_FILE = 20_000_000


def resource_address(run: str, name: str) -> str:
    return f"{SCHEME}{run}/{quote(name)}"


def link_file(saved: FileSaved) -> "ResourceLink":
    """A file as a link in a result."""
    from mcp.types import ResourceLink

    address, name = resource_address(saved.run, saved.name), saved.name.rpartition("/")[2]
    return ResourceLink(type="resource_link", uri=address, name=name, mime_type=saved.media, size=saved.size)


async def list_files(fish: Pilotfish, me: User, conversation: str) -> "ListResourcesResult":
    """The newest files of the runs of a conversation."""
    from mcp.types import ListResourcesResult, Resource

    runs = {run.id for run in await fish.runs(user=me.id, conversation=conversation, limit=MOST_FILES)}
    found = [one for one in await fish.store.history(me.id, ["file_saved"]) if isinstance(one, FileSaved)]
    mine = [link_file(one) for one in reversed(found) if one.run in runs][:MOST_FILES]
    return ListResourcesResult(resources=[Resource(**link.model_dump(exclude={"type"})) for link in mine])


async def read_file(fish: Pilotfish, me: User, address: str) -> "ReadResourceResult":
    """A file of one of the user's runs."""
    from mcp.types import BlobResourceContents, ReadResourceResult

    run, _, name = address.removeprefix(SCHEME).partition("/")
    if not address.startswith(SCHEME) or not name:
        raise NotFoundError(f"There is no resource {address!r}.")
    saved, path = await find_file(fish, (await fish.record(run, me.id)).id, unquote(name))
    if saved.size > LARGEST_FILE:
        raise NotFoundError(
            f"{saved.name} is too large to be sent.", f"Get it from /api/runs/{run}/files/{quote(saved.name)}."
        )
    data = base64.b64encode(await asyncio.to_thread(path.read_bytes)).decode()
    return ReadResourceResult(contents=[BlobResourceContents(uri=address, mime_type=saved.media, blob=data)])

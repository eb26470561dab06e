"""Files attached to a conversation, over HTTP."""

from typing import Annotated

from fastapi import APIRouter, Body, Query

from pilotfish.app import Pilotfish
from pilotfish.interfaces.web_server.dependencies import ERRORS, AppDep, ConversationDep
from pilotfish.services.attached_files import AttachedFile, AttachedFiles

router = APIRouter(prefix="/api/conversations/{conversation}/files", tags=["files"], responses=ERRORS)
FileName = Annotated[str, Query(min_length=1, max_length=200)]
FileBytes = Annotated[bytes, Body(media_type="application/octet-stream")]


@router.get("")
async def list_given(conversation: ConversationDep, fish: AppDep) -> list[AttachedFile]:
    """List the files attached to a conversation."""
    return (await open_attached(fish, conversation.id, conversation.user)).list_all()


@router.post("", status_code=201)
async def give_file(conversation: ConversationDep, fish: AppDep, name: FileName, data: FileBytes) -> AttachedFile:
    """Attach a file. Runs of the conversation may upload it, and read it if started with its name."""
    return await attach_file(fish, conversation.id, conversation.user, name, data)


async def attach_file(fish: Pilotfish, conversation: str, user: str, name: str, data: bytes) -> AttachedFile:
    """Keep a file with a conversation, for all machines."""
    attached = await open_attached(fish, conversation, user)
    kept = await attached.keep(name, data)
    for path in attached.paths(kept):
        await fish.files.share(path.relative_to(fish.home).as_posix())
    return kept


async def open_attached(fish: Pilotfish, conversation: str, user: str) -> AttachedFiles:
    """The files of a conversation, also those that were attached at another machine."""
    await fish.files.fetch_below(f"conversations/{conversation}/")
    return AttachedFiles(fish.home / "conversations" / conversation, user)

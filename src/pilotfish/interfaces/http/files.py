"""Files that a person gives to a conversation, over HTTP."""

from typing import Annotated

from fastapi import APIRouter, Body, Query

from pilotfish.interfaces.places import ERRORS, Fish, Thread
from pilotfish.parts.given import Drawer, Given

router = APIRouter(prefix="/api/conversations/{conversation}/files", tags=["files"], responses=ERRORS)
Name = Annotated[str, Query(min_length=1, max_length=200)]
Bytes = Annotated[bytes, Body(media_type="application/octet-stream")]


@router.get("")
async def list_given(conversation: Thread, fish: Fish) -> list[Given]:
    """What was attached to this conversation."""
    return drawer(fish, conversation.id).all()


@router.post("", status_code=201)
async def give_file(conversation: Thread, fish: Fish, name: Name, data: Bytes) -> Given:
    """Attach a file. Its runs may read it, when started with its name, and upload it; they see no other files."""
    return await drawer(fish, conversation.id).keep(name, data)


def drawer(fish: Fish, conversation: str) -> Drawer:
    return Drawer(fish.settings.home / "conversations" / conversation)

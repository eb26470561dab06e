"""Conversations over HTTP: open, list, read, rename, delete."""

import secrets
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from pilotfish.core.messages import Message
from pilotfish.core.records import Conversation
from pilotfish.core.values import Value
from pilotfish.interfaces.web_server.dependencies import ERRORS, AppDep, ConversationDep, UserDep
from pilotfish.interfaces.web_server.run_options import check_model

router = APIRouter(prefix="/api/conversations", tags=["conversations"], responses=ERRORS)


class ConversationTitle(Value):
    """A new name."""

    title: str = Field(min_length=1, max_length=200)


class ReadAheadRequest(Value):
    """The tabs that a question may be about (none: the active one), and the model that would answer."""

    tabs: tuple[int, ...] = Field(default=(), max_length=50)
    model: str = Field(default="", max_length=200)


@router.get("")
async def list_conversations(
    fish: AppDep,
    me: UserDep,
    text: Annotated[str, Query(max_length=200)] = "",
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> list[Conversation]:
    """List the user's conversations, newest first; with `text`, those whose title, tasks or answers contain it."""
    mine = await fish.store.conversations(me.id, limit)
    words = text.replace("\0", "").lower().split()
    if not words:
        return mine
    said = {run.conversation for run in await fish.runs(user=me.id, text=" ".join(words), limit=1000)}
    return [one for one in mine if one.id in said or all(word in one.title.lower() for word in words)]


@router.post("", status_code=201)
async def open_conversation(fish: AppDep, me: UserDep, title: ConversationTitle) -> Conversation:
    """Create a conversation without a run, to open pages in it."""
    return await fish.store.save(Conversation(id=secrets.token_hex(8), user=me.id, title=title.title))


@router.get("/{conversation}")
async def read_conversation(conversation: ConversationDep) -> Conversation:
    """Read one of the user's conversations."""
    return conversation


@router.get("/{conversation}/messages")
async def read_messages(conversation: ConversationDep, fish: AppDep) -> list[Message]:
    """Read the messages in order."""
    return await fish.messages(conversation.id)


@router.post("/{conversation}/warm", status_code=204)
async def read_ahead(conversation: ConversationDep, fish: AppDep, ahead: ReadAheadRequest) -> None:
    """Read these tabs ahead of a question; returns at once."""
    await check_model(fish, ahead.model)
    view = await fish.views.find(conversation.id)
    await view.warm(ahead.tabs, conversation.user, ahead.model)


@router.patch("/{conversation}")
async def rename_conversation(conversation: ConversationDep, fish: AppDep, title: ConversationTitle) -> Conversation:
    """Change the title."""
    return await fish.store.save(conversation.model_copy(update={"title": title.title}))


@router.delete("/{conversation}", status_code=204)
async def delete_conversation(conversation: ConversationDep, fish: AppDep) -> None:
    """Delete a conversation with its runs, tabs and files."""
    await fish.delete_conversation(conversation.id)

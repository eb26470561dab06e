"""Conversations over HTTP: open, list, read, rename, delete."""

import secrets
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import Field

from pilotfish.core.messages import Message
from pilotfish.core.records import Conversation
from pilotfish.core.values import Value
from pilotfish.interfaces.places import ERRORS, Fish, Me, Thread

router = APIRouter(prefix="/api/conversations", tags=["conversations"], responses=ERRORS)


class Title(Value):
    """A new name."""

    title: str = Field(min_length=1, max_length=200)


class Ahead(Value):
    """The tabs that a question may come about, none for the one in front; and the model that would answer."""

    tabs: tuple[int, ...] = Field(default=(), max_length=50)
    model: str = Field(default="", max_length=200)


@router.get("")
async def list_conversations(
    fish: Fish,
    me: Me,
    text: Annotated[str, Query(max_length=200)] = "",
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> list[Conversation]:
    """Mine, newest first; with `text`, those whose title, tasks or answers say it."""
    mine = await fish.store.conversations(me.id, limit)
    words = text.replace("\0", "").lower().split()
    if not words:
        return mine
    said = {run.conversation for run in await fish.runs(user=me.id, text=" ".join(words), limit=1000)}
    return [one for one in mine if one.id in said or all(word in one.title.lower() for word in words)]


@router.post("", status_code=201)
async def open_conversation(fish: Fish, me: Me, title: Title) -> Conversation:
    """Begin one before there is anything to do, to open pages in it."""
    return await fish.store.save(Conversation(id=secrets.token_hex(8), user=me.id, title=title.title))


@router.get("/{conversation}")
async def read_conversation(conversation: Thread) -> Conversation:
    """One of mine."""
    return conversation


@router.get("/{conversation}/messages")
async def read_messages(conversation: Thread, fish: Fish) -> list[Message]:
    """What was said, in order."""
    return await fish.messages(conversation.id)


@router.post("/{conversation}/warm", status_code=204)
async def read_ahead(conversation: Thread, fish: Fish, ahead: Ahead) -> None:
    """Have these tabs read before a question about them comes; comes back at once."""
    fish.warm(conversation.id, ahead.tabs, user=conversation.user, model=ahead.model)


@router.patch("/{conversation}")
async def rename_conversation(conversation: Thread, fish: Fish, title: Title) -> Conversation:
    """Give it another title."""
    return await fish.store.save(conversation.model_copy(update={"title": title.title}))


@router.delete("/{conversation}", status_code=204)
async def delete_conversation(conversation: Thread, fish: Fish) -> None:
    """Remove it with its runs, tabs and files."""
    await fish.forget(conversation.id)

"""The user's facts over HTTP: list, correct, bring back, delete, export and import."""

import json
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from fastapi.responses import Response
from pydantic import Field

from pilotfish.core.errors import PersonError
from pilotfish.core.facts import Fact, MemoryTier
from pilotfish.core.values import Value
from pilotfish.interfaces.web_server.dependencies import ERRORS, AppDep, RecordId, UserDep

router = APIRouter(prefix="/api/memory", tags=["memory"], responses=ERRORS)


class FactText(Value):
    """A fact in the user's words."""

    content: str = Field(min_length=1, max_length=2000)
    tier: MemoryTier = Field(default="important", description="how long it holds; names and allergies are always core")


@router.get("")
async def list_facts(fish: AppDep, me: UserDep) -> list[Fact]:
    """List the facts that hold, the most valuable first."""
    return await fish.memory.facts(me.id)


@router.get("/history")
async def list_past_facts(fish: AppDep, me: UserDep) -> list[Fact]:
    """List the facts that no longer hold, and why."""
    return await fish.memory.history(me.id)


@router.post("", status_code=201)
async def add_fact(fish: AppDep, me: UserDep, words: FactText) -> list[Fact]:
    """Save a fact; return the stored facts, which may be merged with known ones.

    Facts in the history whose `successor` it is were replaced or made more exact by it.
    """
    outcome = await fish.memory.save(me.id, [{"content": words.content, "tier": words.tier, "confidence": 1.0}])
    if outcome.refused:
        raise PersonError(f"That cannot be remembered: {outcome.refused[0].reason}.", "Say it in another way.")
    return [*outcome.saved, *outcome.merged]


@router.patch("/{fact}")
async def correct_fact(fish: AppDep, me: UserDep, fact: RecordId, words: FactText) -> Fact:
    """Correct a fact; the old wording stays in the history."""
    return await fish.memory.correct(me.id, fact, words.content)


@router.post("/{fact}/undo")
async def undo_ending(fish: AppDep, me: UserDep, fact: RecordId) -> Fact:
    """Bring back a past fact, beside what replaced it."""
    return await fish.memory.undo(me.id, fact)


ConversationHandling = Annotated[
    Literal["keep", "delete"], Query(description="what happens to the conversations in which it was said")
]


@router.delete("/{fact}", status_code=204)
async def delete_fact(fish: AppDep, me: UserDep, fact: RecordId, conversations: ConversationHandling = "keep") -> None:
    """Delete a fact. Kept conversations can still be read, but nothing that said it is recalled from them."""
    mentioning = await fish.memory.delete(me.id, fact)
    for conversation in mentioning if conversations == "delete" else ():
        await fish.delete_conversation(conversation)


@router.delete("", status_code=204)
async def delete_facts(fish: AppDep, me: UserDep) -> None:
    """Delete all facts, also those that no longer hold."""
    await fish.memory.clear(me.id)


class MemoryExport(Value):
    """The facts of an export."""

    facts: list[dict[str, Any]] = Field(min_length=1, max_length=10_000)


@router.post("/import")
async def import_facts(fish: AppDep, me: UserDep, kept: MemoryExport) -> list[Fact]:
    """Import the facts of an export; return the facts that hold then."""
    await fish.memory.restore(me.id, json.dumps(kept.facts))
    return await fish.memory.facts(me.id)


@router.get("/export", response_class=Response)
async def export_facts(fish: AppDep, me: UserDep) -> Response:
    """Export all facts as JSON."""
    headers = {"content-disposition": "attachment; filename=memory.json"}
    return Response((await fish.memory.export(me.id)).encode(), media_type="application/json", headers=headers)

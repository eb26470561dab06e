"""What is remembered of me: to see, correct, delete and take away."""

import json
from typing import Any

from fastapi import APIRouter
from fastapi.responses import Response
from pydantic import Field

from pilotfish.core.errors import PersonError
from pilotfish.core.facts import Fact
from pilotfish.core.values import Value
from pilotfish.interfaces.places import ERRORS, Fish, Id, Me

router = APIRouter(prefix="/api/memory", tags=["memory"], responses=ERRORS)


class Words(Value):
    """A fact as a person puts it."""

    content: str = Field(min_length=1, max_length=2000)


@router.get("")
async def list_facts(fish: Fish, me: Me) -> list[Fact]:
    """What holds now, the most valuable first."""
    return await fish.memory.facts(me.id)


@router.get("/history")
async def list_past_facts(fish: Fish, me: Me) -> list[Fact]:
    """What held once, and why it ended."""
    return await fish.memory.history(me.id)


@router.post("", status_code=201)
async def add_fact(fish: Fish, me: Me, words: Words) -> list[Fact]:
    """Remember something; what it became, also where it was merged with what was known."""
    outcome = await fish.memory.save(me.id, [{"content": words.content, "confidence": 1.0}])
    if outcome.refused:
        raise PersonError(f"That cannot be remembered: {outcome.refused[0].reason}.", "Say it in another way.")
    return [*outcome.saved, *outcome.merged]


@router.patch("/{fact}")
async def correct_fact(fish: Fish, me: Me, fact: Id, words: Words) -> Fact:
    """Say it right; the old wording stays in the history."""
    return await fish.memory.correct(me.id, fact, words.content)


@router.delete("/{fact}", status_code=204)
async def delete_fact(fish: Fish, me: Me, fact: Id) -> None:
    """Forget it for good."""
    await fish.memory.delete(me.id, fact)


@router.delete("", status_code=204)
async def delete_facts(fish: Fish, me: Me) -> None:
    """Forget all of it for good, with what held once."""
    await fish.memory.clear(me.id)


class Kept(Value):
    """A memory as the export gave it."""

    facts: list[dict[str, Any]] = Field(min_length=1, max_length=10_000)


@router.post("/import")
async def import_facts(fish: Fish, me: Me, kept: Kept) -> list[Fact]:
    """Take in what the export gave, as one's own; what holds then."""
    await fish.memory.restore(me.id, json.dumps(kept.facts))
    return await fish.memory.facts(me.id)


@router.get("/export", response_class=Response)
async def export_facts(fish: Fish, me: Me) -> Response:
    """All of it, as JSON."""
    headers = {"content-disposition": "attachment; filename=memory.json"}
    return Response((await fish.memory.export(me.id)).encode(), media_type="application/json", headers=headers)

"""What is remembered of me: to see, correct, delete and take away."""

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import Response
from pydantic import Field

from pilotfish.core.facts import Fact
from pilotfish.core.values import Value
from pilotfish.interfaces.places import ERRORS, Fish, Id, Me

router = APIRouter(prefix="/api/memory", tags=["memory"], responses=ERRORS)


class Correction(Value):
    """What should stand there instead."""

    content: str = Field(min_length=1, max_length=2000)


@router.get("")
async def list_facts(
    fish: Fish, me: Me, ended: Annotated[bool, Query(description="those that no longer hold, instead")] = False
) -> list[Fact]:
    """What holds now, or what held once."""
    return await (fish.memory.history(me.id) if ended else fish.memory.facts(me.id))


@router.put("/{fact}")
async def correct_fact(fish: Fish, me: Me, fact: Id, correction: Correction) -> Fact:
    """Say it right; the old wording stays in the history."""
    return await fish.memory.correct(me.id, fact, correction.content)


@router.delete("/{fact}", status_code=204)
async def delete_fact(fish: Fish, me: Me, fact: Id) -> None:
    """Forget it for good."""
    await fish.memory.delete(me.id, fact)


@router.get("/export", response_class=Response)
async def export_facts(fish: Fish, me: Me) -> Response:
    """All of it, as JSON."""
    headers = {"content-disposition": "attachment; filename=memory.json"}
    return Response((await fish.memory.export(me.id)).encode(), media_type="application/json", headers=headers)

"""What handlers ask for by type: the app, the person, and what of theirs the address names."""

from typing import Annotated

from fastapi import Depends, Path
from starlette.requests import HTTPConnection

from pilotfish.app import Pilotfish
from pilotfish.core.errors import Missing
from pilotfish.core.people import User
from pilotfish.core.records import Conversation, RunRecord
from pilotfish.interfaces.gate import whose
from pilotfish.interfaces.problems import Problem, Refusal

Id = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,100}$")]
CODES = (400, 401, 403, 404, 409, 413, 422, 429, 503)
ERRORS: dict[int | str, dict[str, object]] = {
    code: {"model": Problem, "content": {"application/problem+json": {}}} for code in CODES
}


# All of these are async, for FastAPI would send plain functions to a thread each time.


async def fish(connection: HTTPConnection) -> Pilotfish:
    return connection.app.state.fish


async def me(connection: HTTPConnection) -> User:
    return whose(connection)


Fish = Annotated[Pilotfish, Depends(fish)]
Me = Annotated[User, Depends(me)]


async def admin(me: Me) -> User:
    if not me.admin:
        raise Refusal(403, "admins_only", "Only an admin may do that.", "Ask the one who runs this server.")
    return me


Admin = Annotated[User, Depends(admin)]


async def run(run: Id, fish: Fish, me: Me) -> RunRecord:
    """One of my runs; another's is as if it were not there."""
    return await fish.record(run, me.id)


async def thread(conversation: Id, fish: Fish, me: Me) -> Conversation:
    """One of my conversations."""
    found = await fish.store.conversation(conversation)
    if found is None or found.user != me.id:
        raise Missing(f"There is no conversation {conversation!r}.", "See /api/conversations for yours.")
    return found


Run = Annotated[RunRecord, Depends(run)]
Thread = Annotated[Conversation, Depends(thread)]

"""Dependencies of handlers: the app, the user, and the run or conversation in the address."""

from typing import Annotated

from fastapi import Depends, Path
from starlette.requests import HTTPConnection

from pilotfish.app import Pilotfish
from pilotfish.core.errors import NotFoundError
from pilotfish.core.records import Conversation, RunRecord
from pilotfish.core.users import User
from pilotfish.interfaces.web_server.access_gate import user_of
from pilotfish.interfaces.web_server.problems import Problem, RequestRefused

RecordId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,100}$")]
ERROR_CODES = (400, 401, 403, 404, 409, 413, 422, 429, 503)
ERRORS: dict[int | str, dict[str, object]] = {
    code: {"model": Problem, "content": {"application/problem+json": {}}} for code in ERROR_CODES
}


# All of these are async: FastAPI runs plain functions in a thread each time.


async def get_app(connection: HTTPConnection) -> Pilotfish:
    return connection.app.state.fish


async def get_user(connection: HTTPConnection) -> User:
    return user_of(connection)


AppDep = Annotated[Pilotfish, Depends(get_app)]
UserDep = Annotated[User, Depends(get_user)]


async def require_admin(me: UserDep) -> User:
    if not me.admin:
        raise RequestRefused(403, "admins_only", "Only an admin may do that.", "Ask the one who runs this server.")
    return me


AdminDep = Annotated[User, Depends(require_admin)]


async def get_run(run: RecordId, fish: AppDep, me: UserDep) -> RunRecord:
    """One of the user's runs; another user's counts as missing."""
    return await fish.record(run, me.id)


async def get_conversation(conversation: RecordId, fish: AppDep, me: UserDep) -> Conversation:
    """One of the user's conversations."""
    found = await fish.store.conversation(conversation)
    if found is None or found.user != me.id:
        raise NotFoundError(f"There is no conversation {conversation!r}.", "See /api/conversations for yours.")
    return found


RunDep = Annotated[RunRecord, Depends(get_run)]
ConversationDep = Annotated[Conversation, Depends(get_conversation)]

"""The way in: a token is exchanged for a cookie that scripts cannot read and other sites cannot send."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import Field

from pilotfish.app import Pilotfish
from pilotfish.core.people import User
from pilotfish.core.values import Value
from pilotfish.interfaces.gate import cookie, presented
from pilotfish.interfaces.places import ERRORS, Fish, Me
from pilotfish.interfaces.problems import Refusal

MONTH = 30 * 24 * 3600
router = APIRouter(tags=["session"], responses=ERRORS)


class Key(Value):
    """A token, as `pilotfish` or an admin gave it."""

    token: str = Field(min_length=1, max_length=200)


@router.get("/enter", include_in_schema=False)
async def enter(fish: Fish, request: Request, token: Annotated[str, Query(max_length=200)] = "") -> Response:
    """The address that `pilotfish` prints: leaves the token behind in a cookie and goes on to the UI."""
    answer = RedirectResponse("/", 303)
    await admitted(fish, request, answer, token)
    return answer


@router.post("/api/session")
async def sign_in(fish: Fish, request: Request, response: Response, key: Key) -> User:
    """Exchange a token for a session cookie."""
    return await admitted(fish, request, response, key.token)


@router.delete("/api/session", status_code=204)
async def sign_out(fish: Fish, request: Request, response: Response) -> None:
    """End the session."""
    await fish.people.leave(presented(request.scope, request.headers)[0])
    response.delete_cookie(cookie(request.scope))


@router.get("/api/me")
async def me(me: Me) -> User:
    """Who I am."""
    return me


async def admitted(fish: Pilotfish, request: Request, response: Response, token: str) -> User:
    user = await fish.people.who(token)
    if user is None:
        guesses = request.client.host if request.client else ""
        if not request.app.state.guesses.take(guesses):
            raise Refusal(429, "too_many", "Too many wrong tokens.", "Wait a minute.")
        raise Refusal(401, "wrong_token", "That token is not known.", "Open the address that `pilotfish` printed.")
    _, session = await fish.people.grant(user.id, "browser", kind="session", ttl=MONTH)
    secure = request.url.scheme == "https"
    response.set_cookie(
        cookie(request.scope), session, max_age=MONTH, httponly=True, samesite="strict", secure=secure, path="/"
    )
    return user

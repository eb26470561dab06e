"""Sign-in: exchanges a token for a cookie that scripts cannot read and other sites cannot send."""

import html
from typing import Annotated
from urllib.parse import parse_qs

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from pydantic import Field

from pilotfish.app import Pilotfish
from pilotfish.core.users import LOCAL, User
from pilotfish.core.values import Value
from pilotfish.interfaces.web_server.access_gate import cookie_name, presented_token
from pilotfish.interfaces.web_server.dependencies import ERRORS, AppDep, UserDep
from pilotfish.interfaces.web_server.problems import RequestRefused

MONTH = 30 * 24 * 3600
CONFIRM_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Pilotfish</title>
<h1>Go in as {name}?</h1>
<p>What you do here will be done as {name}. If that is not you, close this page.
<form method="post" action="/enter"><input type="hidden" name="token" value="{token}"><button>Go in</button></form>
"""
router = APIRouter(tags=["session"], responses=ERRORS)


class TokenLogin(Value):
    """A token, as `pilotfish` or an admin gave it."""

    token: str = Field(min_length=1, max_length=200)


@router.get("/enter", include_in_schema=False)
async def enter(fish: AppDep, request: Request, token: Annotated[str, Query(max_length=200)] = "") -> Response:
    """Sign in by an address with a token. The one that `pilotfish` prints leads to the UI at once; others ask first.

    Otherwise a link with somebody else's token could sign a person in as that user.
    """
    user = await recognise_user(fish, request, token)
    if user.id == LOCAL and request.headers.get("sec-fetch-site", "none") in ("none", "same-origin"):
        return await let_in(fish, request, user)
    shown = CONFIRM_PAGE.format(name=html.escape(user.name), token=html.escape(token))
    return HTMLResponse(shown, headers={"cache-control": "no-store"})


@router.post("/enter", include_in_schema=False)
async def confirm_entry(fish: AppDep, request: Request) -> Response:
    """Sign in after the person confirmed it on that page."""
    if request.headers.get("origin") is None and request.headers.get("sec-fetch-site") != "same-origin":
        raise RequestRefused(403, "no_origin", "This form is sent by our own page only.", "Open the address again.")
    sent = parse_qs((await request.body()).decode(errors="replace"))
    return await let_in(fish, request, await recognise_user(fish, request, sent.get("token", [""])[0]))


@router.post("/api/session")
async def sign_in(fish: AppDep, request: Request, response: Response, key: TokenLogin) -> User:
    """Exchange a token for a session cookie."""
    user = await recognise_user(fish, request, key.token)
    await give_session(fish, request, response, user)
    return user


@router.delete("/api/session", status_code=204)
async def sign_out(fish: AppDep, request: Request, response: Response) -> None:
    """End the session."""
    await fish.users.revoke_token(presented_token(request.scope, request.headers)[0])
    response.delete_cookie(cookie_name(request.scope))


@router.get("/api/me")
async def me(me: UserDep) -> User:
    """The signed-in user."""
    return me


async def let_in(fish: Pilotfish, request: Request, user: User) -> Response:
    answer = RedirectResponse("/", 303)
    await give_session(fish, request, answer, user)
    return answer


async def recognise_user(fish: Pilotfish, request: Request, token: str) -> User:
    """The user of a token; too many wrong tokens are refused."""
    user = await fish.users.find_by_token(token)
    if user is None:
        guesses = request.client.host if request.client else ""
        if not request.app.state.guesses.take(guesses):
            raise RequestRefused(429, "too_many", "Too many wrong tokens.", "Wait a minute.")
        raise RequestRefused(
            401, "wrong_token", "That token is not known.", "Open the address that `pilotfish` printed."
        )
    return user


async def give_session(fish: Pilotfish, request: Request, response: Response, user: User) -> None:
    """Start a session and set its cookie in the response."""
    _, session = await fish.users.grant(user.id, "browser", kind="session", ttl=MONTH)
    secure = request.url.scheme == "https"
    response.set_cookie(
        cookie_name(request.scope), session, max_age=MONTH, httponly=True, samesite="strict", secure=secure, path="/"
    )

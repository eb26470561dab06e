"""Starts the practice site on request: harmless pages to try things on."""

from fastapi import APIRouter, Request

from pilotfish.core.values import Value
from pilotfish.interfaces.web_server.dependencies import ERRORS, UserDep

router = APIRouter(prefix="/api/practice", tags=["practice"], responses=ERRORS)


class PracticeSite(Value):
    """The address of the practice site."""

    url: str


@router.post("", status_code=201)
async def open_practice(me: UserDep, request: Request) -> PracticeSite:
    """Start the practice site if needed; return its address."""
    from pilotfish.practice.server import Practice

    state = request.app.state
    if state.practice is None:
        state.practice = await state.stack.enter_async_context(Practice())
    return PracticeSite(url=state.practice.url)

"""The practice site, started when somebody asks for it: pages to try things out on, which harm nobody."""

from fastapi import APIRouter, Request

from pilotfish.core.values import Value
from pilotfish.interfaces.places import ERRORS, Me

router = APIRouter(prefix="/api/practice", tags=["practice"], responses=ERRORS)


class Site(Value):
    """Where it is."""

    url: str


@router.post("", status_code=201)
async def open_practice(me: Me, request: Request) -> Site:
    """Start the site, or say where it is."""
    from pilotfish.practice.server import Practice

    state = request.app.state
    if state.practice is None:
        state.practice = await state.stack.enter_async_context(Practice())
    return Site(url=state.practice.url)

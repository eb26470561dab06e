"""The tabs of a conversation over HTTP."""

from typing import Annotated

from fastapi import APIRouter, Path
from fastapi.responses import Response
from pydantic import Field

from pilotfish.core.hands import Outside, TabInfo
from pilotfish.core.values import Value
from pilotfish.interfaces.places import ERRORS, Fish, Thread

router = APIRouter(prefix="/api/conversations/{conversation}/tabs", tags=["tabs"], responses=ERRORS)
Number = Annotated[int, Path(ge=0, le=1_000_000)]


class Place(Value):
    """An address as a person may type it."""

    url: Outside = Field(min_length=1, max_length=20_000)


class Move(Value):
    """`back`, `forward`, `reload`, or an address."""

    to: Outside = Field(min_length=1, max_length=20_000)


@router.get("")
async def list_tabs(conversation: Thread, fish: Fish) -> list[TabInfo]:
    """What is open."""
    return await fish.windows.of(conversation.id).list()


@router.post("", status_code=201)
async def open_tab(conversation: Thread, fish: Fish, place: Place) -> TabInfo:
    """Open an address in a new tab."""
    opened = await fish.windows.of(conversation.id).open(place.url)
    fish.warm(conversation.id, user=conversation.user)
    return opened


@router.post("/{tab}/select")
async def select_tab(conversation: Thread, fish: Fish, tab: Number) -> TabInfo:
    """Bring it to the front; its page is read ahead of a question."""
    selected = await fish.windows.of(conversation.id).select(tab)
    fish.warm(conversation.id, user=conversation.user)
    return selected


@router.post("/{tab}/go")
async def move_tab(conversation: Thread, fish: Fish, tab: Number, move: Move) -> TabInfo:
    """Go back, forward, or elsewhere."""
    return await fish.windows.of(conversation.id).go(tab, move.to)


@router.delete("/{tab}", status_code=204)
async def close_tab(conversation: Thread, fish: Fish, tab: Number) -> None:
    """Close it; the last one stays, blank."""
    await fish.windows.of(conversation.id).close(tab)


@router.get("/{tab}/icon", response_class=Response, responses={200: {"content": {"image/*": {}}}, 204: {}})
async def show_icon(conversation: Thread, fish: Fish, tab: Number) -> Response:
    """Its site's icon, handed on by us so that whoever looks does not call on the site; 204 where there is none."""
    icon = await fish.windows.of(conversation.id).icon(tab)
    headers = {"content-security-policy": "sandbox; default-src 'none'", "cache-control": "private, max-age=600"}
    if icon is None:
        return Response(status_code=204, headers=headers)
    return Response(icon.data, media_type=icon.media, headers=headers)


@router.get("/{tab}/screenshot", response_class=Response, responses={200: {"content": {"image/png": {}}}})
async def shoot_tab(conversation: Thread, fish: Fish, tab: Number) -> Response:
    """What it shows now, as a PNG."""
    return Response(await fish.windows.of(conversation.id).screenshot(tab), media_type="image/png")

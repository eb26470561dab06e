"""The tabs of a conversation over HTTP."""

from typing import Annotated

from fastapi import APIRouter, Path
from fastapi.responses import Response
from pydantic import Field

from pilotfish.core.gestures import TabInfo, WebAddress
from pilotfish.core.values import Value
from pilotfish.interfaces.web_server.dependencies import ERRORS, AppDep, ConversationDep

router = APIRouter(prefix="/api/conversations/{conversation}/tabs", tags=["tabs"], responses=ERRORS)
TabNumber = Annotated[int, Path(ge=0, le=1_000_000)]


class TabAddress(Value):
    """An address as a person may type it."""

    url: WebAddress = Field(min_length=1, max_length=20_000)


class TabMove(Value):
    """`back`, `forward`, `reload`, or an address."""

    to: WebAddress = Field(min_length=1, max_length=20_000)


@router.get("")
async def list_tabs(conversation: ConversationDep, fish: AppDep) -> list[TabInfo]:
    """List the open tabs."""
    return await (await fish.views.find(conversation.id)).list()


@router.post("", status_code=201)
async def open_tab(conversation: ConversationDep, fish: AppDep, place: TabAddress) -> TabInfo:
    """Open an address in a new tab."""
    view = await fish.views.find(conversation.id)
    opened = await view.open(place.url)
    await view.warm((), conversation.user)
    return opened


@router.post("/{tab}/select")
async def select_tab(conversation: ConversationDep, fish: AppDep, tab: TabNumber) -> TabInfo:
    """Make a tab active; its page is read ahead of a question."""
    view = await fish.views.find(conversation.id)
    selected = await view.select(tab)
    await view.warm((), conversation.user)
    return selected


@router.post("/{tab}/go")
async def move_tab(conversation: ConversationDep, fish: AppDep, tab: TabNumber, move: TabMove) -> TabInfo:
    """Go back or forward, reload, or open an address."""
    return await (await fish.views.find(conversation.id)).go(tab, move.to)


@router.delete("/{tab}", status_code=204)
async def close_tab(conversation: ConversationDep, fish: AppDep, tab: TabNumber) -> None:
    """Close it; the last one stays, blank."""
    await (await fish.views.find(conversation.id)).close(tab)


@router.get("/{tab}/icon", response_class=Response, responses={200: {"content": {"image/*": {}}}, 204: {}})
async def show_icon(conversation: ConversationDep, fish: AppDep, tab: TabNumber) -> Response:
    """Read the tab's icon, passed on so that the viewer makes no request to the site; 204 if there is none."""
    icon = await (await fish.views.find(conversation.id)).icon(tab)
    headers = {"content-security-policy": "sandbox; default-src 'none'", "cache-control": "private, max-age=600"}
    if icon is None:
        return Response(status_code=204, headers=headers)
    return Response(icon.data, media_type=icon.media, headers=headers)


@router.get("/{tab}/screenshot", response_class=Response, responses={200: {"content": {"image/png": {}}}})
async def shoot_tab(conversation: ConversationDep, fish: AppDep, tab: TabNumber) -> Response:
    """Take a screenshot of a tab, as PNG."""
    return Response(await (await fish.views.find(conversation.id)).screenshot(tab), media_type="image/png")

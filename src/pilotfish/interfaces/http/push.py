"""Web push over HTTP: the browsers of the user that get notices also while no page is open."""

from typing import Annotated

from fastapi import APIRouter, Path

from pilotfish.core.events import current_time
from pilotfish.core.schedules import Notice
from pilotfish.core.values import Value
from pilotfish.interfaces.web_server.dependencies import ERRORS, AppDep, UserDep
from pilotfish.interfaces.web_server.problems import RequestRefused
from pilotfish.services.notice_delivery import UndeliverableNotice
from pilotfish.services.web_push import PushBrowser, PushTarget

router = APIRouter(prefix="/api/push", tags=["schedules"], responses=ERRORS)
BrowserId = Annotated[str, Path(pattern=r"^[0-9a-f]{32}$")]


class PushState(Value):
    """What a browser must name to its push service, and the browsers that get notices."""

    key: str
    browsers: tuple[PushBrowser, ...]


@router.get("")
async def read_push(fish: AppDep, me: UserDep) -> PushState:
    """Read the public key of this server and the user's browsers that get notices."""
    return PushState(key=fish.push.read_key(), browsers=tuple(await fish.push.list(me.id)))


@router.post("", status_code=201)
async def add_push_browser(fish: AppDep, me: UserDep, target: PushTarget) -> PushBrowser:
    """Send the user's notices to a browser from now on."""
    return await fish.push.add(target, me.id, fish.settings.notices)


@router.post("/try", status_code=204)
async def try_push(fish: AppDep, me: UserDep) -> None:
    """Send a notice to the user's browsers now, and say what became of it."""
    now = current_time()
    text = "Notices reach this browser."
    notice = Notice(id=f"try:{now:%H%M%S%f}", user=me.id, channel="page", kind="result", title="Pilotfish", text=text)
    try:
        count = await fish.push.send(notice, fish.settings.notices)
    except UndeliverableNotice as failure:
        raise RequestRefused(502, "not_delivered", str(failure), "Turn it off and on again on the page.") from None
    if not count:
        raise RequestRefused(409, "no_browser", "No browser gets your notices.", "Turn it on on the page first.")


@router.delete("/{browser}", status_code=204)
async def drop_push_browser(fish: AppDep, me: UserDep, browser: BrowserId) -> None:
    """Send nothing to a browser any more."""
    await fish.push.drop(browser, me.id)

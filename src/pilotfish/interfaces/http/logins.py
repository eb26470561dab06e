"""Remembered logins over HTTP: listing the sites, signing in by the live view, and forgetting a site."""

import secrets
from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import Field

from pilotfish.core.errors import NotFoundError
from pilotfish.core.gestures import WebAddress
from pilotfish.core.records import Conversation
from pilotfish.core.values import Value
from pilotfish.interfaces.web_server.dependencies import ERRORS, AppDep, UserDep
from pilotfish.safety.logins import SiteLogin, named_site

router = APIRouter(prefix="/api/logins", tags=["logins"], responses=ERRORS)


class LoginStart(Value):
    """Where the person wants to sign in."""

    url: WebAddress = Field(min_length=1, max_length=2000)


@router.get("")
async def list_logins(fish: AppDep, me: UserDep) -> list[SiteLogin]:
    """List the sites of which something is remembered."""
    return await fish.logins.list(me.id)


@router.post("", status_code=201)
async def start_login(fish: AppDep, me: UserDep, start: LoginStart) -> Conversation:
    """Open a site in a conversation with the remembered profile; the person signs in there in the live view."""
    made = Conversation(id=secrets.token_hex(8), user=me.id, title=f"Sign in: {named_site(start.url)}")
    await fish.store.save(made)
    view = await fish.views.find(made.id)
    await view.remember()
    opened = await view.open(start.url)
    for other in await view.list():
        if other.id != opened.id:
            await view.close(other.id)
    return made


@router.delete("/{site}", status_code=204)
async def forget_login(fish: AppDep, me: UserDep, site: Annotated[str, Path(max_length=300)]) -> None:
    """Forget what is remembered of a site, also in the conversations that are open."""
    if not await fish.logins.forget(me.id, site):
        raise NotFoundError(f"Nothing is remembered of {site}.", "See the list of the sites that are remembered.")
    await fish.views.save()

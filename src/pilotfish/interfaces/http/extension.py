"""The browser extension over HTTP: pairing, and handing tabs over to a conversation."""

from fastapi import APIRouter, Request
from pydantic import Field

from pilotfish import __version__
from pilotfish.core.errors import PersonError
from pilotfish.core.users import TokenRecord
from pilotfish.core.values import Value
from pilotfish.interfaces.web_server.access_gate import EXTENSION
from pilotfish.interfaces.web_server.dependencies import ERRORS, AppDep, ConversationDep, UserDep
from pilotfish.interfaces.web_server.problems import RequestRefused
from pilotfish.services.extensions import PairingCode, make_pairing_code

router = APIRouter(prefix="/api", tags=["extension"], responses=ERRORS)


class PairingRequest(Value):
    """The code that the person typed, and what the token is called in their list."""

    code: str = Field(min_length=4, max_length=40)
    name: str = Field(default="Chrome extension", min_length=1, max_length=64)


class Pairing(Value):
    """The token of a paired extension; it is shown this once."""

    token: str
    version: str


class ExtensionState(Value):
    """Whether an extension of mine is connected, and which are paired."""

    connected: bool
    versions: tuple[str, ...] = ()
    paired: tuple[TokenRecord, ...] = ()


class HandedTab(Value):
    """A tab of the person's Chrome, by the number that Chrome gave it."""

    tab: int = Field(ge=0, le=2**53)


@router.get("/extension")
async def show_extension(fish: AppDep, me: UserDep) -> ExtensionState:
    """The state of my extensions."""
    links = fish.extensions.connected(me.id)
    paired = [token for token in await fish.users.grants(me.id) if token.kind == "extension"]
    return ExtensionState(
        connected=bool(links), versions=tuple(one.link.version for one in links), paired=tuple(paired)
    )


@router.post("/extension/code", status_code=201)
async def issue_pairing_code(fish: AppDep, me: UserDep) -> PairingCode:
    """A code to type into the extension's panel."""
    return await make_pairing_code(fish.store, me.id)


@router.post("/extension/pair", status_code=201)
async def pair_extension(fish: AppDep, request: Request, wanted: PairingRequest) -> Pairing:
    """Exchange a code for a token that only this extension can use."""
    origin = request.headers.get("origin", "")
    if not EXTENSION.fullmatch(origin):
        raise RequestRefused(403, "foreign_origin", "Only a browser extension can be paired.", "Use its side panel.")
    try:
        _, token = await fish.extensions.pair(wanted.code, origin, wanted.name)
    except PersonError:
        if not request.app.state.guesses.take(request.client.host if request.client else ""):
            raise RequestRefused(429, "too_many", "Too many wrong codes.", "Wait a minute.") from None
        raise
    return Pairing(token=token, version=__version__)


@router.post("/conversations/{conversation}/chrome", status_code=204)
async def hand_tab_over(
    conversation: ConversationDep, fish: AppDep, me: UserDep, request: Request, given: HandedTab
) -> None:
    """Let the conversation's runs drive this tab of my Chrome, and open their own beside it."""
    if not fish.extensions.connected(me.id):
        fix = "Open Chrome with the Pilotfish extension, then try again."
        raise RequestRefused(409, "not_connected", "Chrome is not connected.", fix)
    record = await fish.users.token_record(str(request.scope["state"]["token"]))
    browser = record.id if record and record.kind == "extension" else ""
    await fish.extensions.hand_over(me.id, conversation.id, given.tab, browser)


@router.delete("/conversations/{conversation}/chrome", status_code=204)
async def take_tabs_back(conversation: ConversationDep, fish: AppDep) -> None:
    """Take all tabs back; they stay open as they are. A run that works in them ends."""
    await fish.extensions.release(conversation.id)
    if not fish.browsers.of(conversation.id).is_in_use:
        await fish.browsers.close(conversation.id)

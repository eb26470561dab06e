"""A tab's icon. The browser itself fetches it, so it leaves by the same door as the page did, and no other way."""

import base64
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote_to_bytes

from pilotfish.browser.wait import script
from pilotfish.core.errors import ToolError

if TYPE_CHECKING:
    from playwright.async_api import CDPSession

    from pilotfish.browser.tab import Tab

LARGEST = 200_000
LIMIT = 3.0
KINDS = {
    b"\x89PNG": "image/png",
    b"GIF8": "image/gif",
    b"\xff\xd8\xff": "image/jpeg",
    b"RIFF": "image/webp",
    b"\0\0\1\0": "image/x-icon",
    b"<svg": "image/svg+xml",
    b"<?xml": "image/svg+xml",
}


class Icon(NamedTuple):
    """A small picture and its kind, told by its first bytes and not by what its server says."""

    data: bytes
    media: str


async def address(tab: "Tab") -> str:
    """Where the tab's icon is; empty where the page has none that it may reach."""
    try:
        found = str(await tab.guard.call(tab.page.evaluate(script("icon")), "looking for the icon", LIMIT))
    except ToolError:
        return ""
    allow = tab.desk.fence.allow
    return "" if allow and not found.startswith("data:") and allow(found) else found


async def fetch(tab: "Tab", url: str) -> Icon | None:
    """The icon at an address; nothing where it cannot be had or is no picture."""
    if url.startswith("data:"):
        return known(decode(url))
    try:
        return known(await tab.guard.call(_load(tab, url), "fetching the icon", LIMIT))
    except ToolError:
        return None


def known(data: bytes) -> Icon | None:
    start = data[:256].lstrip()
    media = next((media for mark, media in KINDS.items() if start.startswith(mark)), "")
    return Icon(data, media) if media and len(data) <= LARGEST else None


def decode(url: str) -> bytes:
    head, _, body = url[:LARGEST].partition(",")
    raw = unquote_to_bytes(body)
    try:
        return base64.b64decode(raw) if head.endswith(";base64") else raw
    except ValueError:
        return b""


async def _load(tab: "Tab", url: str) -> bytes:
    session = await tab.page.context.new_cdp_session(tab.page)
    try:
        tree = await session.send("Page.getFrameTree")
        wanted = {"frameId": tree["frameTree"]["frame"]["id"], "url": url}
        options = {"disableCache": False, "includeCredentials": False}
        answer = await session.send("Network.loadNetworkResource", {**wanted, "options": options})
        found: dict[str, Any] = answer["resource"]
        good = found.get("success") and found.get("httpStatusCode", 0) < 400
        return await _read(session, found["stream"]) if good and "stream" in found else b""
    finally:
        await session.detach()


async def _read(session: "CDPSession", stream: str) -> bytes:
    data = b""
    while len(data) <= LARGEST:
        part: dict[str, Any] = await session.send("IO.read", {"handle": stream})
        data += base64.b64decode(part["data"]) if part.get("base64Encoded") else part["data"].encode()
        if part.get("eof"):
            break
    await session.send("IO.close", {"handle": stream})
    return data

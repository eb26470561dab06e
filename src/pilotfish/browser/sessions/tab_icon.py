"""Fetches a tab's icon through the browser, so the request obeys the same limits as the page's."""

import base64
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote_to_bytes

from pilotfish.browser.sessions.waiting import read_action_script
from pilotfish.core.errors import ToolError

if TYPE_CHECKING:
    from playwright.async_api import CDPSession

    from pilotfish.browser.sessions.tab import Tab

LARGEST_ICON = 200_000
ICON_TIMEOUT = 3.0
KINDS = {
    b"\x89PNG": "image/png",
    b"GIF8": "image/gif",
    b"\xff\xd8\xff": "image/jpeg",
    b"RIFF": "image/webp",
    b"\0\0\1\0": "image/x-icon",
    b"<svg": "image/svg+xml",
    b"<?xml": "image/svg+xml",
}


class TabIcon(NamedTuple):
    """A small picture and its media type, which its first bytes tell, not the server's header."""

    data: bytes
    media: str


async def find_icon_url(tab: "Tab") -> str:
    """The address of the tab's icon; empty if there is none that may be reached."""
    try:
        found = str(
            await tab.guard.call(
                tab.page.evaluate(read_action_script("find_icon")), "looking for the icon", ICON_TIMEOUT
            )
        )
    except ToolError:
        return ""
    allow = tab.shared.rules.allow
    return "" if allow and not found.startswith("data:") and allow(found) else found


async def fetch_icon(tab: "Tab", url: str) -> TabIcon | None:
    """The icon at an address; None if it cannot be fetched or is no picture."""
    if url.startswith("data:"):
        return detect_icon(decode_data_url(url))
    try:
        return detect_icon(await tab.guard.call(_load(tab, url), "fetching the icon", ICON_TIMEOUT))
    except ToolError:
        return None


def detect_icon(data: bytes) -> TabIcon | None:
    start = data[:256].lstrip()
    media = next((media for mark, media in KINDS.items() if start.startswith(mark)), "")
    return TabIcon(data, media) if media and len(data) <= LARGEST_ICON else None


def decode_data_url(url: str) -> bytes:
    head, _, body = url[:LARGEST_ICON].partition(",")
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
    while len(data) <= LARGEST_ICON:
        part: dict[str, Any] = await session.send("IO.read", {"handle": stream})
        data += base64.b64decode(part["data"]) if part.get("base64Encoded") else part["data"].encode()
        if part.get("eof"):
            break
    await session.send("IO.close", {"handle": stream})
    return data

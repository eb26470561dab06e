"""Reads and changes what sites keep in a browser context: cookies and local storage."""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext

    from pilotfish.browser.sessions.tab import Tab

HostTest = Callable[[str], bool]


async def read_storages(tabs: "Iterable[Tab]", former: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The local storage of origins: of open ones as it is, of others as `former`, the last state, has it.

    Playwright's own way opens a hidden page for every origin that is not open, which takes half a second each.
    """
    known = {store["origin"]: store for store in former.get("origins", ())}
    for kept in await asyncio.gather(*(tab.storage() for tab in tabs)):
        if kept is not None and kept[0] != "null":
            items = [{"name": name, "value": value} for name, value in kept[1]]
            known[kept[0]] = {"origin": kept[0], "localStorage": items}
    return [store for store in known.values() if store["localStorage"]]


async def change_cookies(context: "BrowserContext", fits: HostTest, cookies: Sequence[Mapping[str, Any]]) -> None:
    """Remove the cookies whose domain fits, then add others."""
    for domain in {cookie.get("domain", "") for cookie in await context.cookies()}:
        if fits(domain):
            await context.clear_cookies(domain=domain)
    if cookies:
        await context.add_cookies(cast(Any, [dict(cookie) for cookie in cookies]))


async def clear_storages(context: "BrowserContext", fits: HostTest, origins: Iterable[str]) -> None:
    """Remove all that the origins keep whose host fits; those of open pages count too."""
    opened = [page for page in context.pages if not page.is_closed()]
    urls = {*origins, *(page.url for page in opened)}
    wanted = {f"{place.scheme}://{place.netloc}" for url in urls if fits((place := urlsplit(url)).hostname or "")}
    if not opened or not wanted:
        return
    session = await context.new_cdp_session(opened[0])
    for origin in sorted(wanted):
        await session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
    await session.detach()

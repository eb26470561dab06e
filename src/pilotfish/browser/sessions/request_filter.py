"""Limits the requests of attached browsers. They have no proxy, so the requests of the used tabs are intercepted.

Playwright's interception sees frames of other sites but no redirects; DevTools' sees redirects but no such frames. Both
together see both. WebSockets, workers and what a name resolves to are not covered: see docs/safety.md.
"""

import asyncio
import contextlib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal

from pilotfish.browser.sessions.held_request import HeldRequest
from pilotfish.browser.sessions.request_event import is_after_input, is_resent, read_event
from pilotfish.browser.sessions.request_owner import RequestOwner

if TYPE_CHECKING:
    from playwright.async_api import CDPSession, Request, Route

    from pilotfish.browser.sessions.tab import Tab

AddressCheck = Callable[[str], bool]
Side = Literal["protocol", "page"]
KINDS = {
    "document": "Document",
    "ping": "Ping",
    "xhr": "XHR",
    "fetch": "XHR",
    "image": "Image",
    "stylesheet": "Stylesheet",
    "script": "Script",
    "font": "Font",
    "media": "Media",
    "texttrack": "TextTrack",
    "manifest": "Manifest",
}
KEPT_DECISIONS = 50


class RequestFilter:
    """Filters the requests of one tab while it is used; `check` decides whether an address may be requested.

    The owner decides about requests that could change something, once for each even if both interceptions see it.
    """

    def __init__(self, tab: "Tab", check: AddressCheck, owner: RequestOwner | None = None) -> None:
        self.tab = tab
        self.page = tab.page
        self.check = check
        self.owner = owner
        self._session: CDPSession | None = None
        self._decided: dict[tuple[str, str], tuple[Side, asyncio.Task[str]]] = {}

    async def begin(self) -> None:
        self._session = session = await self.page.context.new_cdp_session(self.page)
        session.on("Fetch.requestPaused", self._on_paused)
        await session.send("Fetch.enable", {"patterns": [{"urlPattern": "*"}]})
        await self.page.route("**/*", self._on_route)

    async def end(self) -> None:
        """Remove both interceptions."""
        from playwright.async_api import Error

        with contextlib.suppress(Error):
            await self.page.unroute("**/*", self._on_route)
            if self._session is not None:
                await self._session.detach()

    async def _on_paused(self, event: Mapping[str, Any]) -> None:
        from playwright.async_api import Error

        assert self._session is not None
        id = event["requestId"]
        main = event.get("frameId") == self.tab.activity.target
        refusal = await self._refusal("protocol", read_event(event, self.tab, main=main, popup=False))
        with contextlib.suppress(Error):
            if not refusal:
                await self._session.send("Fetch.continueRequest", {"requestId": id})
            else:
                await self._session.send("Fetch.failRequest", {"requestId": id, "errorReason": refusal})

    async def _on_route(self, route: "Route") -> None:
        refusal = await self._refusal("page", await self._read(route.request))
        await (route.abort(refusal.lower()) if refusal else route.fallback())

    async def _refusal(self, side: Side, request: HeldRequest) -> str:
        """The protocol's name for the failure of a request; empty if it may be sent."""
        if not self.check(request.url):
            return "BlockedByClient"
        plain = request.reads and request.kind != "Document"
        if self.owner is None or (plain and not self.owner.doubts.judges(request.url, request.kind)):
            return ""
        key = request.method, request.url
        seen, deciding = self._decided.pop(key, (side, None))
        if deciding is None or seen == side:
            deciding = asyncio.ensure_future(self.owner.decide(request, self.tab))
            self._decided[key] = side, deciding
            for old in list(self._decided)[:-KEPT_DECISIONS]:
                del self._decided[old]
        return ("Aborted" if request.kind == "Document" else "BlockedByClient") if await deciding else ""

    async def _read(self, request: "Request") -> HeldRequest:
        """A held request from Playwright's interception."""
        kind = KINDS.get(request.resource_type, "Other")
        document = kind == "Document" and request.is_navigation_request()
        headers = request.headers
        return HeldRequest(
            method=request.method,
            url=request.url,
            kind=kind,
            media=headers.get("content-type", ""),
            body=request.post_data_buffer or b"",
            headers=headers,
            page=self.tab.url,
            tab=self.tab.number,
            main=document and request.frame == self.page.main_frame,
            resent=is_resent(self.tab, request.method, kind),
            first=request.url,
            first_method=request.method,
            follows_input=bool(self.tab.touched),
            after_input=is_after_input(self.tab, kind, headers.get("referer", "")),
            driver=self.tab.driver,
            inputs=self.tab.inputs,
        )

"""The fence of browsers that are not ours. They have no proxy, so the requests of the tabs in use are stopped singly.

A page's own interception sees frames of other sites but no redirects; the protocol's sees redirects but no such frames.
Both together see both. WebSockets, workers and what a name resolves to stay outside: see docs/safety.md.
"""

import contextlib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.async_api import CDPSession, Page, Route

Check = Callable[[str], bool]


class Hold:
    """Holds one tab while it is used; `check` says whether an address may be asked for."""

    def __init__(self, page: "Page", check: Check) -> None:
        self.page = page
        self.check = check
        self._session: CDPSession | None = None

    async def begin(self) -> None:
        self._session = session = await self.page.context.new_cdp_session(self.page)
        session.on("Fetch.requestPaused", self._paused)
        await session.send("Fetch.enable", {"patterns": [{"urlPattern": "*"}]})
        await self.page.route("**/*", self._route)

    async def end(self) -> None:
        """Let the person have their tab back as it was."""
        from playwright.async_api import Error

        with contextlib.suppress(Error):
            await self.page.unroute("**/*", self._route)
            if self._session is not None:
                await self._session.detach()

    async def _paused(self, event: Mapping[str, Any]) -> None:
        from playwright.async_api import Error

        assert self._session is not None
        id = event["requestId"]
        with contextlib.suppress(Error):
            if self.check(event["request"]["url"]):
                await self._session.send("Fetch.continueRequest", {"requestId": id})
            else:
                await self._session.send("Fetch.failRequest", {"requestId": id, "errorReason": "BlockedByClient"})

    async def _route(self, route: "Route") -> None:
        if self.check(route.request.url):
            await route.fallback()
        else:
            await route.abort("blockedbyclient")

"""Holds the requests of a browser's pages that could change something, until a check has allowed each of them.

One interception for the whole browser sees documents, fetches, beacons, workers, service workers, frames of other
sites, redirects and the first request of a popup, before anything leaves. What is let through is sent unchanged.
Pictures, styles, scripts, fonts and films are intercepted only where their address holds a doubted word, so that the
others cost nothing. Messages over sockets are held in `socket_gate.py`.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import TYPE_CHECKING, Any

from pilotfish.browser.sessions.held_request import held_patterns
from pilotfish.browser.sessions.request_event import event_reads, find_sender, is_service_worker, read_event
from pilotfish.browser.sessions.request_owner import SESSION_CLOSED, RequestingTab, RequestOwner

if TYPE_CHECKING:
    from playwright.async_api import CDPSession

TARGET_TYPES = ("page", "iframe", "worker", "shared_worker", "service_worker")
KEPT_CHAINS, KEPT_FRAMES = 200, 50_000
"""Chains of redirects and frames that are remembered."""
FRAME_TIMEOUT = 20.0
"""Seconds for the news of which page holds a new frame. What an unknown frame sends is refused then."""
NO_SOCKETS = "connect-src http: https: data: blob:"
UNKNOWN_SENDER = "no session is known to have sent it"
SOCKETS_NOT_HELD = "what the page sends over sockets could not be held"


class RequestGate:
    """Intercepts the requests of one browser. Each is judged by the owner of the context that it comes from."""

    def __init__(self, line: "CDPSession") -> None:
        self.line = line
        self.owners: list[RequestOwner] = []
        self._targets: dict[str, Mapping[str, Any]] = {}
        self._closed: dict[str, Mapping[str, Any]] = {}
        self._ended: dict[str, None] = {}
        self._frames: dict[str, str] = {}
        self._news: dict[str, list[asyncio.Event]] = {}
        self._first: dict[str, tuple[str, str]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self.before_document: Callable[[str], Awaitable[bool]] | None = None
        self._open = False
        self._words: frozenset[str] = frozenset()
        self.verbs: frozenset[str] = frozenset()

    async def open(self, owner: RequestOwner) -> None:
        """Begin to intercept, once, and let the owner decide about the requests of its tabs."""
        if owner not in self.owners:
            self.owners.append(owner)
        new_words, self._words = owner.doubts.words - self._words, self._words | owner.doubts.words
        self.verbs |= owner.doubts.verbs
        opened, self._open = self._open, True
        if not opened:
            await self._listen()
        if new_words or not opened:
            await self.line.send("Fetch.enable", {"patterns": held_patterns(self._words)})

    async def _listen(self) -> None:
        line = self.line
        line.on("Fetch.requestPaused", self._on_paused)
        line.on("Target.targetCreated", self._on_target)
        line.on("Target.targetInfoChanged", self._on_target)
        line.on("Target.targetDestroyed", self._on_target_gone)
        kinds = [{"type": kind} for kind in TARGET_TYPES]
        await line.send("Target.setDiscoverTargets", {"discover": True, "filter": kinds})

    def close(self, owner: RequestOwner) -> None:
        """Refuse from now on what the owner's context sends: the browser may still do so when its pages are gone."""
        if owner in self.owners:
            self.owners.remove(owner)
            self._ended |= dict.fromkeys(owner.contexts)
            for old in list(self._ended)[:-KEPT_FRAMES]:
                del self._ended[old]

    def _on_target(self, event: Mapping[str, Any]) -> None:
        info = event["targetInfo"]
        self._targets[info["targetId"]] = info
        self._announce_frame(info["targetId"])

    def _on_target_gone(self, event: Mapping[str, Any]) -> None:
        if info := self._targets.pop(event["targetId"], None):
            self._closed[event["targetId"]] = info
        for old in list(self._closed)[:-KEPT_CHAINS]:
            del self._closed[old]

    def _on_paused(self, event: Mapping[str, Any]) -> None:
        if "responseHeaders" in event or "responseErrorReason" in event:
            self._start(self._restrict(event))
            return
        reads = event_reads(event) and event["resourceType"] != "Document"
        address = event["request"]["url"], event["resourceType"]
        plain = reads and not any(owner.doubts.judges(*address) for owner in self.owners)
        free = plain or not (self.owners or self._ended)
        self._start(self._release(event) if free else self._settle(event))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _restrict(self, event: Mapping[str, Any]) -> None:
        """Let the script of a service worker, which has arrived, be run with a policy that lets it open no socket.

        A service worker cannot be paused before its script runs, so what it sends over sockets could not be held.
        """
        if "responseErrorReason" in event:
            await self._release(event, event["responseErrorReason"])
            return
        headers = [*event["responseHeaders"], {"name": "Content-Security-Policy", "value": NO_SOCKETS}]
        status = event.get("responseStatusCode", 200)
        id = event["requestId"]
        await self._send("Fetch.continueResponse", requestId=id, responseCode=status, responseHeaders=headers)

    async def _settle(self, event: Mapping[str, Any]) -> None:
        refusal = "the check was ended"
        try:
            refusal = await self._judge(event)
            page = self._targets.get(event.get("frameId", ""), {})
            if self.before_document is not None and page.get("type") == "page":
                refusal = refusal or ("" if await self.before_document(page["targetId"]) else SOCKETS_NOT_HELD)
        finally:
            # A document that is aborted leaves the page as it is; one that is blocked puts an error in its place.
            reason = "Aborted" if event["resourceType"] == "Document" else "BlockedByClient"
            await self._release(event, reason if refusal else "")

    async def _judge(self, event: Mapping[str, Any]) -> str:
        frame = event.get("frameId", "")
        root = await self._root(frame)
        first, method = self._origin(event)
        if not root:
            return UNKNOWN_SENDER
        context = root.get("browserContextId", "")
        owners = self.find_owners(context)
        if self.has_ended(context) or (not owners and root.get("targetId") in self._closed):
            return SESSION_CLOSED
        if len(owners) > 1 and not event_reads(event):
            owners = [one for one in owners if one.has_used(find_sender(event))]
            if not owners:
                return UNKNOWN_SENDER
        for owner in owners:
            tab, popup = self._tab(owner, root)
            request = read_event(event, tab, root.get("targetId") == frame, popup, (first, method))
            if refusal := await owner.decide(request, tab):
                blank = popup or (tab is not None and tab.url == "about:blank")
                if request.main and blank and root.get("openerId"):
                    await self._close(frame)
                return refusal
        return ""

    def has_ended(self, context: str) -> bool:
        """Whether a browser context was that of a session which is closed."""
        return context in self._ended

    def find_owners(self, context: str) -> list[RequestOwner]:
        """The owner of a browser context; else all whose contexts are not known. None for a context of nobody's."""
        known = [one for one in self.owners if context in one.contexts]
        return known or [one for one in self.owners if not (context and one.contexts)]

    async def _close(self, target: str) -> None:
        """Close an empty popup whose first document was refused."""
        await self._send("Target.closeTarget", targetId=target)

    def _origin(self, event: Mapping[str, Any]) -> tuple[str, str]:
        """Address and method at the beginning of a chain of redirects; without redirects, the request's own."""
        own = event["request"]["url"], event["request"]["method"]
        first = self._first.pop(event.get("redirectedRequestId", ""), own)
        self._first[event["requestId"]] = first
        for old in list(self._first)[:-KEPT_CHAINS]:
            del self._first[old]
        return first

    def _tab(self, owner: RequestOwner, root: Mapping[str, Any]) -> tuple[RequestingTab | None, bool]:
        """The tab, or if it is not known yet the tab that opened it; and whether it is the opener."""
        tab = owner.find_tab(root.get("targetId", ""))
        opener = root.get("openerId", "")
        if tab is not None or not opener:
            return tab, False
        return owner.find_tab(opener), True

    async def _root(self, frame: str) -> Mapping[str, Any]:
        """The target of the page or worker that a frame belongs to; empty if the frame is unknown."""
        if not any(frame in known for known in (self._targets, self._frames, self._closed)):
            await self._find_frame(frame)
        page = self._frames.get(frame, frame)
        target = self._targets.get(frame) or self._targets.get(page) or self._closed.get(page, {})
        seen = set[str]()
        while (parent := target.get("parentId") or self._frames.get(target.get("parentFrameId", ""), "")) and (
            parent in self._targets and parent not in seen
        ):
            seen.add(parent)
            target = self._targets[parent]
        return target

    def learn_frame(self, frame: str, page: str) -> None:
        """Note which page a frame is in; a request of the frame may be waiting for that."""
        self._frames[frame] = page
        if len(self._frames) > KEPT_FRAMES:
            del self._frames[next(iter(self._frames))]
        self._announce_frame(frame)

    def _announce_frame(self, frame: str) -> None:
        for news in self._news.pop(frame, ()):
            news.set()

    async def _find_frame(self, frame: str) -> None:
        """Wait for the news of which page holds a frame: it comes by another way than requests."""
        if not frame:
            return
        news = asyncio.Event()
        self._news.setdefault(frame, []).append(news)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(news.wait(), FRAME_TIMEOUT)
        self._news.pop(frame, None)

    async def _release(self, event: Mapping[str, Any], failure: str = "") -> None:
        """Send it as it is, or let it fail. What arrives as the script of a service worker is stopped once more."""
        id = event["requestId"]
        if failure:
            await self._send("Fetch.failRequest", requestId=id, errorReason=failure)
        else:
            more = {"interceptResponse": True} if is_service_worker(event) else {}
            await self._send("Fetch.continueRequest", requestId=id, **more)

    async def _send(self, method: str, **params: Any) -> None:
        """Send a command about a request, unless its page has gone meanwhile."""
        from playwright.async_api import Error

        with contextlib.suppress(Error):
            await self.line.send(method, params)

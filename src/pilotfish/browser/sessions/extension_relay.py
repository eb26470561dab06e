"""Makes the tabs that a person handed over look like a browser of their own to the DevTools protocol.

The extension sends commands and events of single tabs (`chrome.debugger`). Playwright wants a browser: targets, flat
sessions, several sessions for one tab. The relay answers what concerns the browser itself, and passes on the rest.
Only tabs that were handed over exist behind it.
"""

import asyncio
import contextlib
import json
import secrets
from collections.abc import Coroutine, Mapping
from typing import TYPE_CHECKING, Any, Protocol, cast

from pilotfish.browser.sessions.relay_inputs import InputQueue, travels_with_others
from pilotfish.browser.sessions.relay_page import RelayPage
from pilotfish.browser.sessions.relay_sessions import Json, PausedRequest, RelaySession, SessionTable
from pilotfish.core.errors import BrowserError

if TYPE_CHECKING:
    from websockets.asyncio.server import Server, ServerConnection

FETCH_ANSWERS = frozenset({"Fetch.continueRequest", "Fetch.failRequest", "Fetch.fulfillRequest"})
IGNORED_COMMANDS = frozenset({
    "Browser.setDownloadBehavior", "Browser.cancelDownload", "Browser.grantPermissions", "Browser.setWindowBounds",
    "Target.setDiscoverTargets", "Target.activateTarget", "Security.setIgnoreCertificateErrors",
})  # fmt: skip
ALWAYS_ENABLED_DOMAINS = frozenset({"Target", "Inspector", "Input"})
"""Domains that tell their events without being enabled: to the first session of a place only."""
LARGEST_MESSAGE = 256 * 1024 * 1024
RELEASE_TIMEOUT = 5.0


class ExtensionChannel(Protocol):
    """The line to the extension. `request` sends one message and returns the answer, or raises `BrowserError`."""

    async def request(self, kind: str, **values: Any) -> Json: ...


class ExtensionRelay:
    """Speaks the protocol of a whole browser on a loopback socket, for the tabs of one conversation."""

    def __init__(self, channel: ExtensionChannel, group: str) -> None:
        self.channel = channel
        self.group = group
        self.sessions = SessionTable()
        self.path = f"/{secrets.token_urlsafe(32)}"
        self._browser_sessions = {""}
        self._server: Server | None = None
        self._client: ServerConnection | None = None
        self._attached = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._inputs = InputQueue(self._send_inputs)
        self._version: Json = {}

    @property
    def targets(self) -> dict[int, Json]:
        """The tabs that were handed over, with what the protocol tells of them."""
        return self.sessions.targets

    async def start(self) -> str:
        """Listen; returns the address for `connect_over_cdp`."""
        from websockets.asyncio.server import serve

        self._server = await serve(
            self._serve, "127.0.0.1", 0, origins=[None], max_size=LARGEST_MESSAGE, compression=None, ping_interval=None
        )
        port = next(iter(self._server.sockets)).getsockname()[1]
        return f"ws://127.0.0.1:{port}{self.path}"

    async def close(self) -> None:
        """Let all tabs go; they stay handed over."""
        with contextlib.suppress(BrowserError, TimeoutError):
            async with asyncio.timeout(RELEASE_TIMEOUT):
                await asyncio.gather(*(self.channel.request("detach", tab=tab) for tab in list(self.targets)))
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()
        for task in list(self._tasks):
            task.cancel()

    async def hand_over(self, tab: int) -> int:
        """Begin to drive a tab that the person gave; returns its number now, which changes when Chrome discards it."""
        if tab in self.targets:
            return tab
        info = await self.channel.request("attach", tab=tab, group=self.group)
        await self._admit(int(info["tab"]), info)
        return int(info["tab"])

    async def _admit(self, tab: int, info: Json) -> None:
        if tab in self.targets:
            return
        target = {
            "targetId": str(info["target"]),
            "type": "page",
            "title": str(info.get("title", "")),
            "url": str(info.get("url", "")),
            "attached": True,
            "canAccessOpener": False,
            "browserContextId": "person",
        }
        session = self.sessions.add_tab(tab, target)
        if self._attached:
            await self._announce(session, target)

    async def _announce(self, session: RelaySession, target: Json) -> None:
        params = {"sessionId": session.id, "targetInfo": target, "waitingForDebugger": False}
        await self._send({"method": "Target.attachedToTarget", "params": params})

    def find_page(self, target: str) -> RelayPage:
        """A tab as a page that is reached without Playwright between."""
        return RelayPage(self.sessions.add_second(target), self.sessions, self._inputs, self._forward)

    # Playwright's side

    async def _serve(self, client: "ServerConnection") -> None:
        if client.request is None or client.request.path != self.path or self._client is not None:
            await client.close(1008, "not here")
            return
        self._client, self.sessions.in_use = client, True
        try:
            async for raw in client:
                self._spawn(self._answer(json.loads(raw)))
        finally:
            self._client, self.sessions.in_use = None, False

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _answer(self, message: Json) -> None:
        id, session = message["id"], str(message.get("sessionId", ""))
        reply: Json = {"id": id, **({"sessionId": session} if session else {})}
        try:
            reply["result"] = await self._command(session, message["method"], message.get("params") or {})
        except BrowserError as error:
            reply["error"] = {"code": -32000, "message": error.message}
        await self._send(reply)

    async def _send(self, message: Json) -> None:
        from websockets.exceptions import ConnectionClosed

        if self._client is not None:
            with contextlib.suppress(ConnectionClosed):
                await self._client.send(json.dumps(message, ensure_ascii=False))

    async def _command(self, session: str, method: str, params: Json) -> Json:
        if session in self._browser_sessions:
            return await self._browser_command(method, params)
        if (known := self.sessions.get(session)) is None:
            raise BrowserError(f"Session {session} is gone.")
        return await self._tab_command(known, method, params)

    async def _browser_command(self, method: str, params: Json) -> Json:
        match method:
            case "Browser.getVersion":
                self._version = self._version or await self.channel.request("version")
                return {"protocolVersion": "1.3", "revision": "", "jsVersion": "", **self._version}
            case "Target.setAutoAttach":
                self._attached = True
                for tab, target in list(self.targets.items()):
                    if session := self.sessions.first(tab):
                        await self._announce(session, target)
                return {}
            case "Target.attachToBrowserTarget":
                id = f"browser-{secrets.token_hex(4)}"
                self._browser_sessions.add(id)
                return {"sessionId": id}
            case "Target.attachToTarget":
                return {"sessionId": self.sessions.add_second(str(params["targetId"])).id}
            case "Target.detachFromTarget":
                return await self._detach(str(params.get("sessionId", "")))
            case "Target.getTargetInfo":
                wanted = [t for t in self.targets.values() if t["targetId"] == params.get("targetId")]
                browser = {"targetId": "browser", "type": "browser", "title": "", "url": "", "attached": True}
                return {"targetInfo": wanted[0] if wanted else browser}
            case "Target.getTargets":
                return {"targetInfos": list(self.targets.values())}
            case "Target.createTarget":
                info = await self.channel.request("open", url=str(params.get("url", "")), group=self.group)
                await self._admit(int(info["tab"]), info)
                return {"targetId": str(info["target"])}
            case "Target.closeTarget":
                for tab, target in list(self.targets.items()):
                    if target["targetId"] == params.get("targetId"):
                        await self.channel.request("close", tab=tab)
                return {"success": True}
            case _ if method in IGNORED_COMMANDS:
                return {}
            case _:
                raise BrowserError(f"{method} is not possible in the person's own browser.")

    async def _detach(self, id: str) -> Json:
        self._browser_sessions.discard(id)
        if session := self.sessions.remove(id):
            for domain in list(session.domains):
                await self._disable(session, domain)
            for key, paused in list(self.sessions.paused.items()):
                if paused.waiting and paused.waiting[0] is session:
                    await self._next_session(key, paused, {})
        return {}

    async def _tab_command(self, session: RelaySession, method: str, params: Json) -> Json:
        domain, _, verb = method.partition(".")
        if method == "Target.getTargetInfo" and not session.child:
            return {"targetInfo": self.targets[session.tab]}
        if method == "Target.detachFromTarget" and self.sessions.get(str(params.get("sessionId"))):
            return await self._detach(str(params["sessionId"]))
        if method in IGNORED_COMMANDS:
            return {}
        if verb == "enable":
            session.domains.add(domain)
        elif verb == "disable":
            return await self._disable(session, domain)
        if method in FETCH_ANSWERS:
            key = (*session.place, str(params.get("requestId", "")))
            paused = self.sessions.paused.get(key)
            if method == "Fetch.continueRequest" and paused is not None:
                return await self._next_session(key, paused, params)
            self.sessions.paused.pop(key, None)
        if travels_with_others(method, params):
            self._inputs.add(session.place, method, params)
            return {}
        if domain in ("Input", "Runtime"):
            await self._inputs.wait(session.tab)
        return await self._forward(session, method, params)

    async def _disable(self, session: RelaySession, domain: str) -> Json:
        """Disable a domain in the browser when no other session of the same place needs it."""
        session.domains.discard(domain)
        if self.sessions.find_listening(session.place, domain) or session.tab not in self.targets:
            return {}
        return await self._forward(session, f"{domain}.disable", {})

    async def _next_session(self, key: tuple[int, str, str], paused: PausedRequest, params: Json) -> Json:
        """One session let a request pass: the next one is asked, and the browser when all have agreed."""
        asked = paused.waiting.pop(0)
        if paused.waiting:
            await self._send({**paused.event, "sessionId": paused.waiting[0].id})
            return {}
        del self.sessions.paused[key]
        return await self._forward(asked, "Fetch.continueRequest", {"requestId": key[2], **params})

    async def _forward(self, session: RelaySession, method: str, params: Json) -> Json:
        answer = await self.channel.request(
            "command", tab=session.tab, session=session.child, method=method, params=params
        )
        return cast(Json, answer.get("result") or {})

    async def _send_inputs(self, place: tuple[int, str], inputs: list[Json], then: Json | None) -> Json:
        tab, child = place
        followed = {"then": then} if then else {}
        answer = await self.channel.request("inputs", tab=tab, session=child, inputs=inputs, **followed)
        return cast(Json, answer.get("result") or {})

    # The extension's side

    def receive(self, message: Mapping[str, Any]) -> None:
        """Take in what the extension tells without being asked."""
        match message.get("type"):
            case "event":
                self._spawn(self._event(dict(message)))
            case "opened":
                self._spawn(self._admit(int(message["tab"]), dict(message)))
            case "renewed":
                self._spawn(self._renew(int(message["tab"]), dict(message)))
            case "detached":
                self._spawn(self._release(int(message["tab"])))
            case _:
                pass

    async def _event(self, message: Json) -> None:
        tab, child, method = int(message["tab"]), str(message.get("session") or ""), str(message["method"])
        params: Json = message.get("params") or {}
        if tab not in self.targets:
            return
        event: Json = {"method": method, "params": params}
        first = self.sessions.first(tab, child)
        if first is None:
            return
        match method:
            case "Target.attachedToTarget":
                self.sessions.add_child(str(params["sessionId"]), tab, str(params["targetInfo"]["targetId"]))
            case "Target.detachedFromTarget":
                self.sessions.remove_child(str(params["sessionId"]))
            case "Target.targetInfoChanged" if not child:
                self.targets[tab] |= {key: params["targetInfo"][key] for key in ("title", "url")}
                return
            case _:
                pass
        domain = method.partition(".")[0]
        if domain in ALWAYS_ENABLED_DOMAINS:
            await self._send({**event, "sessionId": first.id})
            return
        held = method == "Fetch.requestPaused"
        listening = self.sessions.pause(first, event) if held else self.sessions.find_listening(first.place, domain)
        for session in listening:
            await self._send({**event, "sessionId": session.id})

    async def _renew(self, tab: int, info: Json) -> None:
        """Chrome let the tab go and took it again, with all sessions lost: to Playwright it is a new one."""
        await self._release(tab)
        await self._admit(tab, info)

    async def _release(self, tab: int) -> None:
        """Forget a tab that was closed or that the person took back."""
        target = self.targets.get(tab)
        if target is None or (session := self.sessions.remove_tab(tab)) is None:
            return
        params = {"sessionId": session.id, "targetId": target["targetId"]}
        await self._send({"method": "Target.detachedFromTarget", "params": params})

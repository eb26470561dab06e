"""Holds the messages that pages and workers send over WebSockets and data channels after input.

A script that runs before theirs asks about each message and is answered over the protocol. Every frame of another site
and every worker starts paused until the script can ask, and the first document of a page waits for the same. What
cannot be watched does not go on, however busy the machine is; what ends meanwhile holds up nothing. There are no shared
workers, and service workers open no sockets: neither can be paused before its script runs. Messages of a kind that were
sent before any input pass without a question.
"""

import asyncio
import contextlib
import itertools
import json
import secrets
from collections.abc import Coroutine, Mapping
from importlib.resources import files
from typing import Any, NamedTuple

from pilotfish.browser.sessions.held_request import HeldRequest
from pilotfish.browser.sessions.request_event import is_after_input
from pilotfish.browser.sessions.request_gate import RequestGate

BINDING = "pilotfishAsk"
WATCH_TIMEOUT = 30.0
"""Seconds for a page, frame or worker to be watched. One that is not by then stays paused, or is not loaded."""
PAUSE_NEW_TARGETS = {"autoAttach": True, "waitForDebuggerOnStart": True}
RESUME_COMMAND = json.dumps({"id": 0, "method": "Runtime.runIfWaitingForDebugger"})


class WatchedTarget(NamedTuple):
    """A page, frame or worker: what it is, and the page that it belongs to."""

    id: str
    kind: str
    url: str
    context: str
    page: str


class SocketGate:
    """Asks the owner of a context about the messages that its pages and workers send."""

    def __init__(self, requests: RequestGate) -> None:
        self.line = requests.line
        self.requests = requests
        self._secret = secrets.token_hex(16)
        self._sessions: dict[str, WatchedTarget] = {}
        self._seen: set[str] = set()
        self._watched: dict[str, asyncio.Event] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._numbers = itertools.count(1)
        self._replies: dict[int, tuple[str, asyncio.Future[bool]]] = {}
        self._trees: dict[int, WatchedTarget] = {}
        self._open = False

    @property
    def script(self) -> str:
        """The script of each page and worker. Only who knows its secret can answer what it asks."""
        text = (files("pilotfish.browser") / "js" / "socket.js").read_text("utf-8").rstrip().removesuffix(";")
        return f"(\n{text}\n)({json.dumps(self._secret)}, {json.dumps(sorted(self.requests.verbs))})"

    async def open(self) -> None:
        """Begin, once, to pause what starts in the browser until its messages are held."""
        if self._open:
            return
        self._open = True
        self.requests.before_document = self.wait_for_page
        self.line.on("Target.attachedToTarget", self._top_started)
        self.line.on("Target.receivedMessageFromTarget", self._on_message)
        self.line.on("Target.detachedFromTarget", self._on_detached)
        params = {"autoAttach": True, "waitForDebuggerOnStart": False, "flatten": True, "filter": [{"type": "page"}]}
        await self.line.send("Target.setAutoAttach", params)

    async def wait_for_page(self, target: str) -> bool:
        """Wait until what starts in a page that has just come is paused; false if that does not come about."""
        watched = self._watched.setdefault(target, asyncio.Event())
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(watched.wait(), WATCH_TIMEOUT)
        return watched.is_set()

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _top_started(self, event: Mapping[str, Any]) -> None:
        """A page starts. This also runs for our own sessions of targets that are known already."""
        if event["targetInfo"]["targetId"] not in self._seen:
            self._start(self._hold(event, event["targetInfo"]["targetId"], ""))

    def _on_detached(self, event: Mapping[str, Any]) -> None:
        if target := self._sessions.pop(event["sessionId"], None):
            self._seen.discard(target.id)
            self._watched.pop(target.id, None)
            self._trees = {number: one for number, one in self._trees.items() if one != target}
        for session, replied in self._replies.values():
            if session == event["sessionId"] and not replied.done():
                replied.set_result(False)

    def _on_message(self, event: Mapping[str, Any]) -> None:
        """A message of one of our sessions: something starts within it, or its script asks."""
        message, target = json.loads(event["message"]), self._sessions.get(event["sessionId"])
        if target is None:
            return
        if message.get("id") in self._replies:
            failed = "error" in message or "exceptionDetails" in message.get("result", {})
            replied = self._replies[message["id"]][1]
            if not replied.done():
                replied.set_result(not failed)
        elif asked := self._trees.pop(message.get("id"), None):
            self._learn_frames(message.get("result", {}).get("frameTree", {}), asked.page)
        elif message.get("method") == "Target.attachedToTarget":
            self._start(self._hold(message["params"], target.page, event["sessionId"]))
        elif message.get("method") == "Page.frameAttached":
            self.requests.learn_frame(message["params"]["frameId"], target.page)
        elif message.get("method") == "Runtime.bindingCalled" and message["params"]["name"] == BINDING:
            self._start(self._answer(target, event["sessionId"], message["params"]))

    async def _hold(self, event: Mapping[str, Any], page: str, within: str) -> None:
        """Let the script into what starts, then let it go on. What cannot be watched stays paused."""
        info = event["targetInfo"]
        target = WatchedTarget(info["targetId"], info["type"], info["url"], info.get("browserContextId", ""), page)
        if target.id in self._seen:
            if await self.wait_for_page(target.id):
                await self._let_go(event["sessionId"], within, target.kind)
            return
        self._seen.add(target.id)
        with contextlib.suppress(TimeoutError):
            if await self._watch(target):
                self._watched.setdefault(target.id, asyncio.Event()).set()
                await self._let_go(event["sessionId"], within, target.kind)

    async def _watch(self, target: WatchedTarget) -> bool:
        """Open the sessions for the questions of the script and for targets that start within the target.

        Workers are paused by sessions that only a flat connection has, frames by those that take messages: so there are
        two. The pause ends by another session, and what is told to a session takes effect in no order with that: so
        replies are waited for; of a page only to what is done before its document, which may wait for this. False if
        one is missing.
        """
        worker = target.kind == "worker"
        found = await asyncio.gather(*(self._attach(target) for _ in range(1 if worker else 2)))
        first, second = found[0], found[-1]
        workers, frames = [{"type": "worker"}], [{"type": "iframe"}]
        send = self._ask if worker else self._send_message
        sent = [
            send(first, "Runtime.enable"),
            send(first, "Runtime.addBinding", name=BINDING),
            self._ask(first, "Target.setAutoAttach", **PAUSE_NEW_TARGETS, flatten=True, filter=workers),
        ]
        if worker:
            sent += [self._ask(first, "Runtime.evaluate", expression=self.script)]
        else:
            sent += [self._announce_frames(second, target)]
            sent += [self._ask(second, "Target.setAutoAttach", **PAUSE_NEW_TARGETS, flatten=False, filter=frames)]
        return all(await asyncio.gather(*sent))

    async def _attach(self, target: WatchedTarget) -> str:
        found = await self._send("Target.attachToTarget", {"targetId": target.id, "flatten": False})
        if found is not None:
            self._sessions[found["sessionId"]] = target
        return found["sessionId"] if found else ""

    async def _let_go(self, session: str, within: str, kind: str) -> None:
        """End the pause of a session, which is one of the browser or of the session that it is within."""
        if not within:
            await self._send("Target.detachFromTarget", {"sessionId": session})
        elif kind == "iframe":
            await self._send_message(within, "Target.sendMessageToTarget", sessionId=session, message=RESUME_COMMAND)
        else:
            await self._send_message(within, "Target.detachFromTarget", sessionId=session)

    async def _send_message(self, session: str, method: str, number: int = 0, **params: Any) -> bool:
        """Send a message to a session; whether it was there to take it."""
        message = json.dumps({"id": number or next(self._numbers), "method": method, "params": params})
        return await self._send("Target.sendMessageToTarget", {"sessionId": session, "message": message}) is not None

    async def _announce_frames(self, session: str, target: WatchedTarget) -> bool:
        """Let a session tell of the frames that come, and of those that came before it was heard."""
        number = next(self._numbers)
        self._trees[number] = target
        return await self._send_message(session, "Page.enable") and await self._send_message(
            session, "Page.getFrameTree", number
        )

    def _learn_frames(self, tree: Mapping[str, Any], page: str) -> None:
        for child in tree.get("childFrames", ()):
            self.requests.learn_frame(child["frame"]["id"], page)
            self._learn_frames(child, page)

    async def _ask(self, session: str, method: str, **params: Any) -> bool:
        """Send a message and wait for the reply, or for the end of the session; whether it was done."""
        number, replied = next(self._numbers), asyncio.get_running_loop().create_future()
        self._replies[number] = session, replied
        try:
            return await self._send_message(session, method, number, **params) and await asyncio.wait_for(
                replied, WATCH_TIMEOUT
            )
        finally:
            del self._replies[number]

    async def _send(self, method: str, params: dict[str, Any]) -> Mapping[str, Any] | None:
        """Send a command; None where the target has ended meanwhile."""
        from playwright.async_api import Error

        with contextlib.suppress(Error):
            return await self.line.send(method, params)
        return None

    async def _answer(self, target: WatchedTarget, session: str, asked: Mapping[str, Any]) -> None:
        """Decide about a message and tell the script: `no`, `once`, or `own` for a kind that pages send themselves."""
        question = json.loads(asked["payload"])
        decision = "no"
        try:
            decision = await self._decide(target, question)
        finally:
            call = f"pilotfishAnswer({json.dumps(self._secret)}, {json.dumps(question['id'])}, {json.dumps(decision)})"
            await self._send_message(
                session, "Runtime.evaluate", expression=call, contextId=asked["executionContextId"]
            )

    async def _decide(self, target: WatchedTarget, question: Mapping[str, Any]) -> str:
        own = "no" if self.requests.has_ended(target.context) else "own"
        for owner in self.requests.find_owners(target.context):
            tab = owner.find_tab(target.page)
            request = HeldRequest(
                method="MESSAGE",
                url=question["url"],
                kind="WebSocket",
                body=question["text"].encode() or b"\0" * min(question["size"], 1),
                headers={"origin": str(question["origin"])},
                page=tab.url if tab else target.url,
                tab=tab.number if tab else 0,
                after_input=tab is None or is_after_input(tab, "WebSocket", ""),
                follows_input=tab is None or bool(tab.touched),
                driver=tab.driver if tab else "agent",
                inputs=tab.inputs if tab else 1,
            )
            if await owner.decide(request, tab):
                return "no"
            own = "once" if request.after_input else own
        return own

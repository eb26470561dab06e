"""What cannot be watched does not start: the gate of sockets holds however busy the machine and the browser are."""

import asyncio
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast

import pytest
from playwright.async_api import CDPSession, Error

from browser.stage import Site
from pilotfish.browser.sessions import socket_gate
from pilotfish.browser.sessions.browser_pool import BrowserPool
from pilotfish.browser.sessions.held_request import HeldRequest
from pilotfish.browser.sessions.request_gate import RequestGate
from pilotfish.browser.sessions.session import SessionRules
from pilotfish.browser.sessions.socket_gate import SocketGate

pytestmark = pytest.mark.whole_browser
MANY = """(count) => Promise.all([...Array(count).keys()].map(() => new Promise((told) => {
  new Worker('/outer.js').onmessage = (e) => told(e.data)
})))"""
POPUPS = """async () => {
  const native = (window) => new Promise((told) => { new window.Worker('/early.js').onmessage = (e) => told(e.data) });
  const empty = window.open('about:blank'), written = window.open('about:blank');
  written.document.open();
  const frame = empty.document.body.appendChild(empty.document.createElement('iframe'));
  const early = [native(empty), native(written), native(frame.contentWindow)], next = window.open('/next');
  while (!next.ready) await new Promise((later) => setTimeout(later, 20));
  return Promise.all([...early, native(next)]);
}"""
PAGE = {"targetId": "P", "type": "page", "url": "about:blank"}
WORKER = {"targetId": "W", "type": "worker", "url": "http://shop.example/w.js"}
DOCUMENT = {
    "requestId": "R",
    "frameId": "P",
    "resourceType": "Document",
    "request": {"url": "http://shop.example/", "method": "GET", "headers": {}},
}


class Line:
    """A protocol line that answers as it is told to, and remembers what was sent."""

    def __init__(self, answer: Callable[[str, str], object]) -> None:
        self.answer = answer
        self.sent: list[tuple[str, Mapping[str, Any]]] = []
        self.heard: dict[str, Callable[[Mapping[str, Any]], None]] = {}

    def on(self, name: str, heard: Callable[[Mapping[str, Any]], None]) -> None:
        self.heard[name] = heard

    async def send(self, method: str, params: Mapping[str, Any]) -> Mapping[str, Any]:
        self.sent.append((method, params))
        if method == "Target.attachToTarget":
            if not self.answer(method, params["targetId"]):
                raise Error("No target with given id found")
            return {"sessionId": f"of {params['targetId']}"}
        if method == "Target.sendMessageToTarget":
            if not params["sessionId"]:
                raise Error("No session with given id")
            told = json.loads(params["message"])
            if (found := self.answer(told["method"], params["sessionId"])) is not None:
                message = json.dumps({"id": told["id"], **({"result": {}} if found else {"error": {"code": 1}})})
                event = {"sessionId": params["sessionId"], "message": message}
                asyncio.get_running_loop().call_soon(self.heard["Target.receivedMessageFromTarget"], event)
        return {}


async def open_gate(answer: Callable[[str, str], object]) -> tuple[Line, SocketGate]:
    line = Line(answer)
    gate = SocketGate(RequestGate(cast(CDPSession, line)))
    await gate.open()
    line.heard["Target.attachedToTarget"]({"sessionId": "S", "targetInfo": PAGE})
    return line, gate


async def wait_until_settled(gate: SocketGate) -> None:
    """Wait until the gate has done what it began."""
    while gate._tasks:  # pyright: ignore[reportPrivateUsage]
        await asyncio.wait(set(gate._tasks))  # pyright: ignore[reportPrivateUsage]


@pytest.mark.anyio
async def test_frames_that_came_before_their_page_was_heard_are_known_too() -> None:
    line, gate = await open_gate(lambda method, _: None if method == "Page.getFrameTree" else True)
    await wait_until_settled(gate)
    line.heard["Target.targetCreated"] = gate.requests._on_target  # pyright: ignore[reportPrivateUsage]
    line.heard["Target.targetCreated"]({"targetInfo": PAGE})
    told = [json.loads(params["message"]) for _, params in line.sent if "message" in params]
    [asked] = [one["id"] for one in told if one["method"] == "Page.getFrameTree"]
    inner = {"frame": {"id": "F"}, "childFrames": [{"frame": {"id": "G"}}]}
    reply = {"id": asked, "result": {"frameTree": {"frame": {"id": "P"}, "childFrames": [inner]}}}
    line.heard["Target.receivedMessageFromTarget"]({"sessionId": "of P", "message": json.dumps(reply)})
    roots = [await gate.requests._root(frame) for frame in "FG"]  # pyright: ignore[reportPrivateUsage]
    assert [root["targetId"] for root in roots] == ["P", "P"]


async def allow_all(_: HeldRequest) -> str:
    return ""


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (lambda method, to: True, "Fetch.continueRequest"),
        (lambda method, to: False, "Fetch.failRequest"),
        (lambda method, to: method == "Target.attachToTarget" or None, "Fetch.failRequest"),
        (lambda method, to: method != "Target.setAutoAttach", "Fetch.failRequest"),
    ],
    ids=["watched", "not found", "silent", "refused"],
)
async def test_a_page_is_loaded_only_when_its_sockets_are_held(
    answer: Callable[[str, str], object], outcome: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket_gate, "WATCH_TIMEOUT", 0.2)
    line, gate = await open_gate(answer)
    gate.requests._targets["P"] = PAGE  # pyright: ignore[reportPrivateUsage]
    await gate.requests._settle(DOCUMENT)  # pyright: ignore[reportPrivateUsage]
    assert line.sent[-1][0] == outcome


@pytest.mark.anyio
@pytest.mark.parametrize("failing", ["Target.attachToTarget", "Target.setAutoAttach", "Runtime.evaluate", ""])
async def test_a_worker_goes_on_only_when_its_sockets_are_held(failing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket_gate, "WATCH_TIMEOUT", 0.2)
    line, gate = await open_gate(lambda method, to: method != failing or "W" not in to)
    await wait_until_settled(gate)
    started = {"method": "Target.attachedToTarget", "params": {"sessionId": "pause of W", "targetInfo": WORKER}}
    line.heard["Target.receivedMessageFromTarget"]({"sessionId": "of P", "message": json.dumps(started)})
    await wait_until_settled(gate)
    resumed = [one for _, one in line.sent if "pause of W" in str(one.get("message", ""))]
    assert bool(resumed) == (failing == "")


@pytest.mark.slow
@pytest.mark.anyio
async def test_sockets_are_held_in_workers_within_workers_however_many_start(
    pool: BrowserPool, tmp_path: Path, site: Site
) -> None:
    script = {"content-type": "text/javascript"}
    early = b"postMessage(String(WebSocket.prototype.send).includes('native'))"
    site.put("/early.js", lambda _: (200, script, early))
    site.put("/outer.js", lambda _: (200, script, b"new Worker('/early.js').onmessage = (e) => postMessage(e.data)"))
    tab = await (await pool.lease(tmp_path.name, tmp_path, None, SessionRules(request=allow_all))).tab()
    await tab.goto(site.html("<p>Workers</p>"))
    assert await tab.page.evaluate(MANY, 12) == [False] * 12
    site.html("<script>ready = true</script>", "/next")
    assert await tab.page.evaluate(POPUPS) == [False] * 4
    await pool.end(tmp_path.name)

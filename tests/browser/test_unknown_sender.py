"""A request whose page is not known yet is judged by nobody who has nothing to do with it."""

import asyncio
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any, cast

import pytest
from playwright.async_api import CDPSession

from pilotfish.browser.sessions import request_gate
from pilotfish.browser.sessions.held_request import HeldRequest, RequestCheck
from pilotfish.browser.sessions.request_gate import RequestGate
from pilotfish.browser.sessions.request_owner import RequestingTab, RequestOwner


class Line:
    """A protocol line that remembers which commands were sent."""

    def __init__(self) -> None:
        self.sent: list[str] = []

    async def send(self, method: str, params: Any = None) -> None:
        self.sent.append(method)


async def allow(_: HeldRequest) -> str:
    return ""


def owner_of(context: str, host: str, check: RequestCheck = allow) -> RequestOwner:
    """An owner with one tab; it allows everything, unless told otherwise."""
    activity = SimpleNamespace(
        context=context, target=f"page of {context}", arrived=0.0, step=None, left=(), count_waiting=nullcontext
    )
    url = f"http://{host}/" if host else "about:blank"
    tab = SimpleNamespace(
        activity=activity, host=host, touched={}, url=url, number=1, driver="agent", inputs=0, last_input=0.0
    )
    return RequestOwner(check, {1: cast(RequestingTab, tab)})


def sent_by(frame: str, method: str, **headers: str) -> dict[str, Any]:
    request = {"url": "http://shop.example/buy", "method": method, "headers": headers}
    return {"requestId": "R", "frameId": frame, "resourceType": "Document", "request": request}


@pytest.mark.anyio
@pytest.mark.parametrize("origin", ["", "null", "http://other.example", "http://shop.example"])
@pytest.mark.parametrize("method", ["POST", "GET"])
@pytest.mark.parametrize("hosts", [("",), ("shop.example",), ("", "shop.example")], ids=str)
async def test_nobody_allows_what_an_unknown_frame_sends(
    hosts: tuple[str, ...], method: str, origin: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_gate, "FRAME_TIMEOUT", 0.01)
    line = Line()
    gate = RequestGate(cast(CDPSession, line))
    gate.owners += [owner_of(f"context of {host}", host) for host in hosts]
    await gate._settle(sent_by("not known", method, Origin=origin))  # pyright: ignore[reportPrivateUsage]
    assert line.sent == ["Fetch.failRequest"]


@pytest.mark.anyio
async def test_a_frame_that_becomes_known_while_it_waits_is_judged_by_its_own_session_alone() -> None:
    line, asked = Line(), list[str]()

    def note(name: str) -> RequestCheck:
        async def check(_: HeldRequest) -> str:
            asked.append(name)
            return ""

        return check

    gate = RequestGate(cast(CDPSession, line))
    gate.owners += [owner_of(name, "shop.example", note(name)) for name in ("A", "B")]
    page = {"targetId": "page of A", "type": "page", "browserContextId": "A"}
    gate._on_target({"targetInfo": page})  # pyright: ignore[reportPrivateUsage]
    event = sent_by("its frame", "POST", Origin="http://shop.example")
    settling = asyncio.create_task(gate._settle(event))  # pyright: ignore[reportPrivateUsage]
    await asyncio.sleep(0)
    gate.learn_frame("its frame", "page of A")
    await settling
    assert (asked, line.sent) == (["A"], ["Fetch.continueRequest"])

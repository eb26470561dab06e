"""A request whose page is not known yet is judged by nobody who has nothing to do with it."""

from types import SimpleNamespace
from typing import Any, cast

import pytest
from playwright.async_api import CDPSession

from pilotfish.browser.sessions import request_gate
from pilotfish.browser.sessions.held_request import HeldRequest
from pilotfish.browser.sessions.request_gate import RequestGate, RequestingTab, RequestOwner


class Line:
    """A protocol line that remembers which commands were sent."""

    def __init__(self) -> None:
        self.sent: list[str] = []

    async def send(self, method: str, params: Any = None) -> None:
        self.sent.append(method)


async def allow(_: HeldRequest) -> str:
    return ""


def owner_of(context: str, host: str) -> RequestOwner:
    """An owner that allows everything, with one tab."""
    activity = SimpleNamespace(context=context, target=f"page of {context}")
    tab = SimpleNamespace(activity=activity, host=host, touched={}, url=f"http://{host}/" if host else "about:blank")
    return RequestOwner(allow, {1: cast(RequestingTab, tab)})


def sent_by(**headers: str) -> dict[str, Any]:
    request = {"url": "http://shop.example/buy", "method": "POST", "headers": headers}
    return {"requestId": "R", "frameId": "not known", "resourceType": "Document", "request": request}


@pytest.mark.anyio
@pytest.mark.parametrize("headers", [{}, {"Origin": "null"}, {"Origin": "http://other.example"}], ids=str)
async def test_nobody_with_an_empty_tab_allows_what_an_unknown_frame_sends(
    headers: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_gate, "NEWS", 0.01)
    line = Line()
    gate = RequestGate(cast(CDPSession, line))
    gate.owners += [owner_of("A", ""), owner_of("B", "shop.example")]
    await gate._settle(sent_by(**headers))  # pyright: ignore[reportPrivateUsage]
    assert line.sent == ["Fetch.failRequest"]

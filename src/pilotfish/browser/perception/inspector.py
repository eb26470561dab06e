"""Reads with the debugger what a page script cannot see: closed shadow roots and event listeners."""

import asyncio
from collections.abc import Mapping
from typing import Any

from playwright.async_api import CDPSession, Error

TOUCH_EVENTS = frozenset(
    {"click", "dblclick", "mousedown", "mouseup", "pointerdown", "pointermove"}
    | {"touchstart", "contextmenu", "dragstart", "drop"}
)
INPUT_EVENTS = frozenset({
    "keydown", "keyup", "keypress", "input", "change", "submit", "mouseover", "mouseenter", "pointerover",
    "pointerenter",
})  # fmt: skip
"""Other kinds of event that an input may cause."""
MOST_LISTENERS = 200


async def open_shadow_roots(session: CDPSession, context: int) -> int:
    """Pass closed shadow roots to the script. Returns how many there were."""
    found = await session.send("Runtime.evaluate", {"expression": "pilotfish.hosts()", "contextId": context})
    listed = await session.send(
        "Runtime.getProperties", {"objectId": found["result"]["objectId"], "ownProperties": True}
    )
    hosts = [item["value"]["objectId"] for item in listed["result"] if item["name"].isdigit()]
    return sum(await asyncio.gather(*(_adopt(session, context, host) for host in hosts)))


async def _adopt(session: CDPSession, context: int, host: str) -> bool:
    node = (await session.send("DOM.describeNode", {"objectId": host, "depth": 1, "pierce": True}))["node"]
    root = next((root for root in node.get("shadowRoots", ()) if root["shadowRootType"] == "closed"), None)
    if root is None:
        return False
    inside = await _resolve(session, context, root["backendNodeId"])
    call = {"functionDeclaration": "function (root) { pilotfish.adopt(this, root); }", "objectId": host}
    await session.send("Runtime.callFunctionOn", {**call, "arguments": [{"objectId": inside}]})
    return True


async def find_listeners(session: CDPSession, context: int) -> dict[int, str]:
    """The elements that listen for a touch or another input, by the debugger's number, with the kinds of event."""
    ours = await session.send("Runtime.evaluate", {"expression": "document", "contextId": context})
    node = (await session.send("DOM.describeNode", {"objectId": ours["result"]["objectId"]}))["node"]
    # The page's own view of the document lists the page's own listeners. "pierce" would list those of all worlds and
    # frames at once, but the renderer crashes on some pages soon after.
    theirs = await session.send("DOM.resolveNode", {"backendNodeId": node["backendNodeId"], "objectGroup": "pilotfish"})
    where = {"objectId": theirs["object"]["objectId"], "depth": -1, "pierce": False}
    listening: dict[int, str] = {}
    for listener in (await session.send("DOMDebugger.getEventListeners", where))["listeners"]:
        if listener["type"] in TOUCH_EVENTS | INPUT_EVENTS and "backendNodeId" in listener:
            number = listener["backendNodeId"]
            listening[number] = f"{listening.get(number, '')} {listener['type']}".strip()
    return listening


async def mark_listeners(session: CDPSession, context: int, listening: Mapping[int, str]) -> None:
    """Pass the elements with listeners to the script."""
    some = list(listening.items())[:MOST_LISTENERS]
    found = await asyncio.gather(*(_resolve(session, context, number) for number, _ in some), return_exceptions=True)
    known = [(object, kinds) for object, (_, kinds) in zip(found, some, strict=True) if isinstance(object, str)]
    arguments: list[dict[str, Any]] = [{"value": [kinds for _, kinds in known]}]
    arguments += [{"objectId": object} for object, _ in known]
    declaration = "function (kinds, ...elements) { pilotfish.storeListeners(kinds, elements); }"
    call = {"functionDeclaration": declaration, "executionContextId": context, "arguments": arguments}
    await session.send("Runtime.callFunctionOn", call)
    await session.send("Runtime.releaseObjectGroup", {"objectGroup": "pilotfish"})
    for failure in found:
        if isinstance(failure, BaseException) and not isinstance(failure, Error):
            raise failure


async def _resolve(session: CDPSession, context: int, number: int) -> str:
    where = {"backendNodeId": number, "executionContextId": context, "objectGroup": "pilotfish"}
    return (await session.send("DOM.resolveNode", where))["object"]["objectId"]

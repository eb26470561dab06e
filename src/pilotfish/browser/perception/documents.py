"""One document of a page: where it is, and how code is run in its isolated world."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from playwright.async_api import CDPSession, Error

from pilotfish.browser.perception.direct_page import DirectPage


@dataclass(frozen=True, slots=True)
class PageDocument:
    """One document that has our script. `key` names it for as long as it lives."""

    key: str
    session: CDPSession
    context: int


class FrameLocation(NamedTuple):
    """Where a document is: the session that reaches it, its frame and its loader; and its origin."""

    session: CDPSession
    at: tuple[str, str]
    origin: str = ""


async def evaluate(session: CDPSession, context: int, expression: str, direct: DirectPage | None = None) -> Any:
    """Evaluate an expression in one world of a document, by its session or directly; returns its value."""
    wanted = {"expression": expression, "contextId": context, "returnByValue": True}
    reply = await (direct.evaluate(wanted) if direct else session.send("Runtime.evaluate", wanted))
    if "exceptionDetails" in reply:
        details = reply["exceptionDetails"]
        raise Error(details.get("exception", {}).get("description") or details["text"])
    return reply["result"].get("value")


async def create_isolated_world(place: FrameLocation) -> int:
    """Create a world in a frame that the page cannot see; returns its execution context."""
    made = await place.session.send("Page.createIsolatedWorld", {"frameId": place.at[0], "worldName": "pilotfish"})
    return made["executionContextId"]


def list_frames(session: CDPSession, tree: dict[str, Any]) -> Iterator[FrameLocation]:
    frame = tree["frame"]
    yield FrameLocation(session, (frame["id"], frame["loaderId"]), frame.get("securityOrigin", ""))
    for child in tree.get("childFrames", ()):
        yield from list_frames(session, child)

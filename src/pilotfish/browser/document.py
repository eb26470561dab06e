"""One document of a page: where it is, and how code is run in its isolated world."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from playwright.async_api import CDPSession, Error


@dataclass(frozen=True, slots=True)
class Document:
    """One document that has our script. `key` names it for as long as it lives."""

    key: str
    session: CDPSession
    context: int


class Place(NamedTuple):
    """Where a document is: the session that reaches it, its frame and its loader."""

    session: CDPSession
    at: tuple[str, str]


async def evaluate(session: CDPSession, context: int, expression: str) -> Any:
    said = await session.send(
        "Runtime.evaluate", {"expression": expression, "contextId": context, "returnByValue": True}
    )
    if "exceptionDetails" in said:
        details = said["exceptionDetails"]
        raise Error(details.get("exception", {}).get("description") or details["text"])
    return said["result"].get("value")


async def isolate(place: Place) -> int:
    made = await place.session.send("Page.createIsolatedWorld", {"frameId": place.at[0], "worldName": "pilotfish"})
    return made["executionContextId"]


def places_of(session: CDPSession, tree: dict[str, Any]) -> Iterator[Place]:
    yield Place(session, (tree["frame"]["id"], tree["frame"]["loaderId"]))
    for child in tree.get("childFrames", ()):
        yield from places_of(session, child)

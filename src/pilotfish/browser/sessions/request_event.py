"""Reads the protocol's event of a request that was stopped: what it is, and whether the agent touched its document."""

import base64
import math
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from pilotfish.browser.sessions.held_request import READING_METHODS, HeldRequest, is_reading
from pilotfish.browser.sessions.request_owner import RequestingTab

LEAVING = 1.0
"""Seconds after a document's arrival in which the previous one may still send something."""


def is_service_worker(event: Mapping[str, Any]) -> bool:
    """Whether a request is said to be for the script of a service worker: browsers say so, and pages may too."""
    headers = event["request"]["headers"]
    return headers.get("Service-Worker", headers.get("service-worker", "")) == "script"


def event_reads(event: Mapping[str, Any]) -> bool:
    """Whether the request of an event only reads."""
    request = event["request"]
    return is_reading(request["method"], request["url"], request["headers"])


def find_sender(event: Mapping[str, Any]) -> str:
    """The host in a request's Origin or Referer header."""
    headers = {name.lower(): value for name, value in event["request"]["headers"].items()}
    said = headers.get("origin", "")
    return urlsplit(said if "://" in said else headers.get("referer", "")).netloc


def read_event(
    event: Mapping[str, Any], tab: RequestingTab | None, main: bool, popup: bool, first: tuple[str, str] | None = None
) -> HeldRequest:
    """The protocol's event as a value. `first` is address and method at the beginning of a chain of redirects."""
    request = event["request"]
    first = first or (request["url"], request["method"])
    headers = {name.lower(): value for name, value in request["headers"].items()}
    pieces = [base64.b64decode(one.get("bytes", "")) for one in request.get("postDataEntries", ())]
    document = event["resourceType"] == "Document"
    return HeldRequest(
        method=request["method"],
        url=request["url"] + request.get("urlFragment", ""),
        kind=event["resourceType"],
        media=headers.get("content-type", ""),
        body=b"".join(pieces),
        headers=headers,
        page=tab.url if tab else headers.get("origin") or headers.get("referer", ""),
        tab=tab.number if tab else 0,
        main=main and document,
        popup=popup and main and document,
        redirected=bool(event.get("redirectedRequestId")),
        resent=is_resent(tab, request["method"], event["resourceType"]) and not popup,
        first=first[0],
        first_method=first[1],
        after_input=tab is None or popup or is_after_input(tab, event["resourceType"], headers.get("referer", "")),
        follows_input=tab is None or bool(tab.touched),
        driver=tab.driver if tab else "agent",
        inputs=tab.inputs if tab else 1,
    )


def is_resent(tab: RequestingTab | None, method: str, kind: str) -> bool:
    """Whether a request sends a form again because the agent loads its page again."""
    moving = tab is not None and tab.activity.step is not None
    return moving and kind == "Document" and method not in READING_METHODS


def is_after_input(tab: RequestingTab, kind: str, referer: str) -> bool:
    """Whether the agent touched the document that sends a request, as far as that is known, or loads it again.

    Tabs of one host reach each other: an input in one of them counts for all documents that were there by then.
    What a document sends while it goes may come after the next one has arrived. Its referrer tells it then; without
    one, what comes soon after the arrival counts as sent by the document before.
    """
    moving = kind == "Document" and tab.activity.step is not None
    if moving or max(tab.last_input, tab.touched.get(tab.host, -math.inf)) >= tab.activity.arrived:
        return True
    if tab.inputs == 0 or kind == "Document":
        return tab.inputs > 0
    if referer and referer != tab.url.partition("#")[0] and referer in tab.activity.left:
        return True
    new = time.monotonic() - tab.activity.arrived < LEAVING
    here, sender = urlsplit(tab.url), urlsplit(referer)
    other = sender.path not in ("", "/", here.path) and sender.netloc == here.netloc
    return new and (kind == "Ping" or other)

"""Takes the watched part out of a page's text and says what changed in it; no model is asked."""

import hashlib
import re
from collections.abc import Mapping
from typing import Any

from pilotfish.core.errors import PersonError
from pilotfish.core.schedule_progress import compare_texts
from pilotfish.core.schedules import WatchedPart
from pilotfish.core.values import Value

KEPT_LENGTH = 8000
AMOUNT = re.compile(r"\d[\d.,]{0,30}")
NOT_THERE = "Check the page, or make the watch anew with other words or another selector."


class PageSighting(Value):
    """What a watch saw: the part's text and its digest."""

    text: str
    digest: str


def take_part(part: WatchedPart, text: str) -> PageSighting:
    """The watched part of a page's text. Of a value only the numbers count, however they are set."""
    found = " ".join(text.split()) if part.kind == "value" and not part.what else text.strip()
    if part.kind in ("text", "value"):
        lines = [line.strip() for line in text.splitlines() if part.what.lower() in line.lower()]
        if not lines:
            raise PersonError(f"The page no longer says “{part.what[:80]}”.", NOT_THERE)
        found = "\n".join(lines)
    if part.kind == "value":
        numbers = [read_amount(match) for match in AMOUNT.findall(found)]
        if not numbers:
            raise PersonError(f"There is no number beside “{part.what[:80]}”.", NOT_THERE)
        compared = " ".join(numbers)
    else:
        compared = found
    return PageSighting(text=found[:KEPT_LENGTH], digest=hashlib.sha256(compared.encode()).hexdigest()[:32])


def read_amount(text: str) -> str:
    """A number without its grouping, so that 1.299,00 and 1299 are the same."""
    bare = text.rstrip(".,")
    head, mark, tail = bare, "", ""
    for sign in ".,":
        before, found, after = bare.rpartition(sign)
        # The last sign separates decimals where it stands alone of its kind and two or fewer digits follow.
        if found and len(after) <= 2 and bare.count(sign) == 1 and len(after) < len(tail or "xxx"):
            head, mark, tail = before, found, after
    whole = re.sub(r"\D", "", head)
    decimals = tail.rstrip("0") if mark else ""
    return f"{int(whole or 0)}.{decimals}" if decimals else str(int(whole or 0))


def describe_change(before: Mapping[str, Any] | None, now: PageSighting) -> str:
    """The lines that went and came since a sighting; empty for the first one and where nothing changed."""
    if before is None or before.get("digest") == now.digest:
        return ""
    return compare_texts(str(before.get("text", "")), now.text) or "The page changed further down."

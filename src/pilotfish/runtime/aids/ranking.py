"""Comparing for models that compare badly: of rows with a price, a duration or a number each, the one that a goal for
the cheapest, longest or highest means."""

import re

from pilotfish.runtime.aids.things import Thing, things

LEAST = re.compile(r"\b(cheapest|lowest|least|smallest|shortest|fewest|fastest|quickest)\b", re.IGNORECASE)
MOST = re.compile(r"\b(most expensive|dearest|highest|largest|biggest|greatest|longest|slowest)\b", re.IGNORECASE)
PRICED = re.compile(r"cheap|expensive|dear|price|cost", re.IGNORECASE)
TIMED = re.compile(r"short|long|fast|quick|slow|duration|time", re.IGNORECASE)
MONEY = re.compile(r"[$€£¥]\s?(\d[\d,]*(?:\.\d+)?)|(\d[\d,]*(?:\.\d+)?)\s?(?:[$€£¥]|EUR|USD)")
SPAN = re.compile(r"(\d+)\s?h(?:ours?)?(?:\s?(\d+)\s?m)?|(\d+)\s?min")
NUMBER = re.compile(r"(?<![\w.,])-?\d[\d,]*(?:\.\d+)?(?![\w])")


def extreme(goal: str, page: str) -> Thing | None:
    """The one thing to touch in the row that has the most or the least of what the goal asks for."""
    best = min if LEAST.search(goal) else max if MOST.search(goal) else None
    if best is None:
        return None
    sizes = [_price] if PRICED.search(goal) else [_span, _number] if TIMED.search(goal) else [_price, _number]
    lines = [(line, found[0]) for line in page.splitlines() if len(found := things(line)) == 1]
    for size in sizes:
        sized = [(amount, thing) for line, thing in lines if (amount := size(line)) is not None]
        if len(sized) > 1:
            return best(sized, key=lambda one: one[0])[1]
    return None


def _price(line: str) -> float | None:
    found = MONEY.search(line)
    return float((found[1] or found[2]).replace(",", "")) if found else None


def _span(line: str) -> float | None:
    found = SPAN.search(line)
    return 60 * int(found[1] or 0) + int(found[2] or found[3] or 0) if found else None


def _number(line: str) -> float | None:
    found = NUMBER.search(re.sub(r"\[\d+\]", "", line))
    return float(found[0].replace(",", "")) if found else None

"""Comparing and counting for models that do it badly: of rows with a price, a duration or a number each, the one that a
goal for the cheapest, longest or highest means; and how many there are of something."""

import re
from collections import Counter

from pilotfish.runtime.aids.things import ANYTHING, Thing, things

LEAST = re.compile(r"\b(cheapest|lowest|least|smallest|shortest|fewest|fastest|quickest)\b", re.IGNORECASE)
MOST = re.compile(r"\b(most expensive|dearest|highest|largest|biggest|greatest|longest|slowest)\b", re.IGNORECASE)
SORTED = re.compile(r"\b(sort|arrange|rank)\b|\border\b.*\bby\b", re.IGNORECASE)
"""Then all are wanted in a row, not one."""
ORDERS = {
    "descending": re.compile(r"\b(descending|decreasing|highest|largest|biggest|most|newest|latest|best)\b", re.I),
    "ascending": re.compile(
        r"\b(ascending|increasing|lowest|smallest|least|cheapest|oldest|earliest|alphabetical)", re.I
    ),
}
FURTHER = re.compile(r"\b(then|and|after)\b", re.IGNORECASE)
ABOVE = 5
"""How many lines above a thing tell of it."""
PRICED = re.compile(r"cheap|expensive|dear|price|cost", re.IGNORECASE)
TIMED = re.compile(r"short|long|fast|quick|slow|duration|time", re.IGNORECASE)
MONEY = re.compile(r"[$€£¥]\s?(\d[\d,]*(?:\.\d+)?)|(\d[\d,]*(?:\.\d+)?)\s?(?:[$€£¥]|EUR|USD)")
SPAN = re.compile(r"(\d+)\s?h(?:ours?)?(?:\s?(\d+)\s?m)?|(\d+)\s?min")
ASKED = re.compile(
    r"\b(?:how many|(?:total )?number of) ([a-z ]+?)(?: (?:are|is|do|does|on|in|there)\b|[?.,;]|$)", re.I
)
ARTICLES = frozenset(["the", "all"])
KIND = re.compile(r"\b(identif|classif|describ|what|which)\w*\b.*\b(shape|figure|form)\b", re.IGNORECASE)
SAME = {"aqua": "cyan", "fuchsia": "magenta", "gray": "grey", "violet": "purple"}
MEANT = {"square": {"rectangle"}, "digit": {"number"}}
SIDES = {
    "triangle": 3,
    "quadrilateral": 4,
    "square": 4,
    "rectangle": 4,
    "pentagon": 5,
    "hexagon": 6,
    "heptagon": 7,
    "octagon": 8,
}
NUMBER = re.compile(r"(?<![\w.,])-?\d[\d,]*(?:\.\d+)?(?![\w])")


def extreme(goal: str, page: str) -> Thing | None:
    """The one thing to touch in the row that has the most or the least of what the goal asks for."""
    best = min if LEAST.search(goal) else max if MOST.search(goal) else None
    if best is None or SORTED.search(goal):
        return None
    sizes = [_price] if PRICED.search(goal) else [_span, _number] if TIMED.search(goal) else [_price, _number]
    lines = _blocks(page)
    for size in sizes:
        sized = [(amount, thing) for line, thing in lines if (amount := size(line)) is not None]
        if len(sized) > 1:
            return best(sized, key=lambda one: one[0])[1]
    return None


def sorting(goal: str, page: str) -> tuple[Thing, bool] | None:
    """The head that sorts a table by what the goal says, and whether it is sorted so; where it is, there must be
    nothing else to do."""
    wanted = next((order for order, words in ORDERS.items() if words.search(goal)), "")
    if not wanted or not SORTED.search(goal):
        return None
    said = goal.casefold()
    heads = [thing for thing in things(page) if thing.states & ORDERS.keys()]
    named = [head for head in heads if any(word in said for word in head.name.casefold().split() if word.isalpha())]
    done = len(named) == 1 and wanted in named[0].states
    return (named[0], done) if len(named) == 1 and not (done and FURTHER.search(goal)) else None


def _blocks(page: str) -> list[tuple[str, Thing]]:
    """What is told of each thing that stands alone in its line: the line, and of things called alike also the lines
    since the one before."""
    often = Counter(thing.kind for thing in things(page))
    found: list[tuple[str, Thing]] = []
    above: list[str] = []
    for line in page.splitlines():
        here = things(line)
        if len(here) == 1:
            told = [*above, line] if often[here[0].kind] > 1 else [line]
            found.append((" ".join(told), here[0]))
        above = [] if here else [*above[-ABOVE:], line]
    return found


def tally(goal: str, page: str) -> int | None:
    """How many of the shapes that a page draws a goal asks for; or how many sides the only one has."""
    asked = ASKED.search(goal)
    shapes = [_kinds(thing) for thing in things(page) if thing.role == "shape"]
    if not asked or not shapes:
        return None
    kind = [word.removesuffix("s") for word in asked[1].casefold().split() if word not in ANYTHING | ARTICLES]
    if "side" in kind:
        sides = [SIDES[word] for word in shapes[0] if word in SIDES]
        return sides[0] if len(shapes) == 1 and sides else None
    return sum(all(SAME.get(word, word) in shape for word in kind) for shape in shapes)


def answering(goal: str, page: str) -> Thing | None:
    """The one thing to click that says how many shapes there are, or what the only one is, where a goal asks that."""
    count, every = tally(goal, page), things(page)
    shapes = [_kinds(thing) for thing in every if thing.role == "shape"]
    kinds = shapes[0] if len(shapes) == 1 and KIND.search(goal) else set[str]()
    said = {str(count)} if count is not None else kinds
    found = [thing for thing in every if thing.role != "shape" and thing.name.casefold() in said]
    return found[0] if len(found) == 1 else None


def _kinds(thing: Thing) -> set[str]:
    """All that a shape may be called: a square is a rectangle too."""
    said = {SAME.get(word, word) for word in thing.name.casefold().split()}
    return said.union(*(MEANT[word] for word in said & MEANT.keys()))


def _price(line: str) -> float | None:
    found = MONEY.search(line)
    return float((found[1] or found[2]).replace(",", "")) if found else None


def _span(line: str) -> float | None:
    found = SPAN.search(line)
    return 60 * int(found[1] or 0) + int(found[2] or found[3] or 0) if found else None


def _number(line: str) -> float | None:
    found = NUMBER.search(re.sub(r"\[\d+\]", "", line))
    return float(found[0].replace(",", "")) if found else None

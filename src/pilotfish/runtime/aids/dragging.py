"""Dragging for models that cannot see where things are: the drags that a page allows, and those that a goal plainly
means, such as to the top, up by two, to the left, or into order."""

import re
from collections.abc import Collection, Sequence
from typing import Any

from pilotfish.runtime.aids.focus import alike, sender, words
from pilotfish.runtime.aids.things import ANYTHING, Thing, things

Call = tuple[str, dict[str, Any]]
DRAGGING = re.compile(r"\b(drag|drop|move|sort|arrange|reorder|zieh|glisse|arrastr|trascin)|拖|移", re.IGNORECASE)
LOOSE = frozenset({"draggable", "shape"})
PLACES = frozenset({"region", "list", "group", "cell", "gridcell"})
PAIRS = 8
"""Up to so many things, every way to drag one onto another is a line of its own."""
ENDS = {"top": 0, "first": 0, "bottom": -1, "last": -1}
PLACE = re.compile(r"\b(top|first|bottom|last|(\d+)(?:st|nd|rd|th))\b", re.IGNORECASE)
AWAY = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
WAY = re.compile(r"\b(left|right|up|down)(?:wards?)?(?: by (\w+)[\w ]*)?(?=\s*(?:[.,;]|$|then\b|and\b))", re.IGNORECASE)
COUNT = re.compile(r"\b(\d+|two|three|four|five) [a-z]", re.IGNORECASE)
COUNTS = {"one": 1, "a": 1, "two": 2, "three": 3, "four": 4, "five": 5}
FAR = 60
"""Pixels that something is dragged where only the direction is told."""
GATHER = re.compile(
    r"\b(?:drag|move|put|drop) all (?:the |of the )?(?P<kind>[\w ]+?) (?:in|into|to|onto|inside) (?P<onto>[^,.;]+)"
    r"(?:.*?\b(?:everything else|the rest|(?:all )?(?:the )?others?) (?:in|into|to|onto) (?P<other>[^,.;]+))?",
    re.IGNORECASE,
)
SORTING = re.compile(r"\b(sort|order|arrange)\b", re.IGNORECASE)
RISING = re.compile(r"\b(increasing|ascending|alphabetical)\b", re.IGNORECASE)
FALLING = re.compile(r"\b(decreasing|descending)\b", re.IGNORECASE)


def number(word: str) -> int:
    """What a numeral says; 0 for other words."""
    return int(word) if word.isdecimal() else COUNTS.get(word.lower(), 0)


def drags(loose: Sequence[Thing], every: Sequence[Thing], goal: str) -> dict[str, Call]:
    """Every way to drag one onto another; where they are many, only what the goal speaks of, and onto places too."""
    meant = [one for one in loose if spoken(one, goal)]
    many = len(loose) > PAIRS
    way = WAY.search(goal)
    lines: dict[str, Call] = {}
    if way:
        lines |= {f"drag {one.label} {way[1].lower()}": _away(one, way[1]) for one in meant or loose}
    if many and not meant:
        return lines | {f"drag {one.label} to": ("drag", {"from_id": one.id}) for one in loose}
    onto = [*loose, *(one for one in every if one.role in PLACES)] if many else loose
    return lines | {
        f"drag {one.label} to {two.label}": ("drag", {"from_id": one.id, "to_id": two.id})
        for one in (meant if many else loose)
        for two in onto
        if one != two
    }


def spoken(thing: Thing, goal: str) -> bool:
    """Whether a goal speaks of a thing: by its name, or by a word of it."""
    said = words(goal)
    return bool(thing.name) and any(alike(word, one) for word in words(thing.name) for one in said)


def placed(goal: str, page: str) -> str:
    """Where one of a row of things to drag is wanted at a place, or some places on: the drag that puts it there."""
    place, way = PLACE.search(goal), WAY.search(goal)
    if not DRAGGING.search(goal) or not (place or way):
        return ""
    for grid in _grids(page):
        flat = [thing for row in grid for thing in row]
        named = [one for one in flat if one.name and one.name.casefold() in goal.casefold()]
        if len(named) != 1:
            continue
        goals = _beside(grid, named[0], way) if way else _at(flat, place)
        return f"drag {named[0].label} to {goals[0].label}" if goals and goals[0] != named[0] else ""
    loose = [one for one in things(page) if one.role in LOOSE]
    meant = [one for one in loose if spoken(one, goal)] or loose
    return f"drag {meant[0].label} {way[1].lower()}" if way and len(meant) == 1 else ""


def ordered(goal: str, page: str) -> str:
    """Where things to drag are to be sorted: the next drag that brings one to its place, and at last what sends."""
    falling = bool(FALLING.search(goal))
    grids = _grids(page) if SORTING.search(goal) and (falling or RISING.search(goal)) else []
    for grid in grids:
        flat = [thing for row in grid for thing in row]
        for now, meant in zip(flat, sorted(flat, key=_size, reverse=falling), strict=True):
            if _size(now) != _size(meant):
                return f"drag {meant.label} to {now.label}"
    return sender(things(page)) if grids else ""


def gathered(goal: str, page: str, done: Collection[str]) -> str:
    """Where all of a kind are to go into one place, and perhaps the rest into another: the next drag, and at last what
    sends."""
    found, every = GATHER.search(goal), things(page)
    boxes = [thing for thing in every if thing.role in PLACES or "empty" in words(thing.name)]
    loose = [thing for thing in every if thing.role in LOOSE and thing not in boxes] if found and boxes else []
    for thing in loose:
        assert found
        kind = [word for word in words(found["kind"]) if word not in ANYTHING]
        part = found["onto"] if not kind or spoken(thing, " ".join(kind)) else found["other"]
        if not part:
            continue
        box = _box(part, boxes)
        act = f"drag {thing.label} to {box.label}" if box else ""
        if act not in done:
            return act
    return sender(every) if loose else ""


def _box(said: str, boxes: Sequence[Thing]) -> Thing | None:
    """The place that these words mean."""
    wanted = words(said)
    rated = sorted((len(set(wanted) & set(words(box.name))), -box.id, box) for box in boxes)
    tied = len(rated) > 1 and rated[-1][0] == rated[-2][0]
    return None if tied else rated[-1][2]


def _size(thing: Thing) -> tuple[float, str]:
    found = re.fullmatch(r"[-−]?\d+(?:\.\d+)?", thing.name.strip())
    return (float(found[0].replace("−", "-")) if found else 0.0), thing.name.casefold()


def _at(flat: Sequence[Thing], place: re.Match[str] | None) -> Sequence[Thing]:
    at = ENDS.get(place[1].casefold(), int(place[2] or 1) - 1) if place else len(flat)
    return [flat[at]] if at < len(flat) else []


def _beside(grid: Sequence[Sequence[Thing]], thing: Thing, way: re.Match[str]) -> Sequence[Thing]:
    """The one that stands so many places beside a thing."""
    count = number(way[2] or "one") or 1
    across, down = AWAY[way[1].lower()]
    row, column = next((r, line.index(thing)) for r, line in enumerate(grid) if thing in line)
    row, column = row + down * count, column + across * count
    return [grid[row][column]] if 0 <= row < len(grid) and 0 <= column < len(grid[row]) else []


def _away(thing: Thing, way: str) -> Call:
    across, down = AWAY[way.lower()]
    return "drag", {"from_id": thing.id, "dx": across * FAR, "dy": down * FAR}


def _grids(page: str) -> list[list[list[Thing]]]:
    """Things to drag, row by row, that follow each other without anything between."""
    grids: list[list[list[Thing]]] = [[]]
    for line in page.splitlines():
        found = [thing for thing in things(line) if thing.role == "draggable"]
        if found:
            grids[-1].append(found)
        elif grids[-1]:
            grids.append([])
    return [grid for grid in grids if sum(map(len, grid)) > 1]

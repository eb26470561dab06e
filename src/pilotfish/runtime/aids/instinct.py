"""What needs no thinking: what was looked for appears, a calendar is turned to its month, a closed part is opened, one
thing is done in every row of somebody's, a text is copied."""

import re
from collections.abc import Collection, Sequence
from datetime import datetime

from pilotfish.browser.dates import standard
from pilotfish.runtime.aids.dragging import COUNT, number
from pilotfish.runtime.aids.focus import (
    ALL,
    BUYING,
    meant,
    named,
    names,
    nths,
    rows,
    sender,
    sends,
    share,
    values,
    words,
)
from pilotfish.runtime.aids.moves import CLIPBOARD, COPYING, Move
from pilotfish.runtime.aids.ranking import extreme
from pilotfish.runtime.aids.things import EARLIER, FIELDS, LATER, SET, Thing, lists, on, things
from pilotfish.runtime.aids.trace import DAY

IMPLIED = frozenset(
    ["send", "reply", "forward", "answer", "email", "mail", "post", "comment", "message", "show", "only", *BUYING]
)
"""What is not done before something was sent, though the goal does not say so."""
FINDING = frozenset({"search", "find", "go", "show"})
"""What comes between a form that is filled in and what it is to bring."""
SHORT = 20
"""A longer name says what was found."""
MONTH = re.compile(r"\b([A-Z][a-z]{2,8})\.?,? ?(\d{4})\b")
MORE = frozenset({"more", "…", "...", "⋮", "⋯", "options", "more options", "menu", "actions", "more actions"})
"""What the menu of a row is called."""
DATED = re.compile(r"dat(e|um)|\bday\b|depart|arriv|\bwhen\b|jour|fecha|日期", re.IGNORECASE)
OFFERED = frozenset({"option", "listitem", "menuitem", "treeitem", "row", "link", "clickable"})
HEX = re.compile(r"#?\b([0-9a-fA-F]{6})\b")
PICKING = re.compile(r"\b(colou?r|farbe|couleur|tint|shade)", re.IGNORECASE)
COLOURS = {
    "red": "ff0000", "green": "00ff00", "blue": "0000ff", "yellow": "ffff00", "orange": "ffa500", "purple": "800080",
    "pink": "ffc0cb", "black": "000000", "white": "ffffff", "grey": "808080", "cyan": "00ffff",
    "magenta": "ff00ff", "brown": "a52a2a", "lime": "00ff00", "navy": "000080",
}  # fmt: skip
DAYS = 28


def appeared(goal: str, page: str, known: Collection[str]) -> Thing | None:
    """The one thing to click that the goal quotes and that was not here before."""
    quoted = _quoted(goal)
    found = [thing for thing in named(goal, page) if thing.name.casefold() in quoted and thing.name not in known]
    return found[0] if len(found) == 1 and found[0].role not in FIELDS else None


def suggested(typed: str, page: str, known: Collection[int]) -> Thing | None:
    """What a field offers for the words that were just typed into it: the one that says them, or says them first."""
    wanted = typed.casefold().strip()
    fresh = [thing for thing in things(page) if thing.id not in known and thing.role in OFFERED]
    said = [thing for thing in fresh if wanted and wanted in thing.name.casefold()]
    first = [thing for thing in said if thing.name.casefold().startswith(wanted)]
    whole = [thing for thing in said if thing.name.casefold() == wanted]
    return next((found[0] for found in (whole, first, said) if len(found) == 1), None)


def topmost(goal: str, page: str) -> Thing | None:
    """The button of the row with the most or the least of what a goal asks for, where it does what the goal says."""
    found = extreme(goal, page)
    return found if found and found.role == "button" and share(words(goal), words(found.name)) else None


def undated(days: Collection[str], page: str) -> Thing | None:
    """The field for a day that can only be chosen, not typed, where the goal names one and nobody has chosen yet."""
    fields = [
        thing for thing in things(page) if thing.role in FIELDS and not thing.value and "readonly" in thing.states
    ]
    found = [thing for thing in fields if DATED.search(thing.name)]
    return found[0] if days and len(found) == 1 else None


def turned(goal: str, page: str) -> Thing | None:
    """Where a calendar is open: the day of the goal, or the way to its month."""
    every = things(page)
    days = [thing for thing in every if thing.name.isdecimal() and 1 <= int(thing.name) <= 31]
    wanted = next(filter(None, (_month(standard("date", day)) for day in DAY.findall(goal))), None)
    shown = [month for found in MONTH.findall(page) if (month := _written(*found))]
    if wanted is None or not shown or len(days) < DAYS:
        return None
    if wanted[:2] in shown:
        same = [thing for thing in days if int(thing.name) == wanted[2]]
        return same[min(shown.index(wanted[:2]), len(same) - 1)] if same else None
    signs = LATER if wanted[:2] > max(shown) else EARLIER
    return next((thing for thing in every if thing.name.casefold().startswith(signs)), None)


def unrolled(wanted: Sequence[str], page: str) -> str:
    """Where nothing that is looked for is here yet: further down in the one list that goes on, or on the page."""
    said = page.casefold()
    if not wanted or any(name.casefold() in said for name in wanted):
        return ""
    ends = [box.rolled < 100 for box in lists(page)] or [on(page)]
    return "scroll down" if ends == [True] else ""


def owned(goal: str, page: str, touched: Collection[str]) -> str:
    """Where a goal wants the one control that it quotes in the row of somebody whom it names: that, or the menu of the
    row that may hold it."""
    quoted, here = _quoted(goal), _rows(goal, page)
    mine = [thing for row in here for thing in row if thing.name.casefold() in quoted]
    menus = [thing for row in here for thing in row if thing.name.casefold() in MORE]
    found = mine if len(mine) == 1 else [] if mine else menus[:1]
    done = any(thing.label in touched for thing in found) or _many(goal) or len(quoted) != 1
    return f"click {found[0].label}" if found and not done else ""


def swept(goal: str, page: str, touched: Collection[str]) -> str:
    """Where a goal wants what it quotes in some rows of somebody's, or in every one: the next of these, further down in
    the list for more, and at last what sends."""
    count, quoted = COUNT.search(goal), _quoted(goal)
    mine = [thing for row in _rows(goal, page) for thing in row if thing.name.casefold() in quoted]
    left = [thing for thing in mine if thing.label not in touched]
    done = sum(label.rpartition(" [")[0].casefold() in quoted for label in touched)
    if not _many(goal) or not names(goal) or not (done or mine):
        return ""
    enough = count is not None and done >= number(count[1])
    if left and not enough:
        return f"click {left[0].label}"
    further = [box for box in lists(page) if box.rolled < 100]
    last = sender(meant(goal, page)) if done and (enough or not further) else ""
    return last or ("scroll down" if len(further) == 1 and (not enough or _asked(goal)) else "")


def _many(goal: str) -> bool:
    return bool(COUNT.search(goal) or ALL.search(goal))


def _quoted(goal: str) -> set[str]:
    return {value.casefold() for value in values(goal)}


def _rows(goal: str, page: str) -> list[list[Thing]]:
    """What can be touched in the rows of those whom a goal names."""
    whose = [name.casefold() for name in names(goal)]
    return [things(line) for line, row in rows(page) if any(name in row.casefold() for name in whose)]


def _asked(goal: str) -> bool:
    """Whether a goal says to send."""
    return any(map(sends, words(goal)))


def unopened(wanted: Sequence[str], page: str, tried: Collection[str]) -> str:
    """Where nothing of what is looked for is here, or only the menu that leads to it: the next part of the page that is
    still closed."""
    every = things(page)
    looked = {value.casefold() for value in wanted}
    here = [thing for thing in every if thing.name.casefold() in looked]
    if not wanted or any("menu" not in one.states for one in here) or any(one.role in FIELDS for one in every):
        return ""
    for thing in here or every:
        if "menu" in thing.states and (act := f"hover {thing.label}") not in tried:
            return act
        shut = "collapsed" in thing.states or (thing.role == "tab" and not thing.idle)
        if shut and (act := f"click {thing.label}") not in tried:
            return act
    return ""


def unsent(goal: str, page: str, touched: Collection[str]) -> Thing | None:
    """The one thing that would send what was filled in, where the goal cannot be meant otherwise: it begins with the
    word on a button ("Enter …"), or speaks of what is not done unless something is sent."""
    free = [one for one in things(page) if one.role not in FIELDS and not one.idle]
    found = [one for one in free if one.role == "button" and [one.name.casefold()] == goal.casefold().split()[:1]]
    if not found and IMPLIED & set(words(goal)):
        found = [one for one in free if sends(one.name)] or [
            one for one in free if FINDING & set(one.name.casefold().split()[:1]) and len(one.name) <= SHORT
        ]
    return found[0] if len(found) == 1 and found[0].label not in touched else None


def tinted(goal: str, page: str) -> list[Move]:
    """Where a field holds a colour in figures and the goal names one: that colour as the field wants it."""
    fields = [thing for thing in things(page) if thing.role in FIELDS - SET and HEX.fullmatch(thing.value)]
    said = [*HEX.findall(goal), *(COLOURS[word] for word in words(goal) if word in COLOURS)]
    if len(fields) != 1 or len(said) != 1 or not PICKING.search(goal):
        return []
    (field,) = fields
    colour = f"#{said[0]}" if field.value.startswith("#") else said[0]
    return [Move(act=f"type into {field.label}", text=colour), *_sent(goal, page)]


def _sent(goal: str, page: str) -> list[Move]:
    """The click that sends, where the goal asks for it."""
    act = sender(meant(goal, page))
    return [Move(act=act)] if act else []


def copied(goal: str, page: str) -> list[Move]:
    """Where a goal says to copy, and it is plain from where and to where: by the keys, so that not a blank is lost."""
    fields = [thing for thing in things(page) if thing.role in FIELDS - SET]
    counted = [thing for thing in nths(goal, page).values() if thing.value]
    full, empty = counted or [thing for thing in fields if thing.value], [thing for thing in fields if thing.empty]
    if not COPYING.search(goal) or len(full) != 1 or len(empty) != 1:
        return []
    (start,), (end,) = full, empty
    keys = zip(CLIPBOARD, (start, start, end), strict=True)
    return [*(Move(act=f"press {key} in {field.label}") for key, field in keys), *_sent(goal, page)]


def _month(day: str) -> tuple[int, int, int] | None:
    found = re.fullmatch(r"(\d{4})-(\d{2})-(\d{2})", day)
    return (int(found[1]), int(found[2]), int(found[3])) if found else None


def _written(month: str, year: str) -> tuple[int, int] | None:
    try:
        return int(year), datetime.strptime(month[:3], "%b").month
    except ValueError:
        return None

"""What needs no thinking: what was looked for appears, a calendar is turned to its month, a closed part is opened; and
a small model's list of moves made whole: all of a kind where all are wanted, and what is named before it is sent."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import pairwise

from pilotfish.browser.dates import standard
from pilotfish.runtime.aids.dragging import COUNTS, LOOSE
from pilotfish.runtime.aids.focus import before, meant, named, names, nths, rows, sends, share, values, words
from pilotfish.runtime.aids.moves import CLIPBOARD, COPYING, Move
from pilotfish.runtime.aids.things import FIELDS, SET, Thing, on, things

IMPLIED = frozenset(
    ["send", "reply", "forward", "answer", "email", "mail", "post", "comment", "message", "book", "show", "only"]
)
"""What is not done before something was sent, though the goal does not say so."""
FILLING = ("type into", "select")
CLICKING = re.compile(r"\W*(click|press|push|tap|hit)\b", re.IGNORECASE)
ALL = re.compile(r"\b(all|every|each|both)\b", re.IGNORECASE)
DAY = re.compile(
    r"\d{4}-\d{2}-\d{2}|\d{1,2}[./-]\d{1,2}[./-]\d{4}|\d{1,2}\w{0,2} [A-Z]\w+ \d{4}|[A-Z]\w+ \d{1,2},? \d{4}"
)
MONTH = re.compile(r"\b([A-Z][a-z]{2,8})\.?,? ?(\d{4})\b")
EARLIER, LATER = ("prev", "earlier", "‹", "«", "<"), ("next", "later", "›", "»", ">")
BUTTONS = frozenset({"button", "clickable", "link"})
TICKED = frozenset({"checkbox", "radio", "switch", "option", "menuitemcheckbox", "menuitemradio"})
COUNT = re.compile(r"\b(\d+|two|three|four|five) \w", re.IGNORECASE)
DAYS = 28
MANY = 40


def appeared(goal: str, page: str, known: Collection[str]) -> Thing | None:
    """The one thing to click that the goal quotes and that was not here before."""
    quoted = {value.casefold() for value in values(goal)}
    found = [thing for thing in named(goal, page) if thing.name.casefold() in quoted and thing.name not in known]
    return found[0] if len(found) == 1 and found[0].role not in FIELDS else None


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
    lists = [thing.rolled for thing in things(page) if thing.rolled >= 0]
    ends = [at < 100 for at in lists] or [on(page)]
    return "scroll down" if ends == [True] else ""


def swept(goal: str, page: str, touched: Collection[str]) -> str:
    """Where a goal wants one control in every row of somebody's, or in some of them: the next of these, then further
    down in the list for more."""
    count = COUNT.search(goal)
    whose = [name.casefold() for name in names(goal)]
    if not whose or not (count or ALL.search(goal)):
        return ""
    quoted = {value.casefold() for value in values(goal)}
    mine = [
        thing
        for line, row in rows(page)
        if any(name in row.casefold() for name in whose)
        for thing in things(line)
        if thing.name.casefold() in quoted
    ]
    done = sum(label.rpartition(" [")[0].casefold() in quoted for label in touched)
    if not quoted or (count and done >= COUNTS.get(count[1].lower(), int(count[1]) if count[1].isdecimal() else 0)):
        return ""
    left = [thing for thing in mine if thing.label not in touched]
    if left:
        return f"click {left[0].label}"
    lists = [thing.rolled for thing in things(page) if thing.rolled >= 0]
    return "scroll down" if (done or mine) and len(lists) == 1 and lists[0] < 100 else ""


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
    """The one thing that would send what was filled in, where the goal cannot be meant otherwise."""
    if not IMPLIED & set(words(goal)):
        return None
    found = [one for one in things(page) if sends(one.name) and one.role not in FIELDS and not one.idle]
    return found[0] if len(found) == 1 and found[0].label not in touched else None


def unfilled(goal: str, page: str, move: Move) -> Thing | None:
    """The empty field right before the button that would be clicked, where the goal says more than the two are called:
    a search without words is not what was meant."""
    for field, button in pairwise(things(page)):
        if move.act == f"click {button.label}" and field.empty and button.role in BUTTONS:
            said = words(f"{field.name} {button.name}")
            more = [word for word in words(goal) if not share([word], said)]
            return field if more and not CLICKING.match(goal) else None
    return None


def forgotten(goal: str, page: str, acts: Sequence[Move]) -> Thing | None:
    """The field that a goal names and nothing is put into before it is sent."""
    used = {move.act.partition(" into ")[2] or move.act.partition(" in ")[2] for move in acts}
    sent = any(move.act.startswith("click") and sends(move.act) for move in acts)
    fields = [thing for thing in meant(goal, page) if thing.empty or thing.role in SET]
    return next((field for field in fields if field.label not in used), None) if sent else None


def copied(goal: str, page: str) -> list[Move]:
    """Where a goal says to copy, and it is plain from where and to where: by the keys, so that not a blank is lost."""
    fields = [thing for thing in things(page) if thing.role in FIELDS - SET]
    counted = [thing for thing in nths(goal, page).values() if thing.value]
    full, empty = counted or [thing for thing in fields if thing.value], [thing for thing in fields if thing.empty]
    if not COPYING.search(goal) or len(full) != 1 or len(empty) != 1:
        return []
    (start,), (end,) = full, empty
    last = [Move(act=f"click {thing.label}") for thing in meant(goal, page) if sends(thing.name)]
    keys = zip(CLIPBOARD, (start, start, end), strict=True)
    return [*(Move(act=f"press {key} in {field.label}") for key, field in keys), *last[:1]]


def hasty(goal: str, page: str, move: Move) -> bool:
    """Whether this would send before anything was done that the goal speaks of first."""
    found = [thing for thing in things(page) if move.act == f"click {thing.label}" and thing.role not in FIELDS]
    return any(sends(thing.name) and before(goal, thing.name) for thing in found)


def whole(goal: str, page: str, acts: Sequence[Move]) -> list[Move]:
    """The moves with what a goal for all of a kind still needs, and with what it names before something is sent; what
    sends comes after what is filled in."""
    here = {f"click {thing.label}": thing for thing in things(page)}
    acts = _straight(goal, acts, here)
    filled = max((n for n, move in enumerate(acts) if move.act.startswith(FILLING)), default=-1)
    early = [move for move in acts[: filled + 1] if move.act.startswith("click") and sends(move.act)]
    acts = [*(move for move in acts[: filled + 1] if move not in early), *early, *acts[filled + 1 :]]
    planned = {move.act for move in acts}
    full: list[Move] = []
    for move in acts:
        thing = here.get(move.act)
        for one in _missing(goal, page, thing) if thing else ():
            if (act := f"click {one.label}") not in planned:
                planned.add(act)
                full.append(Move(act=act))
        again = move in full and (move.act.startswith("hover") or (thing and thing.role in TICKED))
        if not again:
            full.append(move)
    full = _aimed(page, [*_carried(goal, page, full)])
    idle = {f"type into {thing.label}": thing.value for thing in things(page) if thing.value}
    return [move for move in full if idle.get(move.act) != move.text] or full


def _straight(goal: str, acts: Sequence[Move], here: Mapping[str, Thing]) -> Sequence[Move]:
    """Without the ways round: scrolling, or clicking what the goal does not speak of, before what it names is clicked,
    though that is here."""
    who = [name.casefold() for name in names(goal)]
    found = [n for n, move in enumerate(acts) if move.act in here and any(one in move.act.casefold() for one in who)]
    first = found[0] if found else max((n for n, move in enumerate(acts) if move.act in here), default=0)
    said = words(goal)
    needless = (
        move.act.startswith("scroll") or (found and move.act in here and not share(said, words(here[move.act].name)))
        for move in acts[:first]
    )
    return [*(move for move, no in zip(acts, needless, strict=False) if not no), *acts[first:]]


def _aimed(page: str, acts: Sequence[Move]) -> list[Move]:
    """A click into an empty field and then typing over a full one, or typing into a full one what it already says: the
    words are for the empty one."""
    every = things(page)
    empty = {f"click {thing.label}": thing for thing in every if thing.empty}
    full = {f"type into {thing.label}": thing.value for thing in every if thing.value}
    aimed: list[Move] = []
    for move in acts:
        if aimed and aimed[-1].act in empty and move.act in full:
            field = empty[aimed.pop().act]
            move = Move(act=f"type into {field.label}", text=move.text)
        elif len(empty) == 1 and move.text and move.text in full.get(move.act, ""):
            move = Move(act=f"type into {next(iter(empty.values())).label}", text=move.text)
        aimed.append(move)
    return aimed


def _carried(goal: str, page: str, acts: Sequence[Move]) -> Iterator[Move]:
    """The moves, with the drags of all the others that the goal speaks of in the same words, where it says all."""
    planned = {move.act.partition(" to ")[0] for move in acts}
    for move in acts:
        yield move
        start, _, onto = move.act.partition(" to ")
        if not (move.act.startswith("drag ") and onto and ALL.search(goal)):
            continue
        loose = {f"drag {thing.label}": thing for thing in things(page) if thing.role in LOOSE}
        said = [word for word in words(goal) if start in loose and share([word], words(loose[start].name))]
        for act, thing in loose.items():
            if act not in planned and thing.label != onto and said and share(said, words(thing.name)):
                planned.add(act)
                yield Move(act=f"{act} to {onto}")


def _missing(goal: str, page: str, thing: Thing) -> list[Thing]:
    if sends(thing.name):
        return [one for one in meant(goal, page, most=MANY) if _untouched(one)]
    alike = [one for one in named(goal, page, MANY) if one.kind == thing.kind] if ALL.search(goal) else []
    return alike if thing in alike else []


def _untouched(thing: Thing) -> bool:
    ticked = thing.role in TICKED and not thing.states & {"checked", "selected"}
    return ticked or ("collapsed" in thing.states and not sends(thing.name))


def _month(day: str) -> tuple[int, int, int] | None:
    found = re.fullmatch(r"(\d{4})-(\d{2})-(\d{2})", day)
    return (int(found[1]), int(found[2]), int(found[3])) if found else None


def _written(month: str, year: str) -> tuple[int, int] | None:
    try:
        return int(year), datetime.strptime(month[:3], "%b").month
    except ValueError:
        return None

"""A small model's list of moves made whole: all of a kind where all are wanted, what is named before it is sent, words
where they belong, and no way round; and what such a list leaves out."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise

from pilotfish.runtime.aids.dragging import COUNT, LOOSE, number
from pilotfish.runtime.aids.focus import ALL, before, meant, named, names, recipients, sender, sends, share, words
from pilotfish.runtime.aids.moves import Move
from pilotfish.runtime.aids.things import FIELDS, SET, Thing, things

FILLING = ("type into", "select")
ONCE = ("hover", "type into", "select")
CLICKING = re.compile(r"\W*(click|press|push|tap|hit)\b", re.IGNORECASE)
BUTTONS = frozenset({"button", "clickable", "link"})
TICKED = frozenset({"checkbox", "radio", "switch", "option", "menuitemcheckbox", "menuitemradio"})
ENTER = re.compile(r"\b(press|hit|use|with)( the)? enter\b", re.IGNORECASE)
MANY = 40
AMOUNT = frozenset({"quantity", "qty", "amount", "anzahl", "menge", "quantité", "cantidad"})


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


def hasty(goal: str, page: str, move: Move) -> bool:
    """Whether this would send before anything was done that the goal speaks of first."""
    found = [thing for thing in things(page) if move.act == f"click {thing.label}" and thing.role not in FIELDS]
    return any(sends(thing.name) and before(goal, thing.name) for thing in found)


def whole(goal: str, page: str, acts: Sequence[Move], touched: Collection[str] = ()) -> list[Move]:
    """The moves with what a goal for all of a kind still needs, and with what it names before something is sent; what
    sends comes after what is filled in. `touched` are labels of what was clicked before."""
    here = {f"click {thing.label}": thing for thing in things(page)}
    acts = _sent(goal, page, _straight(goal, acts, here))
    filled = max((n for n, move in enumerate(acts) if move.act.startswith(FILLING)), default=-1)
    early = [move for move in acts[: filled + 1] if move.act.startswith("click") and sends(move.act)]
    acts = [*(move for move in acts[: filled + 1] if move not in early), *early, *acts[filled + 1 :]]
    if any(here[move.act].role == "button" for move in acts if move.act in here):
        acts = [*_settings(goal, page, acts), *acts]
    planned = {move.act for move in acts}
    full: list[Move] = []
    for move in acts:
        thing = here.get(move.act)
        for one in _missing(goal, page, thing, touched) if thing else ():
            if (act := f"click {one.label}") not in planned:
                planned.add(act)
                full.append(Move(act=act))
        again = move in full and (move.act.startswith(ONCE) or (thing and thing.role in TICKED))
        if not again:
            full.append(move)
    full = _aimed(page, [*_carried(goal, page, full)])
    idle = {f"type into {thing.label}": thing.value for thing in things(page) if thing.value}
    return [move for move in full if idle.get(move.act) != move.text] or full


def _sent(goal: str, page: str, acts: Sequence[Move]) -> Sequence[Move]:
    """With the button that sends, where the goal asks for that and Enter was pressed instead."""
    last = sender(meant(goal, page))
    if not last or ENTER.search(goal) or any(move.act == last for move in acts):
        return acts
    return [Move(act=last) if move.act == "press Enter" else move for move in acts]


def _settings(goal: str, page: str, acts: Sequence[Move]) -> Iterator[Move]:
    """What a goal says in passing that a button is pressed with: an option of a list, and how many."""
    said, used = set(words(goal)), " ".join(move.act for move in acts)
    count = COUNT.findall(goal)
    for thing in things(page):
        if f"in {thing.label}" in used or f"into {thing.label}" in used:
            continue
        spoken = [option for option in thing.options if words(option) and said.issuperset(words(option))]
        if len(spoken) == 1 and spoken[0] != thing.value:
            yield Move(act=f"select {spoken[0]} in {thing.label}")
        if thing.role == "spinbutton" and AMOUNT & set(words(thing.name)) and len(count) == 1:
            yield Move(act=f"type into {thing.label}", text=str(number(count[0])))


def _straight(goal: str, acts: Sequence[Move], here: Mapping[str, Thing]) -> Sequence[Move]:
    """Without the ways round: scrolling, or clicking what the goal does not speak of, before what it names is clicked,
    though that is here."""
    others = [name.casefold() for name in recipients(goal)]
    who = [name.casefold() for name in names(goal) if name.casefold() not in others]
    found = [n for n, move in enumerate(acts) if move.act in here and any(one in move.act.casefold() for one in who)]
    first = found[0] if found else max((n for n, move in enumerate(acts) if move.act in here), default=0)
    said = [word for word in words(goal) if word not in others]
    needless = (
        move.act.startswith("scroll") or (found and move.act in here and not share(said, words(here[move.act].name)))
        for move in acts[:first]
    )
    return [*(move for move, no in zip(acts, needless, strict=False) if not no), *acts[first:]]


def _aimed(page: str, acts: Sequence[Move]) -> list[Move]:
    """A click into an empty field and then typing over a full one, or typing into a full one what it already says: the
    words are for the empty one, if it gets no others. What is typed into needs no click before."""
    every = things(page)
    typed = {move.act.removeprefix("type into ") for move in acts if move.act.startswith("type into ")}
    acts = [move for move in acts if not (move.act.startswith("click ") and move.act.removeprefix("click ") in typed)]
    empty = {f"click {thing.label}": thing for thing in every if thing.empty and thing.label not in typed}
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


def _missing(goal: str, page: str, thing: Thing, touched: Collection[str]) -> list[Thing]:
    if sends(thing.name):
        first = before(goal, thing.name)
        return [one for one in meant(goal, page, touched, MANY) if _untouched(one) or _called(one, first)]
    alike = [one for one in named(goal, page, MANY) if one.kind == thing.kind] if ALL.search(goal) else []
    return alike if thing in alike else []


def _called(thing: Thing, first: Sequence[str]) -> bool:
    """Whether a button is called by one word that the goal says before it comes to sending."""
    return thing.role in ("button", "clickable") and thing.name.casefold() in first


def _untouched(thing: Thing) -> bool:
    ticked = thing.role in TICKED and not thing.states & {"checked", "selected"}
    return ticked or ("collapsed" in thing.states and not sends(thing.name))

"""Tasks of the frame about sections: what stands in one that only its meaning tells, and ways to a section that the
goal describes."""

import re
from collections.abc import Callable, Iterator, Sequence
from html import unescape
from random import Random
from typing import TYPE_CHECKING

from gym.describing import find_section
from gym.lexicon import list_ways, share_word
from gym.oracle import Step, click, done
from gym.site import HUB, Site
from gym.words import load_goals

if TYPE_CHECKING:
    from gym.markup import Ui

ERRANDS, DESCRIBED = 0.13, 0.7
"""How many sites get such a task instead of that of their family; how often a section is described, not named."""
TEXT = re.compile(r">([^<>{}]{4,60})<")
LEAST_TEXT, MOST_TEXTS = 4, 6
"""Letters of what is told of a page, and of how many such texts one is told."""
FILE, OPEN = "errands", "open"
FIRST_YEAR, LAST_YEAR = 1890, 2010


def run_errand(site: Site, family: str, seed: int) -> Site:
    """Now and then give a site a task about one of its sections; from a seed always the same."""
    drawn = Random(f"errand {family} {seed}")
    if drawn.random() < ERRANDS and not tell_fact(site, drawn):
        open_described(site, drawn)
    return site


def tell_fact(site: Site, drawn: Random) -> bool:
    """Ask what stands in a section that no other task needs."""
    kinds = [path[len("/also/") :] for path in site.sections if path.startswith("/also/")]
    fitting = [kind for kind in kinds if kind in load_goals(FILE)]
    if not fitting:
        return False
    kind, draw = drawn.choice(fitting), site.draw
    label, wordings = site.sections[f"/also/{kind}"], load_goals(FILE)[kind]
    values = {"money": draw.money(), "n": drawn.randint(11, 48), "number": draw.digits(3), "day": draw.day()}
    values["year"] = drawn.randint(FIRST_YEAR, LAST_YEAR)
    asked = [each for each in wordings[draw.language] if not share_word(each, label, draw.language)]
    told = drawn.choice(wordings[f"said {draw.language}"])
    key = next(key for key in values if f"{{{key}}}" in told)
    fact = told.format(**values)
    page = site.get(f"/also/{kind}?_bare=1") or ""
    if str(values[key]) in page or not asked:
        return False
    site.put_first(f"/also/{kind}", show_fact(site, f"/also/{kind}", fact))
    goal = draw.speak({draw.language: asked})

    def steps() -> Iterator[Step]:
        yield click(label, why=f"{label} may tell that")
        yield done(fact, see=fact)

    site.task(goal, steps, answer=[str(values[key])])
    return True


def show_fact(site: Site, path: str, fact: str) -> "Callable[[Ui], Sequence[str]]":
    """A page with a heading, the fact and other sentences."""

    def make(ui: "Ui") -> Sequence[str]:
        told = site.draw.all("filler")
        return [ui.heading(site.sections[path]), ui.text(told[0], fact, told[-1])]

    return make


def list_texts(site: Site, path: str) -> list[str]:
    """What a section shows besides its name, as far as it is short."""
    found = [unescape(each).strip() for each in TEXT.findall(site.get(f"{path}?_bare=1") or "")]
    known = {each.casefold() for each in site.sections.values()}
    return [each for each in found if len(each) >= LEAST_TEXT and not any(name in each.casefold() for name in known)]


def open_described(site: Site, drawn: Random) -> bool:
    """Ask for a section by what is in it, or by its name; to open it is all that is to be done."""
    path, label = drawn.choice([each for each in site.sections.items() if each[0] not in ("/", HUB)])
    shown = list_texts(site, path)
    if not shown:
        return False
    text = drawn.choice(shown[:MOST_TEXTS])
    one = find_section(site.draw, label)
    others = [each for each in site.sections.values() if each != label]
    ways = list_ways(one, label, others, site.draw.language) if one else []
    wordings = load_goals(FILE)[OPEN]
    way = drawn.choice(ways) if ways and drawn.random() < DESCRIBED else label
    goal = site.draw.speak({site.draw.language: wordings[site.draw.language]}, what=way)

    def steps() -> Iterator[Step]:
        yield click(label, why=f"{label}: {way}")
        yield done(f"{label}: {text}", see=text, why=f"{label} is open")

    site.task(goal, steps, answer=[label])
    return True

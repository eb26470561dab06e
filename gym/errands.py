"""Tasks of the frame about sections: what stands in one that only its meaning tells, and ways to a section that the
goal describes."""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING

from gym.describing import find_section, tell_section
from gym.lexicon import list_ways, share_word
from gym.oracle import Step, click, done
from gym.site import Site
from gym.words import load_goals

if TYPE_CHECKING:
    from gym.markup import Ui

ERRANDS = 0.09
"""How many sites get such a task instead of that of their family."""
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


def open_described(site: Site, drawn: Random) -> bool:
    """Ask for a section by what is in it."""
    known = [label for path, label in site.sections.items() if path != "/" and tell_section(site.draw, label)]
    if not known:
        return False
    label = drawn.choice(known)
    one = find_section(site.draw, label)
    others = [each for each in site.sections.values() if each != label]
    ways = list_ways(one, label, others, site.draw.language) if one else []
    wordings = load_goals(FILE)[OPEN]
    if not ways:
        return False
    way = drawn.choice(ways)
    goal = site.draw.speak({site.draw.language: wordings[site.draw.language]}, what=way)

    def steps() -> Iterator[Step]:
        yield click(label, why=f"{label}: {way}")
        yield done(label, see=label, why=f"{label} is open")

    site.task(goal, steps, answer=[label])
    return True

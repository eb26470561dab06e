"""What is around a task of any family: further sections that have nothing to do with it, and goals that name a thing
only in part, as people do."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

from gym.oracle import Step
from gym.site import Site
from gym.words import vocabulary

if TYPE_CHECKING:
    from gym.markup import Ui

WIDENED = 0.6
"""How many sites get further sections."""
MOST_SECTIONS = 10
LEAST_LETTERS = 3
TYPED = ("fill", "choose", "note", "ask")


def surround_site(site: Site, family: str, seed: int) -> Site:
    """Draw what is around the task; from a seed always the same."""
    drawn = Random(f"around {family} {seed}")
    if drawn.random() < WIDENED:
        add_sections(site, drawn)
    return site


def add_sections(site: Site, drawn: Random) -> None:
    """Put sections that no task needs among those of the site."""
    taken = {label.casefold() for label in site.sections.values()}
    keys = [key for key in vocabulary() if key.startswith("x_")]
    further: dict[str, str] = {}
    for key in drawn.sample(keys, drawn.randint(2, MOST_SECTIONS)):
        label = drawn.choice(site.draw.all(key))
        if label.casefold() not in taken:
            taken.add(label.casefold())
            further[f"/also/{key[2:]}"] = label
    for path, label in further.items():
        site.put_first(path, tell_news(site, label, drawn.randint(0, 99)))
    first, *others = site.sections.items()
    listed = [*others, *further.items()]
    drawn.shuffle(listed)
    site.sections = dict([first, *listed])


def tell_news(site: Site, label: str, number: int) -> "Callable[[Ui], Sequence[str]]":
    """A page with a heading and a few sentences."""

    def make(ui: "Ui") -> Sequence[str]:
        told = site.draw.all("filler")
        subjects, news = site.draw.all("crowd_subjects"), site.draw.all("crowd_news")
        lines = [f"{subjects[(number + at) % len(subjects)]}: {news[(number + 3 * at) % len(news)]}" for at in range(4)]
        return [ui.heading(label), ui.text(*lines[: 2 + number % 3]), ui.text(told[number % len(told)])]

    return make


def shorten_names(site: Site, drawn: Random) -> None:
    """Let the goal name a row by one of its words, where no other row has that word."""
    if site.person or site.ending != "done" or site.draw.language == "zh":
        return
    steps = list(end_at_end(site.steps()))
    rows = list_rows(site)
    for whole in dict.fromkeys(part for step in steps if step.verb == "click" for part in (step.row, step.name)):
        typed = any(step.verb in TYPED and whole in step.value for step in steps)
        if " " not in whole or whole not in rows or typed or site.goal.count(whole) != 1:
            continue
        fitting = [word for word in whole.split() if names_one(word.strip("()\"'"), rows)]
        if fitting:
            site.said[whole] = drawn.choice(fitting).strip("()\"'")
    for whole, said in site.said.items():
        site.goal = site.goal.replace(whole, said)
    if site.said:
        first = site.steps
        site.steps = lambda: (say_short(step, site) for step in first())


def say_short(step: Step, site: Site) -> Step:
    """What is searched for is said as the goal says it."""
    return replace(step, value=site.said.get(step.value, step.value)) if step.verb in ("search", "look_up") else step


def names_one(word: str, rows: Sequence[str]) -> bool:
    """Whether a word is long enough and stands in the name of one row only."""
    plain = word.casefold()
    return len(plain) >= LEAST_LETTERS and plain.isalpha() and sum(plain in row.casefold() for row in rows) == 1


def list_rows(site: Site) -> list[str]:
    """The names of all rows that the site's sections list, on all their pages."""
    site.rows.clear()
    for path in site.sections:
        site.get(path)
    return list(site.rows)


def end_at_end(steps: Iterator[Step]) -> Iterator[Step]:
    """The steps up to the end; after it a generator may go on with those of other tasks."""
    for step in steps:
        yield step
        if step.verb in ("done", "give_up"):
            return

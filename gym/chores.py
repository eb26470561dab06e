"""Sites that are put together from chores: each section keeps things with which one sort of work can be done.

A family says which chores its sections are and brings their words: for a chore `queue` its labels have `queue` (the
section), `queue_things`, and what else the chore names. Goals come from the family's file, by `queue.KIND`, else from
`goals/chores.txt`, by `KIND`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from gym.markup import Ui
from gym.oracle import Step, click
from gym.site import Ending, Site
from gym.words import Draw, family_words, load_goals

SHARED = "chores"


@dataclass(frozen=True)
class Plan:
    """One task of a chore: what its goal names, the steps once the section is open, and what they lead to."""

    steps: Callable[[], Iterator[Step]]
    values: Mapping[str, object] = field(default_factory=dict[str, object])
    want: Callable[[dict[str, Any]], object] | None = None
    answer: Sequence[str] = ()
    ending: Ending = "done"


class Chore(ABC):
    """A section with things. `least` and `most`: how many of them."""

    kinds: ClassVar[tuple[str, ...]]

    def __init__(self, name: str, least: int = 4, most: int = 7) -> None:
        self.name, self.least, self.most = name, least, most
        self.path = f"/{name}"

    def build(self, site: Site) -> None:
        """Draw the things and make the pages and actions."""
        self.site, self.draw = site, site.draw
        self.things = self.draw.some(f"{self.name}_things", self.draw.number(self.least, self.most))
        self.data: dict[str, Any] = {}
        site.data[self.name] = self.data
        self.place = site.sections[self.path]
        self.prepare()

        @site.page(self.path)
        def section(ui: Ui) -> Sequence[str]:
            return [ui.heading(self.place), *self.show(ui)]

    def label(self, key: str) -> str:
        """One of the chore's own words."""
        return self.draw.word(f"{self.name}_{key}")

    def has(self, key: str) -> bool:
        """Whether the family has such words for this chore."""
        return f"{self.name}_{key}" in family_words(self.draw.family)

    @abstractmethod
    def prepare(self) -> None:
        """Draw what the things have, and make further pages and the actions."""

    @abstractmethod
    def show(self, ui: Ui) -> Sequence[str]:
        """The page of the section, below its heading."""

    @abstractmethod
    def plan(self, kind: str) -> Plan:
        """The task of a kind."""


def make_chores(draw: Draw, *chores: Chore) -> Site:
    """A site with these chores as its sections, and a task of one of them."""
    sections = {chore.path: chore.name for chore in chores}
    site = Site(draw, {"/": "home", **sections, "/help": "help"})
    for chore in chores:
        chore.build(site)

    @site.page("/")
    def home(ui: Ui) -> Sequence[str]:
        return [ui.heading(draw.word("welcome")), ui.text(*draw.all("filler")[:2])]

    chore = draw.pick(chores)
    kind = draw.pick(chore.kinds)
    plan = chore.plan(kind)
    own, shared = load_goals(draw.family), load_goals(SHARED)
    wordings = [found[key] for key, found in ((f"{chore.name}.{kind}", own), (kind, shared)) if key in found]
    goal = draw.speak(draw.pick(wordings), place=chore.place, **plan.values)

    def steps() -> Iterator[Step]:
        yield click(site.sections[chore.path])
        yield from plan.steps()

    site.task(goal, steps, want=plan.want, answer=plan.answer, ending=plan.ending)
    return site

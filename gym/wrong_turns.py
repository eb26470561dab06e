"""What the player does by mistake now and then, so that the way back is recorded.

Another section, a search in vain, the button beside the right one, another row or option, giving up too soon.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import NamedTuple

from gym.choosing import Act
from gym.hurdles import REVIEW
from gym.oracle import ENDS, Step
from gym.shown import PlacedElement, ShownPage
from gym.site import Site

IDLE = 0.3
"""Of what is done by mistake, how much changes nothing."""
LOOKED_ENOUGH, SECTIONS_ENOUGH = 0.5, 2
"""How often the player gives up rightly once so many sections did not have it; it is told then what others have."""
OTHER_ROW, OTHER_OPTION = 0.12, 0.1
"""How often the mark of another row is set, and another option chosen; each is undone."""
NEAR = 0.5
"""How often a wrong turn takes what has a near name, where there is such."""
EARLY = 0.05
"""How often the player gives up by mistake before it opens a section; it is told then what other sections have."""
MOST_TURNS = 3
PLAIN_STATES = ("unchecked", "off")


class OtherChoice(NamedTuple):
    """A choice by mistake, and the steps that undo it before the right one."""

    act: Act
    why: str
    back: list[Step]


@dataclass
class WrongTurns:
    """`left`: how many are still taken; `strayed`: the last one led off the way; `astray`: onto another page;
    `sections`: how many were opened one after the other."""

    site: Site
    random: Random
    detours: float
    left: int = MOST_TURNS
    strayed: bool = False
    astray: bool = False
    gave_up: bool = False
    fruitless: PlacedElement | None = None
    sections: int = 0

    def gives_up_early(self, step: Step, *, filling: bool) -> bool:
        """Whether to give up by mistake now: once, before a section is opened, while no form is half filled."""
        if self.gave_up or filling or not self.detours or self.strayed or self.astray or self.site.refusal:
            return False
        opens = step.verb == "click" and not step.row and step.name in self.site.sections.values()
        self.gave_up = opens and self.random.random() < EARLY
        return self.gave_up

    def count_section(self, step: Step) -> None:
        """Count the sections that are opened one after the other."""
        opens = step.verb == "click" and not step.row and step.name in self.site.sections.values()
        self.sections = self.sections + 1 if opens else 0

    def gives_up_looking(self, step: Step) -> bool:
        """Whether to give up after two wrong sections rather than to open a third."""
        opens = step.verb == "click" and not step.row and step.name in self.site.sections.values()
        ready = self.detours and not self.gave_up and not self.strayed and not self.site.refusal
        if not opens or not ready or self.sections != SECTIONS_ENOUGH:
            return False
        self.gave_up = self.random.random() < LOOKED_ENOUGH
        return self.gave_up

    def take_other(self, step: Step, page: ShownPage, acts: Sequence[Act]) -> OtherChoice | None:
        """Now and then, by mistake: the same mark in another row, where the page shows its state, or another option."""
        if not self.detours or not self.left or len(acts) != 1:
            return None
        other = self._mark_other(step, page) or self._choose_other(step, page, acts[0])
        self.left -= bool(other)
        return other

    def _mark_other(self, step: Step, page: ShownPage) -> OtherChoice | None:
        """The mark of another row, which shows whether it is set."""
        if not step.row or not (step.starred or step.verb == "tick") or self.random.random() >= OTHER_ROW:
            return None
        for row in self.site.rows:
            found = page.find(step.names, "click", row, loose=False) if row != step.row else None
            if found and (found.name in step.names or any(f"({state}" in found.shown.rest for state in PLAIN_STATES)):
                undo = replace(step, row=row, why=f"{row} was not meant, undo that")
                return OtherChoice(["click", found.id], f"{step.name} for {row}", [undo, step])
        return None

    def _choose_other(self, step: Step, page: ShownPage, act: Act) -> OtherChoice | None:
        """Another option of the same native field."""
        if step.verb != "choose" or act[0] != "select" or self.random.random() >= OTHER_OPTION:
            return None
        found = page.find(step.names, "select")
        listed = found.shown.rest.partition(" options: ")[2].partition(" (")[0].split(", ") if found else []
        others = [each for each in listed if each and each != step.value and "…" not in each]
        if not others:
            return None
        right = replace(step, why=f"{others[0]} was chosen, but {step.value} is wanted")
        return OtherChoice(["select", act[1], others[0]], f"choose {step.name}", [right])

    def take_near(self, page: ShownPage, acts: Sequence[Act], pressed: Step | None) -> tuple[Act, Step] | None:
        """Now and then, by mistake: the button beside the right one, which stores nothing; and the step after it."""
        near = page.find((self.site.draw.word("preview"),), "click", loose=False)
        banner = page.find((self.site.draw.word("accept"),), "click")
        if pressed is None or near is None or banner or not self.left or self.random.random() >= 3 * self.detours:
            return None
        right = page.find(pressed.names, "click", loose=False)
        if right is None or acts[-1] != ["click", right.id] or abs(right.line - near.line) > 2:
            return None
        self.left = 0
        return ["click", near.id], replace(pressed, why=f"{near.name} stored nothing, now {pressed.name}")

    def stray(self, step: Step, page: ShownPage, *, filling: bool) -> list[Act]:
        """Something to do by mistake, now and then; never while a form is half filled."""
        if filling or not self.left or self.strayed or self.random.random() >= self.detours:
            return []
        word = self.site.draw.word
        faults = (word("agree_first"), word("preview_only"))
        shown = self.site.snags.unticked or page.address.endswith(REVIEW) or any(map(page.has_line, faults))
        if shown or step.verb in ENDS or step.verb == "choose":
            return []
        self.left -= 1
        if self.site.style["finder"] == "yes" and step.name in self.site.sections.values() and not self.fruitless:
            self.fruitless = box = page.find_first()
            return [["type", box.id, self._name_thing()], ["press", "Enter"]] if box else []
        known = self.site.links - {step.name, step.row, self.site.draw.word("home")}
        paging = {self.site.draw.word("next_page"), self.site.draw.word("previous_page")}
        links = [each for each in page.elements if each.shown.role in ("link", "clickable")]
        wrong = [each for each in links if each.name in known - paging and "click" in each.shown.takes]
        if not wrong or self.random.random() < IDLE:
            return [self.random.choice([["press", "Escape"], ["wait"], ["scroll", "down"], ["find", self.site.brand]])]
        near = [each for each in wrong if shares_word(each.name, (step.row or step.name))]
        taken = self.random.choice(near if near and self.random.random() < NEAR else wrong)
        self.strayed = True
        self.astray = taken.name not in self.site.sections.values()
        return [["click", taken.id]]

    def _name_thing(self) -> str:
        """What the goal is about, as somebody types it into the first search."""
        named = [each for each in self.site.rows if each in self.site.goal]
        return named[0] if named else " ".join(self.site.goal.split()[:4])[:40]


def shares_word(name: str, wanted: str) -> bool:
    """Whether two names have a word in common, as near names do."""
    return not set(name.casefold().split()).isdisjoint(wanted.casefold().split())

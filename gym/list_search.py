"""How the player looks for what the goal only describes: through the whole list, and now and then by a word in vain."""

from dataclasses import dataclass, field
from random import Random

from gym.describing import shorten_way, tell_section
from gym.lexicon import content_words
from gym.oracle import Step
from gym.shown import ShownPage
from gym.site import Site

VAIN = 0.3
"""How often a description is searched for by mistake."""
FIRST_SIGNS = 3


@dataclass
class ListSearch:
    """Looks for what is described. `word`: what was searched for in vain; `seen`: parts of pages that were left."""

    site: Site
    random: Random
    word: str = ""
    seen: set[str] = field(default_factory=set[str])

    def find_way(self, step: Step) -> str:
        """How the goal describes what a step needs, in a few words; empty where it names it."""
        meant = next((each for each in (step.row, *step.names, step.value) if each in self.site.described), "")
        return shorten_way(self.site.described.get(meant, ""))

    def is_through(self, page: ShownPage) -> bool:
        """Whether a list was looked through to its end."""
        further = page.has_more and page.place not in self.seen
        return not further and not page.find((self.site.draw.word("next_page"),), "click")

    def look_on(self, page: ShownPage) -> tuple[str, list[list[int | str]]]:
        """Why and how to look on in a list that does not have what is described so far."""
        if page.has_more and page.place not in self.seen:
            self.seen.add(page.place)
            return "what fits may be further down", [["scroll", "down"]]
        pager = page.find((self.site.draw.word("next_page"),), "click")
        return "nothing fits here, see the next page", [["click", pager.id]] if pager else []

    def seek_in_vain(self, step: Step, page: ShownPage) -> list[list[int | str]]:
        """Now and then search once for a word of a description, which no row has."""
        boxes = [each for each in page.elements if each.shown.role == "searchbox"]
        way = "" if self.word or not boxes else self.find_way(step)
        words = content_words(way) if self.site.draw.language != "zh" else [way[:FIRST_SIGNS]]
        if not way or not words or self.random.random() >= VAIN:
            return []
        self.word = max(words, key=len)
        return [["type", boxes[0].id, self.word], ["press", "Enter"]]

    def say_vain(self, page: ShownPage) -> str:
        """Why to go back."""
        if self.word and page.has_line(self.site.draw.word("nothing_found")):
            return f"nothing is called {self.word}, look through the list"
        return "this does not help, go back"


def say_section(site: Site, step: Step) -> str:
    """Why to open a section: what is there, where that is known in other words; empty for other steps."""
    if step.verb != "click" or step.row or step.name not in site.sections.values():
        return ""
    told = tell_section(site.draw, step.name)
    return f"{step.name}: {told}" if told else f"go to {step.name}"

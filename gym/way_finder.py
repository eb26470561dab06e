"""How the player finds the way to what a step needs and the page does not show.

It opens a menu, closes a banner, scrolls, searches, pages or goes back.
"""

from dataclasses import dataclass, field
from random import Random
from typing import Any

from gym.choosing import Act, write_acts
from gym.list_search import ListSearch
from gym.oracle import OracleLost, Step, describe
from gym.shown import PlacedElement, ShownPage
from gym.site import HUB, Site
from gym.wrong_turns import WrongTurns

MOST_LOOKS = 5
"""How often in a row the player scrolls, searches or pages for one step."""
SEEKING = 0.5
"""How often a long list is searched rather than paged."""


@dataclass
class WayFinder:
    """`looks`: how many in a row; `opened`: the row whose menu is open; `sought`: what was looked for since."""

    site: Site
    random: Random
    search: ListSearch
    looks: int = 0
    opened: str = ""
    sought: set[str] = field(default_factory=set[str])

    def arrive(self, *, interrupted: bool) -> None:
        """Begin anew, since a step was carried out."""
        self.looks, self.opened = self.looks if interrupted else 0, ""
        self.search.seen.clear()
        self.sought.clear()

    def approach(self, step: Step, page: ShownPage, turns: WrongTurns) -> tuple[dict[str, Any], bool]:
        """A move towards what a step needs and the page does not show."""
        self.looks += 1
        if self.looks > MOST_LOOKS:
            raise OracleLost(f"no way to {describe(step)} on:\n{page.page}")
        word = self.site.draw.word
        if step.row and (menu := page.find((word("more"),), "click", step.row)):
            self.opened = step.row
            return write_acts(f"open the menu of {step.row}", [["click", menu.id]]), True
        hub = self._find_hub(step, page)
        if hub and (above := page.find((hub,), "click", loose=False)):
            self.looks = 0
            return write_acts(f"it may be below {hub}", [["click", above.id]]), True
        below = page.address.endswith(HUB) and any(self.site.sections[path] == step.name for path in self.site.nested)
        listed = not step.row and step.name in self.site.sections.values() and not below
        section = self.site.style["nav"] if listed else ""
        if section == "burger" and (menu := page.find((word("menu"),), "click")):
            return write_acts("open the menu", [["click", menu.id]]), True
        if section and (menu := page.find((word("my_account"),), "click")):
            return write_acts("it may be in the menu of the account", [["click", menu.id]]), True
        if section == "tiles" and (home := page.find((word("home"),), "click")):
            return write_acts("the sections are on the home page", [["click", home.id]]), True
        if turns.strayed:
            turns.strayed = False
            return write_acts("this is the wrong page", [["back"]]), True
        if banner := page.find((word("accept"),), "click"):
            return write_acts("close the banner", [["click", banner.id]]), True
        wanted = (step.see if step.verb != "already" else "") or step.row or step.name or word("search")
        way = self.search.find_way(step)
        wanted = hub or self.site.said.get(wanted, wanted)
        told = way or (wanted if page.shows(wanted) else "what is wanted")
        new = wanted not in self.sought and not way
        if step.verb == "click" and not way and (sought := self._seek(wanted, page)):
            return write_acts(f"search for {wanted}", sought), True
        if section and section != "bottom" and page.has_less:
            return write_acts("the sections are further up", [["scroll", "up"]]), True
        if (page.is_cut or page.has_more) and new and page.shows(wanted):
            self.sought.add(wanted)
            return write_acts(f"look for {told}", [["find", wanted[:60]]]), True
        if page.has_more and page.place not in self.search.seen:
            self.search.seen.add(page.place)
            return write_acts(f"{told} may be further down", [["scroll", "down"]]), True
        if step.verb != "search" and (pager := page.find((word("next_page"),), "click")):
            self.looks = 0
            return write_acts(f"{told} may be on the next page", [["click", pager.id]]), True
        if page.has_less or not any(line.strip() == self.site.brand for line in page.lines):
            return write_acts(f"{told} may be further up", [["scroll", "up"]]), True
        if new:
            self.sought.add(wanted)
            return write_acts(f"look for {told}", [["find", wanted[:60]]]), told == wanted
        raise OracleLost(f"no way to {describe(step)} on:\n{page.page}")

    def _find_hub(self, step: Step, page: ShownPage) -> str:
        """The section that leads to the one that a step opens, unless its page is open."""
        path = next((path for path in self.site.nested if self.site.sections[path] == step.name), "")
        return "" if step.row or not path or page.address.endswith(HUB) else self.site.nested[path]

    def _seek(self, wanted: str, page: ShownPage) -> list[Act]:
        """Search for what the goal names, mostly, where the page goes on and has a search."""
        box = find_box(self.site, page)
        goes_on = page.is_cut or page.has_more or page.find((self.site.draw.word("next_page"),), "click")
        known, tried = wanted in self.site.goal, f"search {wanted}" in self.sought
        if not box or not goes_on or not known or tried or self.random.random() >= SEEKING:
            return []
        self.sought.add(f"search {wanted}")
        return [["type", box.id, wanted], ["press", "Enter"]]


def find_box(site: Site, page: ShownPage, anywhere: bool = False) -> PlacedElement | None:
    """The search of the list; `anywhere`: else that of the whole site, which stands first."""
    boxes = [each for each in page.elements if each.shown.role == "searchbox"]
    if site.style["finder"] == "no":
        return boxes[0] if boxes else None
    return boxes[-1] if boxes and (anywhere or len(boxes) > 1) else None

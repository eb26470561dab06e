"""Which links the search through sections follows, and which lines it tells."""

from types import SimpleNamespace
from typing import Any

import pytest

from pilotfish.core.policy import ActionTarget, FormInfo
from pilotfish.small_model.section_search import (
    SectionLink,
    SectionPage,
    SectionSearch,
    leads_on,
    rate_lines,
    weigh_terms,
)
from pilotfish.tools.base import ToolResult

HERE = "https://shop.example/start"


@pytest.mark.parametrize(
    ("target", "leads"),
    [
        (ActionTarget(role="link", name="Orders", href="https://shop.example/orders"), True),
        (ActionTarget(role="clickable", name="Orders", handlers=("click",)), True),
        (ActionTarget(role="link", name="Partner", href="https://other.example/orders"), False),
        (ActionTarget(role="link", name="Out", href="https://shop.example/logout"), False),
        (ActionTarget(role="link", name="Old one", href="https://shop.example/orders/delete?id=3"), False),
        (ActionTarget(role="clickable", name="Delete account", handlers=("click",)), False),
        (ActionTarget(role="button", name="Go", submits=True, form=FormInfo(method="post", action="/buy")), False),
    ],
)
def test_only_what_shows_another_part_of_the_site_is_opened(target: ActionTarget, leads: bool) -> None:
    assert leads_on(target, HERE) is leads


@pytest.mark.parametrize(
    ("goal", "nearest"),
    [
        ("throw away the mail about the broken lift", "Broken lift, mail of Monday"),
        ("tick off that the garden gate is fixed", "Gate hinge loose"),
        ("what does the message on bad weather say", "Storm warning for the coast"),
    ],
)
def test_the_line_that_is_meant_comes_first_by_words_or_by_meaning(goal: str, nearest: str) -> None:
    lines = ["Opening hours", nearest, "Pick up the parcel", "Choir on Thursday", "Invoice for May"]
    rated = rate_lines(goal, lines, weigh_terms(goal))
    assert lines[rated.index(max(rated))] == nearest


def test_words_of_everyday_life_count_little() -> None:
    weights = weigh_terms("please find the heron")
    assert weights["heron"] > 2 * max(weight for term, weight in weights.items() if term != "heron")


class WalkedSite(SectionSearch):
    """A search over pages in memory: of each address its text, and its links as (name, address, whether leading)."""

    def __init__(self, goal: str, pages: dict[str, tuple[str, list[tuple[str, str, bool]]]]) -> None:
        run: Any = SimpleNamespace(task=goal, reason=self._say, step=self._step)
        super().__init__(run, run)
        self.pages = pages
        self.here = "/"
        self.menu_open = False

    async def _say(self, text: str, phase: str) -> None:
        """Nobody listens."""

    async def _step(self, name: str, make: Any) -> Any:
        return await make()

    async def _read_page(self) -> SectionPage:
        text, links = self.pages[self.here]
        shown = [link for link in links if self.menu_open or not link[1].startswith("/menu")]
        listed = [
            SectionLink(id=at, role="link", name=n, url=u, leading=leads) for at, (n, u, leads) in enumerate(shown)
        ]
        menu = [SectionLink(id=99, role="button", name="Menu", menu=True)] if len(shown) < len(links) else []
        for link in (*listed, *menu):
            self._shown.setdefault(link.key, set()).add(self.here)
        return SectionPage(url=self.here, text=text, links=(*listed, *menu))

    async def _act(self, number: int, tool: str, **args: object) -> ToolResult:
        page = await self._read_page()
        if args.get("id") == 99:
            self.menu_open = True
        elif tool == "click":
            self.here, self.menu_open = next(link.url for link in page.links if link.id == args["id"]), False
        else:
            self.here, self.menu_open = str(args["url"]), False
        return ToolResult(output="")


async def look_through(goal: str, pages: dict[str, tuple[str, list[tuple[str, str, bool]]]]) -> WalkedSite:
    search = WalkedSite(goal, pages)
    await search.begin()
    assert not await search.tell_nearest(1)
    return search


@pytest.mark.anyio
async def test_before_giving_up_sections_below_others_and_behind_a_menu_are_looked_into_too() -> None:
    help, below, hidden = ("Help", "/help", True), ("Returns", "/help/returns", True), ("Loans", "/menu/loans", True)
    pages = {
        "/": ("Welcome", [help, hidden]),
        "/help": ("Questions", [help, below, hidden]),
        "/help/returns": ("Send it back", [help, below, hidden]),
        "/menu/loans": ("Books", [help, hidden]),
    }
    search = await look_through("Rent a zeppelin", pages)
    said = search.say_where("Nothing fits.")
    assert said.startswith("Nothing fits. I looked for “rent zeppelin” in ")
    assert set(said.partition(" in ")[2].rstrip(".").split(", ")) == {"Help", "Returns", "Loans"}


@pytest.mark.anyio
async def test_a_site_without_sections_is_said_to_have_none() -> None:
    search = await look_through("Rent a zeppelin", {"/": ("Welcome", [])})
    assert search.say_where("Nothing fits.") == "Nothing fits. The navigation leads to no other part of this site."

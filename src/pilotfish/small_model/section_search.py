"""Looks through the sections of a site for the words of a goal, before a small model gives up.

Opening a page takes a fraction of a model's turn, so code opens the sections one after the other, and the model goes on
where most of the goal's words stand together.
"""

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING
from urllib.parse import urldefrag, urlsplit

from pilotfish.browser.actions.input_targets import target_of
from pilotfish.core.messages import ToolCall
from pilotfish.core.policy import ActionTarget, EffectKind
from pilotfish.core.values import Value
from pilotfish.memory.text_terms import list_content_words, list_terms, query_words, stem_word
from pilotfish.safety.effects import click_effect
from pilotfish.tools.base import ToolResult

if TYPE_CHECKING:
    from pilotfish.browser.perception.snapshot import Snapshot
    from pilotfish.runtime.run import Run
    from pilotfish.runtime.run_context import Json
    from pilotfish.small_model.short_history import ShortHistory

LINK_ROLES = ("link", "tab", "menuitem", "treeitem", "clickable")
"""Roles of what may lead to a section."""
NAVIGATION_ROLES = ("navigation", "menubar", "tablist")
MOST_SECTIONS, MOST_LINKS = 16, 60
"""The most sections that are opened, and links of a page that are looked at."""
SHOWING_EFFECTS = frozenset[EffectKind]({"view", "visit", "local"})
TEXT_LENGTH, QUOTE_LENGTH = 40_000, 120
"""Characters that are read of a page, and of a line that is told."""
LIGHT_WEIGHT, SPREAD_WEIGHT = 0.3, 0.5
"""How much a word of everyday life counts, and what the words of a page count that do not stand in its best line."""
LEAST_LEAD, LEAST_WEIGHT, LEAST_TERMS = 1.5, 1.0, 2
"""By how much a section must be ahead of the page in front, the least that its best line must count, and how many words
of the goal must stand in that line."""
LOOKING_NOTE = "Looking through the sections for what the goal names"
FOUND_NOTE = "Of {} sections this one has “{}”. Go on here."


class SectionLink(Value):
    """What only leads to another part of the same site. `url` is empty where only a script knows the way; `leading`: it
    stands in a navigation."""

    id: int
    role: str
    name: str
    url: str = ""
    leading: bool = False

    @property
    def key(self) -> tuple[str, str]:
        return self.role, self.name


class SectionPage(Value):
    """A page that was opened on the search: its text, and what leads from it to other parts of the site."""

    url: str
    text: str
    links: tuple[SectionLink, ...] = ()


class SectionSearch:
    """The search of one run. It is made once; later calls choose among the sections that were read."""

    def __init__(self, run: "Run", history: "ShortHistory") -> None:
        self.run = run
        self.history = history
        self._weights = weigh_terms(run.task)
        self._distinctive = {term for term, weight in self._weights.items() if weight > LIGHT_WEIGHT}
        self._shown: dict[tuple[str, str], set[str]] = {}
        self._pages: dict[tuple[str, str], SectionPage] = {}
        self._home: SectionPage | None = None
        self._chosen: set[tuple[str, str]] = set()
        self._calls = 0

    async def begin(self) -> None:
        """Read the page on which the run begins."""
        if self._home is None:
            self._home = await self._read_page()

    def names_any(self, texts: Sequence[str]) -> bool:
        """Whether texts have a word of the goal that can show where its thing is, or the goal has none."""
        return not self._distinctive or not self._distinctive.isdisjoint(terms_of(texts))

    async def open_best(self, number: int) -> bool:
        """Open the section in which most of the goal's words stand together; false where no section has more of them
        than the page in front."""
        front = here = await self._read_page()
        if not self._pages:
            await self.run.reason(LOOKING_NOTE, "turn")
            here = await self._read_sections(front, number)
        found = self._choose(front)
        opened = await self._open(found[0], here, number) if found else None
        if found is None or opened is None:
            return False
        self._chosen.add(found[0])
        await self.history.record(opened[0], {}, opened[1])
        self.history.remark(FOUND_NOTE.format(len(self._pages), found[1][:QUOTE_LENGTH]))
        return True

    async def _read_sections(self, here: SectionPage, number: int) -> SectionPage:
        """Open the sections one after the other; the last one that was opened."""
        for link in self._list_sections(here):
            if await self._open(link, here, number) is not None:
                self._pages[link] = here = await self._read_page()
        return here

    def _list_sections(self, here: SectionPage) -> list[tuple[str, str]]:
        """What leads on from the first page, and what stands on several pages; each address once, navigation first."""
        home = self._home or here
        lasting = [link for link in here.links if len(self._shown[link.key]) > 1]
        first = [link for link in home.links if link.leading or link.role == "link"]
        ways = sorted((*first, *lasting), key=lambda link: not link.leading)
        addresses, listed = {"", urldefrag(home.url).url}, dict[tuple[str, str], None]()
        for link in ways:
            if not link.url or urldefrag(link.url).url not in addresses:
                addresses.add(urldefrag(link.url).url)
                listed.setdefault(link.key)
        return list(listed)[:MOST_SECTIONS]

    async def _open(self, link: tuple[str, str], here: SectionPage, number: int) -> tuple[ToolCall, ToolResult] | None:
        """Click the link where it is shown, else on the first page. None where that was not possible."""
        if (id := find_link(here, link)) is None and self._home is not None:
            await self._act(number, "navigate", action="goto", url=self._home.url)
            id = find_link(await self._read_page(), link)
        if id is None:
            return None
        call, result = await self._act(number, "click", id=id)
        return (call, result) if result.ok else None

    async def _act(self, number: int, tool: str, **args: object) -> tuple[ToolCall, ToolResult]:
        self._calls += 1
        call = ToolCall(id=f"t{number}.s{self._calls}", tool=tool, args=args)
        [result] = await self.run.act(call)
        return call, result

    async def _read_page(self) -> SectionPage:
        page = SectionPage.model_validate(await self.run.step("read section", self._read))
        for link in page.links:
            self._shown.setdefault(link.key, set()).add(urldefrag(page.url).url)
        return page

    async def _read(self) -> "Json":
        tab = await (await self.run.browser.session()).tab()
        view, text = await tab.recent_snapshot(), await tab.text()
        links = [each for each in view.elements if each.role in LINK_ROLES and each.name][:MOST_LINKS]
        targets = [(each, await target_of(tab, each.id)) for each in links]
        leading = list_leading(view)
        listed = [
            {"id": each.id, "role": each.role, "name": each.name, "url": target.href, "leading": each.id in leading}
            for each, target in targets
            if leads_on(target, view.url)
        ]
        return await self.run.secrets.redact({"url": view.url, "text": text.text[:TEXT_LENGTH], "links": listed})

    def _choose(self, here: SectionPage) -> tuple[tuple[str, str], str] | None:
        """The best section that was not opened for the model yet, with its best line; None if none is good enough."""
        *sections, front = drop_repeated_lines([page.text for page in (*self._pages.values(), here)])
        rarity = self._rate_rarity([*sections, front])
        ranked = {
            link: rank_lines(lines, rarity)
            for link, lines in zip(self._pages, sections, strict=True)
            if link not in self._chosen
        }
        if not ranked:
            return None
        best = max(ranked, key=lambda link: ranked[link][0])
        value, single, line = ranked[best]
        if value <= LEAST_LEAD * rank_lines(front, rarity)[0] or single < LEAST_WEIGHT:
            return None
        named = self._distinctive & set(list_terms(line))
        return (best, line) if len(named) >= min(LEAST_TERMS, len(self._distinctive)) else None

    def _rate_rarity(self, pages: Sequence[Sequence[str]]) -> dict[str, float]:
        """How much each word of the goal that these pages have counts: more, the fewer of them have it."""
        spread = Counter(term for lines in pages for term in self._weights.keys() & terms_of(lines))
        return {term: self._weights[term] * math.log((len(pages) + 1) / spread[term]) for term in spread}


def weigh_terms(goal: str) -> dict[str, float]:
    """The words of a goal that can show where its thing is, with how much each counts."""
    light = query_words().light
    return {stem_word(word): LIGHT_WEIGHT if word in light else 1.0 for word in list_content_words(goal)}


def drop_repeated_lines(texts: Sequence[str]) -> list[list[str]]:
    """The lines of each text without those that stand in more than half of the texts, as menus do."""
    pages = [text.splitlines() for text in texts]
    times = Counter(line for lines in pages for line in set(lines))
    return [[line for line in lines if times[line] * 2 <= len(pages)] for lines in pages]


def terms_of(lines: Sequence[str]) -> set[str]:
    return {term for line in lines for term in list_terms(line)}


def rank_lines(lines: Sequence[str], rarity: Mapping[str, float]) -> tuple[float, float, str]:
    """How much the wanted words of a page count together, how much those of its best line, and that line."""
    shared = [rarity.keys() & set(list_terms(line)) for line in lines]
    single, line = max(((weigh(terms, rarity), lines[at]) for at, terms in enumerate(shared)), default=(0.0, ""))
    return single + SPREAD_WEIGHT * weigh(set().union(*shared), rarity), single, line.strip(" #*-|")


def weigh(terms: Collection[str], rarity: Mapping[str, float]) -> float:
    return sum(rarity[term] for term in terms)


def find_link(page: SectionPage, link: tuple[str, str]) -> int | None:
    return next((each.id for each in page.links if each.key == link), None)


def list_leading(view: "Snapshot") -> set[int]:
    """The numbers of the elements that stand in a navigation."""
    inside, found = set[int](), set[int]()
    for at, node in enumerate(view.nodes):
        if node.role in NAVIGATION_ROLES or node.parent in inside:
            inside.add(at)
            found.add(node.id)
    return found


def leads_on(target: ActionTarget, here: str) -> bool:
    """Whether a click does no more than show another part of the same site."""
    same = not target.href or urlsplit(target.href)[:2] == urlsplit(here)[:2]
    return same and {finding.effect for finding in click_effect(target)} <= SHOWING_EFFECTS

"""Looks through the sections of a site for what a goal means, before a small model gives up.

Opening a page takes a fraction of a model's turn, so code opens the sections one after the other and tells the model
which of their lines come nearest to the goal, by words and by meaning. The model decides where to go on.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING
from urllib.parse import urldefrag, urlsplit

from pilotfish.browser.actions.input_targets import target_of
from pilotfish.core.messages import ToolCall
from pilotfish.core.policy import ActionTarget, EffectKind
from pilotfish.core.values import Value
from pilotfish.memory.text_terms import list_content_words, list_terms, query_words, stem_word
from pilotfish.safety.effects import click_effect
from pilotfish.tools.base import ToolResult
from pilotfish.web.rank import meaning_scores

if TYPE_CHECKING:
    from pilotfish.browser.perception.snapshot import Snapshot
    from pilotfish.runtime.run import Run
    from pilotfish.runtime.run_context import Json
    from pilotfish.small_model.short_history import ShortHistory

LINK_ROLES = ("link", "tab", "menuitem", "treeitem", "clickable")
"""Roles of what may lead to a section."""
NAVIGATION_ROLES = ("navigation", "menubar", "tablist")
MOST_SECTIONS, MOST_LINKS = 24, 60
"""The most sections that are opened, and links of a page that are looked at."""
SHOWING_EFFECTS = frozenset[EffectKind]({"view", "visit", "local"})
TEXT_LENGTH, MOST_LINES, QUOTE_LENGTH = 40_000, 150, 80
"""Characters and lines that are read of a section, and characters of a line that are told."""
LIGHT_WEIGHT = 0.3
"""How much a word of everyday life counts."""
MOST_NEAREST, MOST_OF_SECTION, LEAST_SCORE = 3, 2, 0.15
"""The most lines that are told, those of one section, and how near to the goal a line must be."""
LOOKING_NOTE = "Looking through the sections for what the goal names"
ELSEWHERE_NOTE, OPENED_NOTE = "Elsewhere: {}", "Opened, since it may fit: {}"
LOOKED_FOR = "{} I looked for {} in {}."
NO_SECTIONS = "{} The navigation leads to no other part of this site."
ITS_THING = "what the goal names"
MENU_ROLES, MENU_STATES, MOST_MENUS = (*NAVIGATION_ROLES, "banner"), frozenset({"collapsed", "menu"}), 3
"""Where a button may hide the navigation, how its state tells so, and how many such buttons are pressed."""


class SectionLink(Value):
    """What only leads to another part of the same site. `url` is empty where only a script knows the way; `leading`: it
    stands in a navigation; `menu`: it does not lead on, but unfolds what does."""

    id: int
    role: str
    name: str
    url: str = ""
    leading: bool = False
    menu: bool = False

    @property
    def key(self) -> tuple[str, str]:
        return self.role, self.name


class SectionPage(Value):
    """A page that was opened on the search: its text, and what leads from it to other parts of the site."""

    url: str
    text: str
    links: tuple[SectionLink, ...] = ()


class SectionSearch:
    """The search of one run. It is made once."""

    def __init__(self, run: "Run", history: "ShortHistory") -> None:
        self.run = run
        self.history = history
        self._weights = weigh_terms(run.task)
        self._distinctive = {term for term, weight in self._weights.items() if weight > LIGHT_WEIGHT}
        self._shown: dict[tuple[str, str], set[str]] = {}
        self._pages: dict[tuple[str, str], SectionPage] = {}
        self._home: SectionPage | None = None
        self._nearest: list[tuple[str, str]] = []
        """The lines that were told, nearest first, each with the address where it stands."""
        self._calls = 0

    async def begin(self) -> None:
        """Read the page on which the run begins."""
        if self._home is None:
            self._home = await self._read_page()

    def names_any(self, texts: Sequence[str]) -> bool:
        """Whether texts have a word of the goal that can show where its thing is, or the goal has none."""
        terms = (term for text in texts for term in list_terms(text))
        return not self._distinctive or not self._distinctive.isdisjoint(terms)

    async def tell_nearest(self, number: int, back: str = "") -> bool:
        """Tell the model the lines of other sections that come nearest to the goal, on the page where the run began or
        on that of the address `back`.

        False where that was told before or nothing comes near.
        """
        if self._pages:
            return False
        front = await self._read_page()
        await self.run.reason(LOOKING_NOTE, "turn")
        await self._read_sections(front, number)
        self._nearest = [*map(tuple, (await self.run.step("rank sections", self._rank))["nearest"])]
        if self._home is not None and self._pages:
            await self._act(number, "navigate", action="goto", url=back or self._home.url)
        for line, _ in self._nearest:
            self.history.remark(ELSEWHERE_NOTE.format(line))
        return bool(self._nearest)

    async def open_nearest(self, number: int) -> bool:
        """Open the nearest of the told sections that the model has not looked at. False where there is none, or this
        was done before."""
        seen = {text.partition("\n")[0].rpartition(" — ")[2] for text in self.history.pages}
        line, url = next(((line, url) for line, url in self._nearest if url not in seen), ("", ""))
        self._nearest = []
        if not url or not (await self._act(number, "navigate", action="goto", url=url)).ok:
            return False
        self.history.remark(OPENED_NOTE.format(line))
        return True

    def say_where(self, why: str) -> str:
        """Why it was given up, what was looked for, and in which sections."""
        if not self._pages:
            return NO_SECTIONS.format(why)
        named = [word for word in list_content_words(self.run.task) if stem_word(word) in self._distinctive]
        wanted = f"“{' '.join(named)}”" if named else ITS_THING
        return LOOKED_FOR.format(why, wanted, ", ".join(dict.fromkeys(name for _, name in self._pages)))

    async def _read_sections(self, here: SectionPage, number: int) -> None:
        """Open the sections one after the other and keep what they say; also those that only another one leads to."""
        here, tried = await self._unfold(here, number), set[tuple[str, str]]()
        while len(tried) < MOST_SECTIONS:
            link = next((link for link in self._list_sections(here) if link.key not in tried), None)
            if link is None:
                return
            tried.add(link.key)
            if await self._open(link, here, number):
                self._pages[link.key] = here = await self._read_page()

    async def _unfold(self, here: SectionPage, number: int) -> SectionPage:
        """Press what hides the navigation of this page."""
        for menu in [link for link in here.links if link.menu][:MOST_MENUS]:
            shown = find_link(here, menu.key)
            if shown is not None and (await self._act(number, "click", id=shown)).ok:
                here = await self._read_page()
                home = self._home or here
                self._home = home.model_copy(update={"links": (*home.links, *here.links)})
        return here

    def _list_sections(self, here: SectionPage) -> list[SectionLink]:
        """What leads on from the first page, in a navigation or on several pages; each address once."""
        home = self._home or here
        read = [link for page in (here, *self._pages.values()) for link in page.links]
        lasting = [link for link in read if link.leading or len(self._shown[link.key]) > 1]
        first = [link for link in home.links if link.leading or link.role == "link"]
        ways = sorted((*first, *lasting), key=lambda link: not link.leading)
        addresses, listed = {"", urldefrag(home.url).url}, dict[tuple[str, str], SectionLink]()
        for link in ways:
            if not link.menu and (not link.url or urldefrag(link.url).url not in addresses):
                addresses.add(urldefrag(link.url).url)
                listed.setdefault(link.key, link)
        return list(listed.values())

    async def _open(self, link: SectionLink, here: SectionPage, number: int) -> bool:
        """Click the link where it is shown, else on the first page, else go to its address. False where that was not
        possible."""
        if (id := find_link(here, link.key)) is None and self._home is not None:
            await self._act(number, "navigate", action="goto", url=self._home.url)
            id = find_link(await self._read_page(), link.key)
        if id is not None:
            return (await self._act(number, "click", id=id)).ok
        return bool(link.url) and (await self._act(number, "navigate", action="goto", url=link.url)).ok

    async def _act(self, number: int, tool: str, **args: object) -> ToolResult:
        self._calls += 1
        [result] = await self.run.act(ToolCall(id=f"t{number}.s{self._calls}", tool=tool, args=args))
        return result

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
        leading, hiding = list_inside(view, NAVIGATION_ROLES), list_inside(view, MENU_ROLES)
        listed = [
            {"id": each.id, "role": each.role, "name": each.name, "url": target.href, "leading": each.id in leading}
            for each, target in targets
            if leads_on(target, view.url)
        ]
        listed += [
            {"id": each.id, "role": each.role, "name": each.name, "menu": True}
            for each in view.elements
            if each.id in hiding and each.role == "button" and MENU_STATES.intersection(each.states)
        ]
        return await self.run.secrets.redact({"url": view.url, "text": text.text[:TEXT_LENGTH], "links": listed})

    async def _rank(self) -> "Json":
        """The nearest lines, each with the section where it stands, and its address."""
        texts = drop_repeated_lines([page.text for page in self._pages.values()])
        keys = zip(self._pages, texts, strict=True)
        lines = [(key, line) for key, text in keys for line in text[:MOST_LINES]]
        scores = rate_lines(self.run.task, [line for _, line in lines], self._weights)
        nearest, times = list[tuple[str, str]](), Counter[tuple[str, str]]()
        for score, (key, line) in sorted(zip(scores, lines, strict=True), key=lambda pair: -pair[0]):
            if score < LEAST_SCORE or len(nearest) == MOST_NEAREST:
                break
            if times[key] < MOST_OF_SECTION:
                times[key] += 1
                nearest.append((f"{key[1]} has “{line[:QUOTE_LENGTH]}”", self._pages[key].url))
        return {"nearest": nearest}


def weigh_terms(goal: str) -> dict[str, float]:
    """The words of a goal that can show where its thing is, with how much each counts."""
    light = query_words().light
    return {stem_word(word): LIGHT_WEIGHT if word in light else 1.0 for word in list_content_words(goal)}


def drop_repeated_lines(texts: Sequence[str]) -> list[list[str]]:
    """The lines of each text, each once, without those that stand in more than half of the texts, as menus do."""
    pages = [list(dict.fromkeys(line.strip(" #*-|") for line in text.splitlines())) for text in texts]
    times = Counter(line for lines in pages for line in lines)
    return [[line for line in lines if line and times[line] <= max(1, len(pages) // 2)] for lines in pages]


def rate_lines(goal: str, lines: Sequence[str], weights: Mapping[str, float]) -> list[float]:
    """How near each line is to the goal: by its meaning, and by the share of the goal's words that it has."""
    whole = sum(weights.values()) or 1.0
    shared = (sum(weights[term] for term in weights.keys() & set(list_terms(line))) / whole for line in lines)
    return [meant + share for meant, share in zip(meaning_scores(goal, [*lines]), shared, strict=True)]


def find_link(page: SectionPage, link: tuple[str, str]) -> int | None:
    return next((each.id for each in page.links if each.key == link), None)


def list_inside(view: "Snapshot", roles: Sequence[str]) -> set[int]:
    """The numbers of the elements that stand in parts of these roles."""
    inside, found = set[int](), set[int]()
    for at, node in enumerate(view.nodes):
        if node.role in roles or node.parent in inside:
            inside.add(at)
            found.add(node.id)
    return found


def leads_on(target: ActionTarget, here: str) -> bool:
    """Whether a click does no more than show another part of the same site."""
    same = not target.href or urlsplit(target.href)[:2] == urlsplit(here)[:2]
    return same and {finding.effect for finding in click_effect(target)} <= SHOWING_EFFECTS

"""A site: server-side data, pages rendered from it, actions that change it, one task, and the check of that task."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import parse_qsl, urlsplit

from gym.hurdles import Hurdles
from gym.snags import Snags
from gym.style import Style
from gym.words import Draw

if TYPE_CHECKING:
    from gym.oracle import Step

Form = Mapping[str, str]
PageMaker = Callable[..., Sequence[str]]
Ending = Literal["done", "give_up"]
HUB = "/hub"
"""The page of a section that only leads to others."""
INFO = "/info/"
"""Where the links of the footer lead, by key of the vocabulary."""


@dataclass(frozen=True)
class TaskEnd:
    """How a run ended: what it said, whether it gave up, and what it asked the person."""

    ending: Ending
    text: str
    asked: tuple[str, ...] = ()


class Site:
    """One site with one task. Drawing it again from its seed is its reset.

    `data` is what the check compares: it holds what the site would store. What only concerns the view (a search, a
    page number, an open dialog) stands in the query of the address instead.
    """

    def __init__(self, draw: Draw, sections: Mapping[str, str], **fixed: str) -> None:
        """`sections` are the navigation: paths and keys of the vocabulary, or words as they are."""
        self.draw = draw
        self.style = Style(draw, **fixed)
        self.brand = draw.word("brands")
        self.contact = "/contact-us"
        shown = {self.contact: draw.pick(("about", "contact"))} if self.style["contact"] == "yes" else {}
        self.sections = {path: self._label(key) for path, key in {**sections, **shown}.items()}
        self.facts = draw_facts(draw) if shown else {}
        self.base = ""
        self.data: dict[str, Any] = {}
        self.notice = ""
        self.errors: dict[str, str] = {}
        self.draft: dict[str, str] = {}
        self.links: set[str] = set()
        self.rows: dict[str, None] = {}
        """The names of rows that pages listed."""
        self.said: dict[str, str] = {}
        """How the goal names rows that it does not name wholly."""
        self.described: dict[str, str] = {}
        """How the goal describes what it does not name."""
        self.roles: dict[str, str] = {}
        """What people do, which rows of lists show beside them."""
        self.keeps_entries = True
        """Whether fields show what is stored. Where they are empty each time, nothing in them is so already."""
        self.goal = self.twist = self.proof = self.refusal = ""
        """`refusal`: what the site says where it refuses all changes; empty where it does not."""
        self.vague = False
        """Whether the name of the section that the task needs says little."""
        self.nested: dict[str, str] = {}
        """Sections that another one leads to instead of the navigation, and the name of that one."""
        self.want: Callable[[dict[str, Any]], object] | None = None
        self.again: Callable[[], Site] = lambda: self
        self.steps: Callable[[], Iterator[Step]] = lambda: iter(())
        self.ending: Ending = "done"
        self.answers: tuple[str, ...] = ()
        self.person = ""
        self.wanted: dict[str, Any] = {}
        self.open_value = ""
        """A text of the wanted data in whose place any other will do."""
        self.hurdles = Hurdles(self)
        self.snags = Snags(self)
        self._pages: list[tuple[re.Pattern[str], PageMaker]] = []
        self._acts: dict[str, Callable[[Form], str | None]] = {}

    def _label(self, key: str) -> str:
        return self.draw.word(key) if key.isascii() and key.islower() and " " not in key else key

    # What a family says

    def page(self, pattern: str) -> Callable[[PageMaker], PageMaker]:
        """The function makes the parts of the pages of this path; "{id}" in it becomes an argument."""
        parts = re.split(r"\{(\w+)\}", pattern)
        regex = "".join(f"(?P<{part}>[^/]+)" if at % 2 else re.escape(part) for at, part in enumerate(parts))

        def keep(made: PageMaker) -> PageMaker:
            self._pages.append((re.compile(regex), made))
            return made

        return keep

    def put_first(self, path: str, made: PageMaker) -> None:
        """Add a page before those of the family."""
        self._pages.insert(0, (re.compile(re.escape(path)), made))

    def act(self, name: str) -> Callable[[Callable[[Form], str | None]], Callable[[Form], str | None]]:
        """The function changes the data and returns the path to show then; none: the page where it was begun."""

        def keep(made: Callable[[Form], str | None]) -> Callable[[Form], str | None]:
            self._acts[name] = made
            return made

        return keep

    def task(
        self,
        goal: str,
        steps: Callable[[], "Iterator[Step]"],
        *,
        want: Callable[[dict[str, Any]], object] | None = None,
        answer: Sequence[str] = (),
        ending: Ending = "done",
        person: str = "",
    ) -> None:
        """The site's task: `want` does to a copy of the data what the run should do to the data.

        `person` is what the person says when asked; with it, the run has to ask.
        """
        self.goal, self.steps, self.answers, self.ending, self.person = goal, steps, tuple(answer), ending, person
        self.want = want
        self.wanted = deepcopy(self.data)
        if want:
            want(self.wanted)

    def require(self, form: Form, *names: str, **faults: bool) -> bool:
        """Whether these fields are filled and none of the named faults holds. Faults are shown at their fields:
        `bad_date__day=True` shows the words of bad_date at the field `day`."""
        self.errors = {name: self.draw.word("required") for name in names if not form.get(name, "").strip()}
        for fault, holds in faults.items():
            word, _, name = fault.partition("__")
            if holds and name not in self.errors:
                self.errors[name] = self.draw.word(word)
        self.draft = dict(form) if self.errors else {}
        return not self.errors

    # What the server calls

    def get(self, address: str) -> str | None:
        """The HTML of a page, or None."""
        from gym.layout import write_page
        from gym.markup import Ui

        parts = urlsplit(address)
        query = dict(parse_qsl(parts.query, keep_blank_values=True))
        address = address.replace("&_bare=1", "").replace("?_bare=1", "")
        if made := self.hurdles.pages.get(parts.path):
            ui = Ui(self, address, query)
            return write_page(ui, made(ui))
        if parts.path == "/confirm" or (parts.path == self.contact and self.facts):
            ui = Ui(self, address, query)
            return write_page(ui, ui.confirm_page() if parts.path == "/confirm" else ui.contact_page())
        for regex, made in self._pages:
            if found := regex.fullmatch(parts.path):
                ui = Ui(self, address, query)
                html = write_page(ui, made(ui, **found.groupdict()))
                if "_bare" in query or self.style["holder"] != "frame":
                    self.notice, self.errors, self.draft = "", {}, {}
                return html
        if parts.path in self.sections or parts.path.startswith(INFO):
            ui = Ui(self, address, query)
            return write_page(ui, ui.plain_page(parts.path))
        return None

    def post(self, name: str, form: Form) -> str:
        """Carry out an action. The path of the page to show then."""
        origin = form.get("_from", "/")
        if snagged := self.snags.meet(name, form, origin):
            return snagged
        if self.style["strict"] == "yes" and "_form" in form and "_agree" not in form:
            self.errors = {} if self.snags.is_silent else {"_agree": self.draw.word("agree_first")}
            self.draft, self.snags.unticked = dict(form), self.snags.is_silent
            return origin
        hindered = self.hurdles.meet(name, form, origin)
        return hindered or self.carry_out(name, form, origin)

    def carry_out(self, name: str, form: Form, origin: str) -> str:
        """Change the data. The path of the page to show then."""
        shown = self._acts[name](form)
        return origin if shown is None else shown

    def answer_person(self, question: str) -> str:
        """What the person says to a question."""
        return self.person

    def check(self, end: TaskEnd) -> str:
        """What is wrong at the end; empty where the task was done, and nothing else."""
        if end.ending != self.ending:
            return f"it ended with {end.ending}, not {self.ending}: {end.text[:200]}"
        if self.snags.misled:
            return f"{self.snags.misled} was pressed"
        if self.person and not end.asked:
            return "nothing was asked"
        wanted = _take_any(self.wanted, self.data, self.open_value) if self.open_value else self.wanted
        if self.data != wanted:
            return f"the data differ: {_first_difference(wanted, self.data)}"
        said = _plain(end.text)
        if self.proof and _plain(self.proof) not in said:
            return f"the answer does not show {self.proof}: {end.text[:200]}"
        missing = [part for part in self.answers if _plain(part) not in said]
        return f"the answer lacks {missing}: {end.text[:200]}" if missing else ""


def draw_facts(draw: Draw) -> dict[str, str]:
    """What a site tells about who runs it, by keys of the vocabulary."""
    return {
        "phone": f"0{draw.digits(3)} {draw.digits(6)}",
        "address": f"{draw.pick(draw.all('streets'))} {draw.number(2, 98)}",
        "hours": f"{draw.number(7, 10)}:00–{draw.number(15, 19)}:{draw.pick(('00', '30'))}",
        "founded": str(draw.number(1921, 2019)),
    }


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _take_any(wanted: Any, found: Any, open_value: str) -> Any:
    """The wanted data with what was found where any text will do."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        return {key: _take_any(each, found.get(key), open_value) for key, each in wanted.items()}
    if isinstance(wanted, list) and isinstance(found, list) and len(wanted) == len(found):
        return [_take_any(one, other, open_value) for one, other in zip(wanted, found, strict=True)]
    return found if wanted == open_value and isinstance(found, str) and found.strip() else wanted


def _first_difference(wanted: Any, found: Any) -> str:
    if isinstance(wanted, dict) and isinstance(found, dict):
        for key in [*wanted, *(each for each in found if each not in wanted)]:
            if wanted.get(key) != found.get(key):
                return f"{key}: {_first_difference(wanted.get(key), found.get(key))}"
    return f"wanted {str(wanted)[:160]}, found {str(found)[:160]}"

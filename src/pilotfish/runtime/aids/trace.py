"""How far a goal has come, by its own words: what of it the actions so far have touched, and what is left."""

import re
from typing import NamedTuple

from pilotfish.browser.dates import standard
from pilotfish.core.messages import Call
from pilotfish.runtime.aids.focus import (
    BUYING,
    ICONS,
    SENDING,
    alike,
    named,
    names,
    sends,
    share,
    spoken,
    values,
    words,
)
from pilotfish.runtime.aids.things import FIELDS, Thing, things
from pilotfish.runtime.seeing import Page

DAY = re.compile(
    r"\d{4}-\d{2}-\d{2}|\d{1,2}[./-]\d{1,2}[./-]\d{4}|\d{1,2}\w{0,2} [A-Z]\w+ \d{4}|[A-Z]\w+ \d{1,2},? \d{4}"
)
SPARE = 0.34
"""How much of a goal's words may be left over when it is taken as reached."""
ABOVE = 4
"""How many lines above an element say what it is about."""
ECHO = 0.7
"""A line that shares so much with the goal only repeats it."""


class Touch(NamedTuple):
    """One action that succeeded: its words, the row where it took place, what stands around that, what it brought."""

    act: str
    row: str
    near: str
    news: str


class Trace:
    """What was touched on the way to a goal."""

    def __init__(self, goal: str) -> None:
        self.goal = goal
        self.acts: set[str] = set()
        self.filled = False
        self.typed = ""
        self.written: set[str] = set()
        self._last: Page | None = None
        self._touched: list[Touch] = []

    @property
    def before(self) -> set[int]:
        """The ids that the page had when something was last done there."""
        return {thing.id for thing in things(self._last.text)} if self._last else set()

    @property
    def labels(self) -> set[str]:
        """What was clicked or pointed at."""
        return {act.removeprefix("click ").removeprefix("hover ") for act in self.acts}

    @property
    def clicked(self) -> list[str]:
        """The names of what was clicked, in order."""
        acts = (touch.act for touch in self._touched if touch.act.startswith("click "))
        return [act.removeprefix("click ").rpartition(" [")[0] for act in acts]

    def note(self, page: Page, call: Call, act: str) -> None:
        """Take note of an action, whatever comes of it, and of what was here before."""
        self.acts.add(act)
        self.filled |= call.tool in ("type", "select")
        self.typed = str(call.args["text"]) if call.tool == "type" else ""
        self.written |= {self.typed}
        self._last = page

    def touch(self, page: Page, call: Call, act: str, news: str) -> None:
        """Take note of an action that succeeded, where it took place and what it brought."""
        id = call.args.get("id", call.args.get("from_id"))
        around = self._around(page, f"[{id}]") if id is not None else [""]
        meant = [ICONS.get(thing.name.casefold(), "") for thing in things(around[-1]) if thing.id == id]
        self._touched.append(Touch(act, around[-1], "\n".join([*meant, *around]), news))

    @property
    def left(self) -> list[str]:
        """What the goal speaks of that nothing done so far has touched: the values that it quotes, then words."""
        said = [word for touch in self._touched for word in words(f"{touch.act} {touch.near} {touch.news}")]
        return self.values + [
            word for word in dict.fromkeys(words(self.goal)) if not any(alike(word, one) for one in said)
        ]

    def reached(self, page: Page, but: Thing | None = None) -> bool:
        """Whether the goal may be taken as reached, or would be by one more click: every value was used and everything
        sent that was to be, nothing came up here that it names, and only a few words are left over that the page has
        nothing for."""
        last = words(but.name) if but else []
        rest = [word for word in self.left if word not in last]
        if self.unmet or self.fresh(page) or any(word in SENDING for word in rest):
            return False
        here = [word for thing in named(self.goal, page.text) if thing != but for word in words(thing.name)]
        few = len(rest) <= max(1, SPARE * len(set(words(self.goal))))
        return few and not any(alike(word, one) for word in rest for one in here)

    def fresh(self, page: Page) -> list[Thing]:
        """What the last action brought up on the page where it was done, and the goal speaks of: the next to click."""
        if self._last is None or page.url != self._last.url:
            return []
        old = {*(thing.name for thing in things(self._last.text)), *self.clicked, *self.written}
        new = [thing for thing in things(page.text) if thing.name not in old and spoken(self.goal, thing.name)]
        return [thing for thing in new if not (thing.role in FIELDS or thing.idle or sends(thing.name))]

    @property
    def unmet(self) -> list[str]:
        """What a goal gives word by word and nothing done so far has to do with: quoted values, proper names, days, and
        what is to be bought."""
        met = [word for touch in self._touched for word in words(f"{touch.act} {touch.near}")]
        strange = [name for name in names(self.goal) if name.casefold() not in met]
        bought = [
            word for word in words(self.goal) if word in BUYING and not any(word in words(act) for act in self.acts)
        ]
        return [*self.values, *strange, *self.days, *bought]

    @property
    def days(self) -> list[str]:
        """The days of the goal that nothing has used yet."""
        return [day for day in DAY.findall(self.goal) if not self._dated(day)]

    @property
    def values(self) -> list[str]:
        """What the goal quotes and nothing has used yet."""
        return [value for value in values(self.goal) if not self._used(value.strip(" ."))]

    def _dated(self, day: str) -> bool:
        """Whether a day was typed, or clicked in a calendar."""
        plain = standard("date", day)
        clicked = f"click {int(plain[-2:])} [" if plain[-2:].isdecimal() else day
        return any(one in touch.act for touch in self._touched for one in (day, plain, clicked))

    def _used(self, value: str) -> bool:
        whole = re.compile(rf"(?<!\w){re.escape(value)}(?!\w)", re.IGNORECASE)
        return any(whole.search(f"{touch.act}\n{touch.row}") for touch in self._touched)

    def _around(self, page: Page, mark: str) -> list[str]:
        """The page's title and headings, the row of the element and the words above it; a page that repeats the goal
        tells nothing by that."""
        lines = page.text.splitlines()[2:]
        at = next((n for n, line in enumerate(lines) if mark in line), 0)
        above = [line for line in lines[max(0, at - ABOVE) : at] if "[" not in line]
        heads = [line for line in lines if line.lstrip().startswith("#")]
        told = [line for line in (*heads, *above) if share(words(line), words(self.goal)) < ECHO]
        return [page.title, *told, *lines[at : at + 1]]

"""How far a goal has come, by its own words: what of it the actions so far have touched, and what is left."""

from pilotfish.core.messages import Call
from pilotfish.runtime.focus import QUOTED, alike, named, share, words
from pilotfish.runtime.moves import things
from pilotfish.runtime.seeing import Page

SPARE = 0.5
"""How much of a goal's words may be left over when it is taken as reached."""
ABOVE = 4
"""How many lines above an element say what it is about."""
ECHO = 0.7
"""A line that shares so much with the goal only repeats it."""


class Trace:
    """What was touched on the way to a goal."""

    def __init__(self, goal: str) -> None:
        self.goal = goal
        self._done = ""
        self._names: set[str] = set()

    def touch(self, page: Page, call: Call, act: str, news: str) -> None:
        """Take note of an action that succeeded, where it took place and what it brought."""
        id = call.args.get("id", call.args.get("from_id"))
        self._names |= {thing.name for thing in things(page.text) if thing.id == id}
        self._done = "\n".join([self._done, act, news, *self._around(page, f"[{id}]")])

    @property
    def left(self) -> list[str]:
        """What the goal speaks of that nothing done so far has touched: the values that it quotes, then words."""
        said = words(self._done)
        return self._values() + [
            word for word in dict.fromkeys(words(self.goal)) if not any(alike(word, one) for one in said)
        ]

    def reached(self, page: Page) -> bool:
        """Whether the goal may be taken as reached: no value of it is left, and all that it names here was touched, or
        only words are left over that the page has nothing for."""
        if self._values():
            return False
        rest, hits = self.left, {thing.name for thing in named(self.goal, page.text)}
        if hits and hits <= self._names:
            return True
        here = [word for name in hits for word in words(name)]
        few = len(rest) <= max(1, SPARE * len(set(words(self.goal))))
        return few and not any(alike(word, one) for word in rest for one in here)

    def _values(self) -> list[str]:
        spoken = self._done.casefold()
        return [value for value in QUOTED.findall(self.goal) if value.strip(" .").casefold() not in spoken]

    def _around(self, page: Page, mark: str) -> list[str]:
        """The page's title and headings, the row of the element and the words above it; a page that repeats the goal
        tells nothing by that."""
        lines = page.text.splitlines()[2:]
        at = next((n for n, line in enumerate(lines) if mark in line), 0)
        above = [line for line in lines[max(0, at - ABOVE) : at] if "[" not in line]
        heads = [line for line in lines if line.lstrip().startswith("#")]
        told = [line for line in (*heads, *above) if share(words(line), words(self.goal)) < ECHO]
        return [page.title, *told, *lines[at : at + 1]]

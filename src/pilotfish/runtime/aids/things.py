"""The elements of a page as a small model's aids read them: from the lines that the model reads itself."""

import re
from dataclasses import dataclass

LINE = re.compile(r'\[(\d+)\] (\w+)(?: "(.*?)"(?= = | placeholder | options: | \(| \| |:?$| — ))?(.*?)(?= \| |$)', re.M)
FIELDS = frozenset({"textbox", "searchbox", "combobox", "spinbutton", "slider"})
ANYTHING = frozenset({"shapes", "items", "things", "objects", "elements", "figures"})
"""What people call things of every kind."""
SET = frozenset({"slider", "spinbutton"})
"""What is given a number, and never clicked."""
SCREEN = re.compile(r"^\(screen (\d+) of (\d+)\)$", re.M)
VALUE = re.compile(r'(?: \(\d+[a-z]{2}\))? = "(.*?)"')
EARLIER, LATER = ("prev", "earlier", "‹", "«", "<"), ("next", "later", "›", "»", ">")
ENDS = frozenset({"first", "last"})
ROLLED = re.compile(r" \(scrolls, at (\d+) %\)")


@dataclass(frozen=True)
class Thing:
    """An element that can be acted on, as its line on the page tells it."""

    id: int
    role: str
    name: str
    states: frozenset[str] = frozenset()
    options: tuple[str, ...] = ()
    value: str = ""
    rolled: int = -1
    """How far down it is, in percent; below zero where it does not scroll."""

    @property
    def kind(self) -> str:
        """The name without what counts: the button of every answer is “Helpful”, however many found it so."""
        return re.sub(r"\(?\d+\)?", "", self.name).strip()

    @property
    def idle(self) -> bool:
        """Whether a click would do nothing, or lead to where we are; the current day of a calendar is a day too."""
        here = self.role == "link" and "current" in self.states and not self.name.isdecimal()
        return "disabled" in self.states or ("selected" in self.states and self.role == "tab") or here

    @property
    def turns(self) -> bool:
        """Whether it leads to another page of the same list."""
        name = self.name.casefold()
        return self.role == "link" and (name.isdecimal() or name in ENDS or name.startswith((*EARLIER, *LATER)))

    @property
    def empty(self) -> bool:
        """Whether something could be typed into it, and nothing was."""
        open = self.role in FIELDS - SET and not self.options and not self.states & {"readonly", "disabled"}
        return open and not self.value

    @property
    def label(self) -> str:
        return f"{self.short} [{self.id}]"

    @property
    def short(self) -> str:
        return self.name[:30].strip() or self.role


def things(page: str) -> list[Thing]:
    """The elements of a page, from its text."""
    found: list[Thing] = []
    for id, role, name, rest in LINE.findall(page):
        listed = re.search(r" options: (.*?)(?: \(|$)", rest)
        whole = listed and "more" not in listed[1]
        noted = re.search(r"\(([\w, ]+)\)$", rest.partition(" — ")[0])
        states = frozenset(noted[1].split(", ") if noted else ())
        value, rolled = VALUE.match(rest), ROLLED.search(rest)
        found.append(
            Thing(
                int(id),
                role,
                name,
                states,
                options=tuple(listed[1].split(", ")) if listed and whole else (),
                value=value[1] if value else "",
                rolled=int(rolled[1]) if rolled else -1,
            )
        )
    return found


def lists(page: str) -> list[Thing]:
    """The boxes that scroll; a field with many lines is none."""
    return [thing for thing in things(page) if thing.rolled >= 0 and thing.role not in FIELDS]


def on(page: str, *, back: bool = False) -> bool:
    """Whether the page goes on below the screen, or above it."""
    screen = SCREEN.search(page)
    at, of = (int(screen[1]), int(screen[2])) if screen else (1, 1)
    return at > 1 if back else at < of

"""An element of a snapshot, and the outline of the page around the visible part."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

ElementKind = Literal["control", "box", "item", "heading", "image", "text"]
ElementBox = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class ElementView:
    """One thing on the page. `id` is 0 where there is nothing to act on. `parent` is a position in the view."""

    kind: ElementKind
    id: int
    role: str
    name: str
    parent: int = -1
    box: ElementBox = (0, 0, 0, 0)
    new: bool = False
    facts: Mapping[str, Any] = field(default_factory=dict[str, Any], repr=False)

    @property
    def description(self) -> str:
        return self.facts.get("ds", "")

    @property
    def value(self) -> str:
        return self.facts.get("v", "")

    @property
    def states(self) -> tuple[str, ...]:
        """Of: checked unchecked mixed on off expanded collapsed selected pressed current disabled required invalid
        readonly menu ascending descending focused. `on` and `off` are those of a switch."""
        return tuple(self.facts.get("s", "").split())

    @property
    def shown_first(self) -> str:
        """The searched words, if they are what a person reads first in this element. Only a search tells it."""
        return self.facts.get("y", "")

    @property
    def placeholder(self) -> str:
        return self.facts.get("p", "")

    @property
    def options(self) -> tuple[str, ...]:
        """The first options of a select; `option_count` says how many there are."""
        return tuple(self.facts.get("o", ()))

    @property
    def option_count(self) -> int:
        return self.facts.get("on", 0)

    @property
    def format(self) -> str:
        """How a date, time, colour, number or file field wants its value."""
        return self.facts.get("f", "")

    @property
    def level(self) -> int:
        return self.facts.get("l", 0)

    @property
    def tag(self) -> str:
        return self.facts.get("g", "")

    @property
    def type(self) -> str:
        """The type of an input, "" for others."""
        return self.facts.get("y", "")

    @property
    def href(self) -> str:
        return self.facts.get("u", "")

    @property
    def has_row_name(self) -> bool:
        """Whether it has no name of its own and is called by the row that it stands in."""
        return bool(self.facts.get("bn"))

    @property
    def layer(self) -> str:
        """Of a box that lies in front of the page: "over" a part of it, or "covers" the rest; "" for others."""
        return ("", "over", "covers")[self.facts.get("z", 0)]

    @property
    def scroll(self) -> tuple[int, int, int] | None:
        """Of a box that scrolls: how far, its height, and the height of what is in it."""
        found = self.facts.get("sc")
        return (found[0], found[1], found[2]) if found else None

    @property
    def beyond(self) -> tuple[int, int]:
        """Of a box that scrolls: how many of its rows, or of its controls, are above and below what it shows."""
        return self.facts.get("ab", 0), self.facts.get("be", 0)

    @property
    def beside(self) -> tuple[int, int]:
        """Of a box that scrolls sideways: how many of its parts are left and right of what it shows."""
        return self.facts.get("lf", 0), self.facts.get("ri", 0)

    @property
    def has_rows(self) -> bool:
        return bool(self.facts.get("ro"))

    @property
    def turns_page(self) -> bool:
        """Whether it leads to another page of a list."""
        return bool(self.facts.get("pg"))


@dataclass(frozen=True, slots=True)
class PageOutline:
    """Position on the page, and how much lies outside the visible part."""

    screen: int = 1
    screens: int = 1
    above: int = 0
    below: int = 0
    covered: str = ""
    headings: tuple[str, ...] = ()
    note: str = ""
    scroll: tuple[int, int, int] = (0, 0, 0)
    """How far the page is scrolled, the height of the screen, and that of the page."""

    @property
    def fold(self) -> int:
        """How high the screen is."""
        return self.scroll[1]

    @property
    def position(self) -> str:
        return f"screen {self.screen} of {self.screens}"

"""Reads a request of the short form: the page as it is shown there, its elements, rows and labels."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pilotfish.core.messages import ModelRequest
from pilotfish.small_model.short_reply import ShownElement, list_shown

PAGE, FOUND = "\nPage:\n", "\nFound:\n"
MARK = re.compile(r"\n</data-[0-9a-f]{8}>")
MORE = re.compile(r"^\s*… \d+ more", re.MULTILINE)
SIGNS = re.compile(r"[*#]+(?=\[|\s)|^\s*-\s|^\s+")
SCREEN = re.compile(r"^\(screen (\d{1,4}) of (\d{1,4})", re.MULTILINE)
NEAR = 3
"""How many lines after its label a field without a name may stand."""


class PlacedElement(NamedTuple):
    """An element, its name, and the number of its line."""

    shown: ShownElement
    name: str
    line: int

    @property
    def id(self) -> int:
        return self.shown.id


class ShownPage:
    """The page of a request. What a search found counts as shown; it stands before the page."""

    def __init__(self, request: ModelRequest) -> None:
        self.whole = request.messages[-1].text
        data = MARK.split(self.whole)[0]
        before, mark, page = data.rpartition(PAGE)
        if not mark:
            raise ValueError("The request does not have the short form.")
        self.page = page
        self.history = before.partition("Done:\n")[2].partition("\nNotes:\n")[0].partition(FOUND)[0].splitlines()
        self.lines = [*before.partition(FOUND)[2].splitlines()[1:], *page.splitlines()]
        self.elements = list(self._elements())

    def _elements(self) -> Iterator[PlacedElement]:
        known: set[int] = set()
        for at, line in enumerate(self.lines):
            for shown in list_shown(line):
                if shown.id not in known:
                    known.add(shown.id)
                    yield PlacedElement(shown, shown.name, at)

    @property
    def acted(self) -> int:
        """How many actions were carried out so far without failing at the last one."""
        numbers = [line.partition(".")[0] for line in self.history if line[:1].isdecimal()]
        failed = any("→ FAILED" in line for line in self.history[-2:])
        return (int(numbers[-1]) if numbers else 0) - failed

    @property
    def interrupted(self) -> bool:
        """Whether the last acts were not all carried out."""
        return bool(self.history) and self.history[-1].startswith("! ")

    @property
    def has_less(self) -> bool:
        """Whether the page begins above the screen."""
        place = SCREEN.search(self.page)
        return any(line.startswith("above: ") for line in self.lines) or bool(place and place[1] != "1")

    @property
    def place(self) -> str:
        """The page and the part of it that is on the screen."""
        return "\n".join(self.page.splitlines()[:2])

    @property
    def address(self) -> str:
        """The address of the page, without its query."""
        return self.page.partition("\n")[0].rpartition(" — ")[2].partition("?")[0]

    @property
    def has_more(self) -> bool:
        """Whether the page goes on below the screen."""
        below = any(line.startswith("below: ") and not line.startswith("below: 0") for line in self.lines)
        place = SCREEN.search(self.page)
        return below or bool(place and place[1] != place[2])

    @property
    def is_cut(self) -> bool:
        """Whether lines of the page were left out of the request."""
        return bool(MORE.search(self.page))

    @property
    def has_search(self) -> bool:
        return any(each.shown.role == "searchbox" for each in self.elements)

    def find_first(self) -> PlacedElement | None:
        """The first search of the page."""
        return next((each for each in self.elements if each.shown.role == "searchbox"), None)

    def has_line(self, words: str) -> bool:
        """Whether the page, not what was done before, has these words."""
        return plain(words) in plain(self.page)

    def shows(self, words: str) -> bool:
        """Whether the request has these words, in the page, the notes, the history or what was found."""
        return plain(words) in plain(self.whole)

    def find(self, names: Sequence[str], verb: str, row: str = "", loose: bool = True) -> PlacedElement | None:
        """The element that takes the verb and has one of the names, in the row if one is given. `loose`: it may say
        more than the name."""
        able = [each for each in self.elements if verb in each.shown.takes]
        for fits in (fits_wholly, fits_cut, *((fits_beginning, fits_partly) if loose else ())):
            found = [each for each in able if any(fits(each.name, name) for name in names)]
            if found and (one := self._in_row(found, row) if row else found[0]):
                return one
        return None if row else self._beside(names, able)

    def find_front(self, names: Sequence[str]) -> PlacedElement | None:
        """The element of one of the names in what lies in front, such as an open menu."""
        inside, depth = set[int](), -1
        for at, line in enumerate(self.lines):
            indent = len(line) - len(line.lstrip(" "))
            depth = indent if "(in front" in line else depth if depth >= 0 and indent > depth else -1
            inside |= {at} if depth >= 0 else set()
        fitting = [each for each in self.elements if any(fits_wholly(each.name, name) for name in names)]
        return next((each for each in fitting if each.line in inside and "click" in each.shown.takes), None)

    def _in_row(self, found: Sequence[PlacedElement], row: str) -> PlacedElement | None:
        """The element in the line of the row, else the first one after it that belongs to no other row."""
        for at in self.find_rows(row):
            same = [each for each in found if each.line == at]
            if same:
                return same[0]
            after = [each for each in found if at < each.line <= at + 2 * NEAR]
            if after and not any(at < each.line < after[0].line for each in found):
                return after[0]
        return None

    def find_rows(self, row: str) -> list[int]:
        """The lines that have a cell with just these words; else those that have the words."""
        whole = [at for at, line in enumerate(self.lines) if any(plain(cell) == plain(row) for cell in cells(line))]
        return whole or [at for at, line in enumerate(self.lines) if plain(row) in plain(line)]

    def _beside(self, names: Sequence[str], able: Sequence[PlacedElement]) -> PlacedElement | None:
        """An element without a name of its own, in the line of its label or soon after it."""
        for name in names:
            for at in self.find_rows(name):
                near = [each for each in able if not each.name and at <= each.line <= at + NEAR]
                if near:
                    return near[0]
        return None


def cells(line: str) -> Iterator[str]:
    """The texts of a line: names of elements and what stands between them."""
    for part in line.split(" | "):
        if (shown := list_shown(part)) and shown[0].name:
            yield shown[0].name
        else:
            text = SIGNS.sub("", part).strip()
            yield text
            yield from (each.strip() for each in text.split(" · "))


def plain(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" :")


def fits_wholly(name: str, wanted: str) -> bool:
    """Whether it is the name; a sign alone is shown with what is near it in brackets."""
    return plain(name) == plain(wanted) or (len(wanted) < 3 and name.partition(" (")[0] == wanted)


def fits_beginning(name: str, wanted: str) -> bool:
    return plain(name).startswith(plain(wanted))


def fits_cut(name: str, wanted: str) -> bool:
    return len(name) > 8 and name.endswith("…") and plain(wanted).startswith(plain(name[:-1]))


def fits_partly(name: str, wanted: str) -> bool:
    return len(wanted) > 1 and plain(wanted) in plain(name)

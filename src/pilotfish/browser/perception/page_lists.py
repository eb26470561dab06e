"""Reads a list, table or set of cards of a page as rows with the numbers of their elements."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from pilotfish.core.errors import ToolError

if TYPE_CHECKING:
    from pilotfish.browser.perception.observer import PageObserver

ListKind = Literal["table", "list", "terms", "cards"]
ScrollWay = Literal["last", "end", "to"]
KIND_NAMES: Mapping[str, str] = {"table": "table", "list": "list", "terms": "list of terms", "cards": "set of cards"}


@dataclass(frozen=True, slots=True)
class ListCell:
    """One part of a row. `path` leads to it by names, `place` by order; `name` is what the page's code calls it."""

    path: str
    place: str
    text: str
    name: str = ""
    id: int = 0
    role: str = ""
    states: tuple[str, ...] = ()
    href: str = ""


@dataclass(frozen=True, slots=True)
class ListRow:
    """One row: its parts, what it is known by, and where it was read."""

    cells: tuple[ListCell, ...]
    key: tuple[str, ...]
    offset: int = 0
    page: int = 1
    id: int = 0
    group: str = ""

    @property
    def text(self) -> str:
        return " ".join(cell.text for cell in self.cells if cell.text)

    @property
    def ids(self) -> tuple[int, ...]:
        """The numbers of the row's elements: its controls, or the row itself where it has none."""
        return tuple(cell.id for cell in self.cells if cell.id) or ((self.id,) if self.id else ())

    def without_ids(self) -> "ListRow":
        return replace(self, id=0, cells=tuple(replace(cell, id=0) for cell in self.cells))


@dataclass(frozen=True, slots=True)
class PagingControl:
    """What leads to other rows of a list."""

    id: int
    name: str
    way: Literal["next", "more", "number", "previous"]
    number: int = 0


@dataclass(frozen=True, slots=True)
class ListPaging:
    """The page that a list shows, the last one that is named, what leads on, and what leads to other pages."""

    here: int = 0
    last: int = 0
    onward: PagingControl | None = None
    ways: tuple[PagingControl, ...] = ()


@dataclass(frozen=True, slots=True)
class ScrollState:
    """How far the box of a list is scrolled, how high it is, and how high what is in it; and how far the page is."""

    top: int
    height: int
    total: int
    page: bool
    y: int

    @property
    def at_end(self) -> bool:
        return self.top + self.height >= self.total - 4


@dataclass(frozen=True)
class PageList:
    """A list as one reading found it. `document` and `mark` find it again."""

    title: str
    kind: ListKind
    heads: tuple[str, ...]
    rows: tuple[ListRow, ...]
    document: str
    mark: Mapping[str, Any]
    scroll: ScrollState
    paging: ListPaging = field(default_factory=ListPaging)


@dataclass(frozen=True, slots=True)
class ListChoice:
    """Which list is meant: one that was read or found before, the one around or in an element, the one that words
    name, or the weightiest of the page."""

    id: int | None = None
    words: str = ""
    mark: Mapping[str, Any] | None = None


async def read_list(observer: "PageObserver", choice: ListChoice) -> PageList:
    """The list that is meant, with all rows that are in the document now."""
    if choice.id is not None:
        known = observer.counter.known(choice.id)
        try:
            answer = await observer.world.ask(known.key, "collect", {"handle": known.handle})
        except LookupError:
            raise ToolError(
                f'[{choice.id}] {known.role} "{known.name}" is no longer on the page; look again.'
            ) from None
        if "none" in answer:
            raise ToolError(f"[{choice.id}] is in no list, table or set of cards.", describe_lists(answer["none"]))
        return _page_list(observer, known.key, answer)
    query = {"mark": dict(choice.mark)} if choice.mark else {"words": choice.words}
    answers = await observer.world.call("collect", query)
    found = [answer for answer in answers if "none" not in answer.data]
    if not found:
        what = f"No list of this page is about {choice.words!r}." if choice.words else "Nothing on this page repeats."
        raise ToolError(what, describe_lists([each for answer in answers for each in answer.data["none"]]))
    best = max(found, key=lambda answer: (answer.data["fit"], answer.data["score"]))
    return _page_list(observer, best.key, best.data)


async def read_list_again(observer: "PageObserver", known: PageList) -> PageList | None:
    """The same list as it is now, also on another page of it; None where there is none like it."""
    query = {"mark": dict(known.mark)}
    try:
        answer = await observer.world.ask(known.document, "collect", query)
        return None if "none" in answer else _page_list(observer, known.document, answer)
    except LookupError:
        answers = [each for each in await observer.world.call("collect", query) if "none" not in each.data]
    best = max(answers, key=lambda answer: (answer.data["fit"], answer.data["score"]), default=None)
    return _page_list(observer, best.key, best.data) if best else None


async def move_scroll(
    observer: "PageObserver", known: PageList, way: ScrollWay, top: int = 0, y: int = -1
) -> ScrollState | None:
    """Scroll the box of a list: its last row into sight, to the end, or to a place. None where it is gone."""
    try:
        answer = await observer.world.ask(known.document, "scrollBox", way, top, y)
    except LookupError:
        return None
    return ScrollState(**answer) if answer else None


def describe_lists(found: Sequence[Sequence[Any]]) -> str:
    """The lists of a page, for the error about a list that is not there."""
    lists = [f"{KIND_NAMES[kind]} “{title}” ({count} rows)" for title, kind, count in found if title]
    return f"There are: {'; '.join(lists[:6])}." if lists else ""


def _page_list(observer: "PageObserver", document: str, answer: Mapping[str, Any]) -> PageList:
    def number(handle: int | None, role: str, name: str) -> int:
        return observer.counter.id(document, handle, role, name) if handle else 0

    rows = tuple(row_of(row, answer["kind"], number) for row in answer["rows"])
    return PageList(
        answer["name"],
        answer["kind"],
        tuple(answer["heads"]),
        rows,
        document,
        answer["mark"],
        ScrollState(**answer["scroll"]),
        _paging(observer, document, answer["paging"]),
    )


def _unnumbered(handle: int | None, role: str, name: str) -> int:
    return 0


def row_of(
    answer: Mapping[str, Any], kind: str, number: Callable[[int | None, str, str], int] = _unnumbered
) -> ListRow:
    """A row as the page's script told it; `number` gives its elements their numbers."""
    cells = tuple(
        ListCell(
            cell["p"],
            cell["q"],
            " ".join(cell["t"].split()),
            cell.get("n", ""),
            number(cell.get("h"), cell.get("r") or "", cell.get("l") or ""),
            cell.get("r") or "",
            tuple((cell.get("s") or "").split()),
            cell.get("u") or "",
        )
        for cell in answer["c"]
    )
    handle, role = answer.get("h") or (None, "")
    row = ListRow(cells, (), answer["y"], 1, number(handle, role, answer["t"][:120]), answer.get("g", ""))
    return replace(row, key=_key(row, kind, answer))


def _key(row: ListRow, kind: str, answer: Mapping[str, Any]) -> tuple[str, ...]:
    """What a row is known by: its index, its id or address with what it says, else where it stands and what it says."""
    if answer.get("x") is not None:
        return "index", str(answer["x"])
    named = (str(answer.get("i") or ""), (answer.get("u") or "") if kind != "table" else "")
    return ("named", *named, row.text) if any(named) else ("placed", str(row.offset), row.text)


def _paging(observer: "PageObserver", document: str, answer: Mapping[str, Any]) -> ListPaging:
    def control(each: Mapping[str, Any]) -> PagingControl:
        id = observer.counter.id(document, each["h"], each["r"], each["n"])
        return PagingControl(id, each["n"], each["way"], each["number"])

    onward = [control(each) for each in answer["on"]]
    return ListPaging(
        answer["here"], answer["last"], onward[0] if onward else None, tuple(map(control, answer["ways"]))
    )


def renumber_rows(rows: Iterable[ListRow], present: Iterable[ListRow], page: int) -> Iterable[ListRow]:
    """Rows with the numbers that they have on the page as it is now; those that are elsewhere have none."""
    now = {row.key: row for row in present}
    for row in rows:
        here = now.pop(row.key, None) if row.page == page else None
        yield replace(row, cells=here.cells, id=here.id) if here else row.without_ids()

"""The lists of a page in brief, and rows as values that can be stored."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pilotfish.browser.perception.page_lists import ListCell, ListKind, ListRow, row_of

if TYPE_CHECKING:
    from pilotfish.browser.perception.observer import PageObserver


@dataclass(frozen=True, slots=True)
class ListSummary:
    """A list of a page in brief: what it is called, how long it is, its heads and first rows.

    `rows` are as `pack_row` stores them; `mark` finds the list again.
    """

    title: str
    kind: ListKind
    count: int
    heads: tuple[str, ...]
    first: tuple[str, ...]
    rows: tuple[Mapping[str, Any], ...]
    score: float
    mark: Mapping[str, Any]


async def survey_lists(observer: "PageObserver") -> list[ListSummary]:
    """The lists that somebody may mean, the weightiest first."""
    answers = await observer.world.call("lists")
    found = [
        ListSummary(
            each["name"],
            each["kind"],
            each["count"],
            tuple(each["heads"]),
            tuple(each["first"]),
            tuple(pack_row(row_of(row, each["kind"])) for row in each["rows"]),
            each["score"],
            each["mark"],
        )
        for answer in answers
        for each in answer.data["lists"]
    ]
    return sorted(found, key=lambda each: -each.score)


def pack_row(row: ListRow) -> dict[str, Any]:
    """A row as values that can be stored. The numbers of its elements are left out."""
    cells = [
        [cell.path, cell.place, cell.text, cell.name, cell.role, list(cell.states), cell.href] for cell in row.cells
    ]
    return {"cells": cells, "key": list(row.key), "scroll": row.offset, "group": row.group}


def unpack_row(data: Mapping[str, Any]) -> ListRow:
    """The row that `pack_row` stored."""
    cells = tuple(
        ListCell(path, place, text, name, 0, role, tuple(states), href)
        for path, place, text, name, role, states, href in data["cells"]
    )
    return ListRow(cells, tuple(data["key"]), data["scroll"], group=data["group"])

"""Aligns the parts of rows into columns with names, by where each part stands in its row."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from pilotfish.browser.perception.page_lists import ListCell, ListRow

FILLED = 0.8
FEW = 3
LABEL = 40
STRUCK = ("s", "del", "strike")


@dataclass(frozen=True)
class ColumnSpot:
    """Where the parts of a column stand in a row: at a path, at a place, or in the heading over its group."""

    by: Literal["path", "place", "group"]
    steps: tuple[str, ...] = ()

    def part_of(self, row: ListRow) -> ListCell | None:
        """The part of a row that stands here."""
        if self.by == "group":
            return ListCell("", "", row.group) if row.group else None
        return next((cell for cell in row.cells if getattr(cell, self.by) in self.steps), None)


@dataclass(frozen=True)
class ListColumn:
    """One column: what it is called, for each row its part or None, and where its parts stand in a row."""

    name: str
    cells: tuple[ListCell | None, ...]
    spot: ColumnSpot

    @cached_property
    def given(self) -> tuple[ListCell, ...]:
        return tuple(cell for cell in self.cells if cell is not None)

    @property
    def coded(self) -> str:
        """What the page's code calls most of its parts."""
        named = Counter(cell.name for cell in self.given if cell.name).most_common(1)
        return named[0][0] if named else ""

    @property
    def acts(self) -> bool:
        """Whether its parts are controls."""
        return any(cell.id or cell.role for cell in self.given)

    @property
    def constant(self) -> str:
        """What every row says here, where all say the same."""
        texts = {cell.text for cell in self.given}
        full = len(self.given) >= max(FEW, FILLED * len(self.cells))
        return next(iter(texts)) if full and len(texts) == 1 else ""


@dataclass(frozen=True)
class ListTable:
    """Rows in columns. `same` is what every row says and no column repeats."""

    columns: tuple[ListColumn, ...]
    same: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)


def align_rows(rows: Sequence[ListRow], heads: Sequence[str] = ()) -> ListTable:
    """The columns of these rows, in the order in which the rows have them."""
    by_name = _collect_columns(rows, [[cell.path for cell in row.cells] for row in rows])
    columns = [ListColumn(_head_of(path, heads), cells, ColumnSpot("path", (path,))) for path, cells in by_name.items()]
    if not heads and len(rows) >= FEW:
        by_place = _collect_columns(rows, [[cell.place for cell in row.cells] for row in rows])
        if len(by_place) < 0.6 * len(by_name):
            columns = [ListColumn("", cells, ColumnSpot("place", (place,))) for place, cells in by_place.items()]
    if any(row.group for row in rows):
        groups = tuple(ListCell("", "", row.group) for row in rows)
        columns.insert(0, ListColumn("group", groups, ColumnSpot("group")))
    columns = _drop_repeats(_join_wrapped(columns))
    columns, same = _take_labels(columns)
    return ListTable(tuple(_give_names(columns)), tuple(same))


def _collect_columns(rows: Sequence[ListRow], paths: Sequence[Sequence[str]]) -> dict[str, tuple[ListCell | None, ...]]:
    order: list[str] = []
    for row in paths:
        at = 0
        for path in row:
            if path in order:
                at = max(at, order.index(path) + 1)
            else:
                order.insert(at, path)
                at += 1
    by_path = [dict(zip(path, row.cells, strict=True)) for path, row in zip(paths, rows, strict=True)]
    return {path: tuple(each.get(path) for each in by_path) for path in order}


def _head_of(path: str, heads: Sequence[str]) -> str:
    """The head over a part of a table: its own column's for the first part of a cell, "" for the others."""
    number = path.removeprefix("c")
    return heads[int(number)] if path.startswith("c") and number.isdecimal() and int(number) < len(heads) else ""


def _join_wrapped(columns: Sequence[ListColumn]) -> list[ListColumn]:
    """Join columns of which one is inside the other's place and no row has both: a price that is bold in some rows."""
    kept: list[ListColumn] = []
    for column in columns:
        at = next((at for at, other in enumerate(kept) if _is_wrapped(column, other)), None)
        if at is None:
            kept.append(column)
        else:
            other = kept[at]
            cells = tuple(a or b for a, b in zip(other.cells, column.cells, strict=True))
            spot = replace(other.spot, steps=(*other.spot.steps, *column.spot.steps))
            kept[at] = ListColumn(other.name or column.name, cells, spot)
    return kept


def _is_wrapped(one: ListColumn, other: ListColumn) -> bool:
    if one.spot.by == "group" or other.spot.by == "group":
        return False
    inner, outer = sorted((one.spot.steps[0], other.spot.steps[0]), key=len, reverse=True)
    if not outer or not inner.startswith(f"{outer}/") or inner.rpartition("/")[2].partition(".")[0] in STRUCK:
        return False
    return not any(a and b for a, b in zip(one.cells, other.cells, strict=True))


def _drop_repeats(columns: Sequence[ListColumn]) -> list[ListColumn]:
    """Without columns that say in nearly every row what another one says: a picture's name, a second link."""
    kept: list[ListColumn] = []
    for column in columns:
        twin = next((at for at, other in enumerate(kept) if _repeats(column, other)), None)
        if twin is None:
            kept.append(column)
        elif (column.acts, bool(column.coded)) > (kept[twin].acts, bool(kept[twin].coded)):
            kept[twin] = replace(column, name=column.name or kept[twin].name)
    return kept


def _repeats(one: ListColumn, other: ListColumn) -> bool:
    if one.constant or not one.given:
        return not one.given
    if (
        one.acts
        and other.acts
        and any(a and b and a.href != b.href for a, b in zip(one.cells, other.cells, strict=True))
    ):
        return False
    same = sum(
        a is not None and b is not None and a.text == b.text for a, b in zip(one.cells, other.cells, strict=True)
    )
    return same >= FILLED * len(one.given)


def _take_labels(columns: Sequence[ListColumn]) -> tuple[list[ListColumn], list[str]]:
    """Make names of parts that say the same in every row: of what follows them, or of the buttons that they are."""
    kept: list[ListColumn] = []
    same: list[str] = []
    label = ""
    for column in columns:
        said = column.constant
        if column.acts:
            kept.append(replace(column, name=column.name or said or label.strip(" :")))
            label = ""
        elif said and not column.name:
            same += [label] if label else []
            label = said if len(said) <= LABEL else ""
            same += [] if label else [said]
        else:
            kept.append(replace(column, name=column.name or label.strip(" :")))
            label = ""
    return (kept, [*same, *([label] if label else [])]) if kept else (list(columns), [])


def _give_names(columns: Iterable[ListColumn]) -> Iterable[ListColumn]:
    """Name each column: by its head, else by what the page's code or its role calls its parts; no name twice."""
    taken: Counter[str] = Counter()
    for column in columns:
        roles = Counter(cell.role for cell in column.given if cell.role).most_common(1)
        name = column.name or column.coded or (roles[0][0] if roles else "text")
        taken[name] += 1
        yield replace(column, name=name if taken[name] == 1 else f"{name} {taken[name]}")

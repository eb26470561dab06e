"""Aligns the parts of rows into columns with names, by where each part stands in its row."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from pilotfish.browser.perception.page_lists import ListCell, ListRow

FILLED = 0.8
FEW = 3
LABEL = 40


@dataclass(frozen=True)
class ListColumn:
    """One column: what it is called, and for each row its part or None."""

    name: str
    cells: tuple[ListCell | None, ...]

    @cached_property
    def given(self) -> tuple[ListCell, ...]:
        return tuple(cell for cell in self.cells if cell is not None)

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
    if not heads and len(rows) >= FEW:
        by_place = _collect_columns(rows, [[cell.place for cell in row.cells] for row in rows])
        by_name = by_place if len(by_place) < 0.6 * len(by_name) else by_name
    columns = [ListColumn(_head_of(path, heads), cells) for path, cells in by_name.items()]
    if any(row.group for row in rows):
        columns.insert(0, ListColumn("group", tuple(ListCell("", "", row.group) for row in rows)))
    columns = _drop_repeats(columns)
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


def _drop_repeats(columns: Sequence[ListColumn]) -> list[ListColumn]:
    """Without columns that say in nearly every row what another one says: a picture's name, a second link."""
    kept: list[ListColumn] = []
    for column in columns:
        twin = next((at for at, other in enumerate(kept) if _repeats(column, other)), None)
        if twin is None:
            kept.append(column)
        elif column.acts and not kept[twin].acts:
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
        coded = Counter(cell.name for cell in column.given if cell.name).most_common(1)
        roles = Counter(cell.role for cell in column.given if cell.role).most_common(1)
        name = column.name or (coded[0][0] if coded else roles[0][0] if roles else "text")
        taken[name] += 1
        yield replace(column, name=name if taken[name] == 1 else f"{name} {taken[name]}")

"""Aligns the parts of rows into columns with names, by where each part stands in its row."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from pilotfish.browser.perception.page_lists import ListCell, ListRow

FILLED_SHARE = 0.8
FEW_ROWS = 3
LABEL_LENGTH = 40
KEY_MARK = "="
HEAD_SEPARATOR = re.compile(r"[/,&+|]")
LABEL_PATH = re.compile(r"(?:^|/)(?:dt|th|label|dfn|strong|b|h[1-6])[.~]?[^/]*$")
STRUCK_TAGS = ("s", "del", "strike")
LABELLED_TEXT = re.compile(r"([^\W\d_][^:]{1,28}):(?: +(\S.*))?")


@dataclass(frozen=True)
class ColumnSpot:
    """Where the parts of a column stand in a row: at a path, at a place, in the heading over its group, or at several
    paths, joined."""

    by: Literal["path", "place", "group", "joined"]
    steps: tuple[str, ...] = ()

    def part_of(self, row: ListRow) -> ListCell | None:
        """The part of a row that stands here."""
        if self.by == "group":
            return ListCell("", "", row.group) if row.group else None
        if self.by == "joined":
            texts = [cell.text for step in self.steps for cell in row.cells if cell.path == step]
            return ListCell("", "", " ".join(texts)) if len(texts) == len(self.steps) else None
        if self.steps[0].startswith(KEY_MARK):
            labels = {step.removeprefix(KEY_MARK) for step in self.steps}
            return next((cell for cell in _keyed_cells(row, labels) if cell.path in self.steps), None)
        return next((cell for cell in row.cells if getattr(cell, self.by) in self.steps), None)


@dataclass(frozen=True)
class ListColumn:
    """One column: what it is called, for each row its part or None, and where its parts stand in a row."""

    name: str
    cells: tuple[ListCell | None, ...]
    spot: ColumnSpot

    @cached_property
    def filled_cells(self) -> tuple[ListCell, ...]:
        return tuple(cell for cell in self.cells if cell is not None)

    @property
    def code_name(self) -> str:
        """What the page's code calls most of its parts."""
        named = Counter(cell.name for cell in self.filled_cells if cell.name).most_common(1)
        return named[0][0] if named else ""

    @property
    def role(self) -> str:
        """The role of most of its parts that are controls; empty if none is."""
        roles = Counter(cell.role for cell in self.filled_cells if cell.role).most_common(1)
        return roles[0][0] if roles else ""

    @property
    def is_control(self) -> bool:
        """Whether its parts are controls."""
        return any(cell.id or cell.role for cell in self.filled_cells)

    @property
    def constant_text(self) -> str:
        """What every row says here, where all say the same."""
        texts = {cell.text for cell in self.filled_cells}
        full = len(self.filled_cells) >= max(FEW_ROWS, FILLED_SHARE * len(self.cells))
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
    rows = key_by_label(rows)
    by_name = _collect_columns(rows, [[cell.path for cell in row.cells] for row in rows])
    named = _name_cells(list(by_name), heads)
    columns = [ListColumn(named[path], cells, ColumnSpot("path", (path,))) for path, cells in by_name.items()]
    if not heads and len(rows) >= FEW_ROWS:
        by_place = _collect_columns(rows, [[cell.place for cell in row.cells] for row in rows])
        if len(by_place) < 0.6 * len(by_name):
            columns = [ListColumn("", cells, ColumnSpot("place", (place,))) for place, cells in by_place.items()]
    if any(row.group for row in rows):
        groups = tuple(ListCell("", "", row.group) for row in rows)
        columns.insert(0, ListColumn("group", groups, ColumnSpot("group")))
    columns = _drop_repeats(_join_wrapped(columns))
    columns, same = _take_labels(columns)
    return ListTable(tuple(_give_names(columns)), tuple(same))


def key_by_label(rows: Sequence[ListRow]) -> Sequence[ListRow]:
    """Rows whose parts that say “Label: value” stand at a place called by the label, where labels of one place differ.

    So a row that lacks one of them does not shift the others.
    """
    labels: dict[str, set[str]] = {}
    for row in rows:
        for cell, label in zip(row.cells, map(_label_of, _with_before(row)), strict=True):
            if label:
                labels.setdefault(cell.path, set()).add(label)
    mixed = {path for path, said in labels.items() if len(said) > 1}
    usual = Counter(label for row in rows for label in set(map(_label_of, _with_before(row))) if label)
    known = {label for label, count in usual.items() if count >= 2}
    if not mixed or not known:
        return rows
    return [replace(row, cells=tuple(_keyed_cells(row, known))) for row in rows]


def _with_before(row: ListRow) -> list[tuple[ListCell | None, ListCell]]:
    """Each part of a row with the one before it."""
    return list(zip((None, *row.cells), row.cells, strict=False))


def _label_of(pair: tuple[ListCell | None, ListCell]) -> str:
    """The label that a part begins with, or that the part before it is."""
    before, cell = pair
    if before is not None and (own := LABELLED_TEXT.fullmatch(before.text)) and not own[2]:
        return own[1]
    found = LABELLED_TEXT.fullmatch(cell.text)
    return found[1] if found and found[2] else ""


def _keyed_cells(row: ListRow, known: set[str]) -> Iterable[ListCell]:
    for pair in _with_before(row):
        cell, label = pair[1], _label_of(pair)
        if label in known:
            text = cell.text.removeprefix(label).lstrip(" :").strip() if cell.text.startswith(label) else cell.text
            yield replace(cell, path=KEY_MARK + label, place=KEY_MARK + label, text=text, name=label)
        elif not ((own := LABELLED_TEXT.fullmatch(cell.text)) and not own[2] and own[1] in known):
            yield cell


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


def _name_cells(paths: Sequence[str], heads: Sequence[str]) -> dict[str, str]:
    """The head of each part. A head that names as many things as its cells hold names each part, as “Place / Begin”."""
    named = {path: _head_of(path, heads) for path in paths}
    for path, head in named.items():
        parts = [each for each in paths if each == path or each.startswith(f"{path}/")]
        names = [name.strip() for name in HEAD_SEPARATOR.split(head)]
        if head and len(parts) > 1 and len(names) == len(parts):
            named |= dict(zip(parts, names, strict=True))
    return named


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
    if not outer or not inner.startswith(f"{outer}/") or inner.rpartition("/")[2].partition(".")[0] in STRUCK_TAGS:
        return False
    return not any(a and b for a, b in zip(one.cells, other.cells, strict=True))


def _drop_repeats(columns: Sequence[ListColumn]) -> list[ListColumn]:
    """Without columns that say in nearly every row what another one says: a picture's name, a second link."""
    kept: list[ListColumn] = []
    for column in columns:
        twin = next((at for at, other in enumerate(kept) if _repeats(column, other)), None)
        if twin is None:
            kept.append(column)
        elif (column.is_control, bool(column.code_name)) > (kept[twin].is_control, bool(kept[twin].code_name)):
            kept[twin] = replace(column, name=column.name or kept[twin].name)
    return kept


def _repeats(one: ListColumn, other: ListColumn) -> bool:
    if one.constant_text or not one.filled_cells:
        return not one.filled_cells
    if (
        one.is_control
        and other.is_control
        and any(a and b and a.href != b.href for a, b in zip(one.cells, other.cells, strict=True))
    ):
        return False
    same = sum(
        a is not None and b is not None and a.text == b.text for a, b in zip(one.cells, other.cells, strict=True)
    )
    return same >= FILLED_SHARE * len(one.filled_cells)


def _take_labels(columns: Sequence[ListColumn]) -> tuple[list[ListColumn], list[str]]:
    """Make names of parts that say the same in every row: of what follows them, or of the buttons that they are."""
    kept: list[ListColumn] = []
    same: list[str] = []
    label = ""
    for at, column in enumerate(columns):
        said = column.constant_text
        if column.is_control:
            kept.append(replace(column, name=column.name or said or label.strip(" :")))
            label = ""
        elif said and not column.name:
            labels = len(said) <= LABEL_LENGTH and _is_label(columns, at)
            if labels and kept and not kept[-1].name and _belongs_before(columns, at):
                kept[-1] = replace(kept[-1], name=said.strip(" :"))
                continue
            same += [label] if label else []
            label = said if labels else ""
            same += [] if label else [said]
        else:
            kept.append(replace(column, name=column.name or label.strip(" :")))
            label = ""
    return (kept, [*same, *([label] if label else [])]) if kept else (list(columns), [])


def _is_label(columns: Sequence[ListColumn], at: int) -> bool:
    """Whether what every row says names another part: by a colon, by its tag, or as one of two in a box."""
    own = columns[at]
    if own.constant_text.endswith(":") or (own.spot.steps and LABEL_PATH.search(own.spot.steps[0])):
        return True
    box = _box_of(own)
    return box is not None and sum(_box_of(each) == box for each in columns) == 2


def _belongs_before(columns: Sequence[ListColumn], at: int) -> bool:
    """Whether what every row says belongs to the part before it: both are in one box, and what follows is not."""
    if at == 0 or columns[at].constant_text.endswith(":"):
        return False
    own = _box_of(columns[at])
    after = _box_of(columns[at + 1]) if at + 1 < len(columns) else None
    return own is not None and own == _box_of(columns[at - 1]) and own != after


def _box_of(column: ListColumn) -> str | None:
    """The path to what is around a part; None if it is the row itself."""
    return column.spot.steps[0].rpartition("/")[0] or None if column.spot.steps else None


def join_boxes(columns: Sequence[ListColumn]) -> list[ColumnSpot]:
    """Where two or three parts stand in one box, as the day and the month of a date."""
    boxes: dict[str, list[str]] = {}
    for column in columns:
        if column.spot.by == "path" and len(column.spot.steps) == 1 and (box := _box_of(column)):
            boxes.setdefault(box, []).append(column.spot.steps[0])
    return [ColumnSpot("joined", tuple(steps)) for steps in boxes.values() if 2 <= len(steps) <= 3]


def _give_names(columns: Iterable[ListColumn]) -> Iterable[ListColumn]:
    """Name each column: by its head, else by what the page's code or its role calls its parts; no name twice."""
    taken: Counter[str] = Counter()
    for column in columns:
        name = column.name or column.code_name or column.role or "text"
        taken[name] += 1
        yield replace(column, name=name if taken[name] == 1 else f"{name} {taken[name]}")

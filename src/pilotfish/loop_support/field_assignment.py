"""Gives each field a column so that all of them together fit best, and tells how sure each pair is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

KEPT_ASSIGNMENTS = 60
"""So many partial assignments are followed at once."""
NEXT_BONUS, LATER_BONUS = 0.05, 0.03
"""Fields are mostly named in the order in which a row says them: the next field, or a later one."""

Scores = Mapping[tuple[int, int], float]


@dataclass(frozen=True)
class FieldAssignment:
    """The column of each field that got one. `margin`: how much worse all fields fit if it may not have it."""

    columns: Mapping[int, int]
    margin: Mapping[int, float]


@dataclass(frozen=True)
class _Partial:
    """Columns given so far, in the order of the row, with the sum of their scores."""

    total: float = 0.0
    last: int = -1
    columns: tuple[tuple[int, int], ...] = ()

    @property
    def fields(self) -> frozenset[int]:
        return frozenset(field for field, _ in self.columns)

    def add(self, field: int, column: int, score: float) -> "_Partial":
        order = NEXT_BONUS if field == self.last + 1 else LATER_BONUS if field > self.last else 0.0
        return _Partial(self.total + score + order, field, (*self.columns, (field, column)))


def assign_fields(scores: Scores, apart: Mapping[int, int]) -> FieldAssignment:
    """The assignment with the largest sum of scores. No column is given twice, nor two columns of one place of `apart`
    of which one holds the other."""
    best = _search(scores, apart)
    margin = {
        field: best.total
        - _search({pair: score for pair, score in scores.items() if pair != (field, column)}, apart).total
        for field, column in best.columns
    }
    return FieldAssignment(dict(best.columns), margin)


def sum_best(scores: Scores, apart: Mapping[int, int]) -> Mapping[int, int]:
    """The columns of the best assignment alone."""
    return dict(_search(scores, apart).columns)


def _search(scores: Scores, apart: Mapping[int, int]) -> _Partial:
    by_column: dict[int, list[tuple[int, float]]] = {}
    for (field, column), score in scores.items():
        if score > 0.0:
            by_column.setdefault(column, []).append((field, score))
    reached: list[_Partial] = [_Partial()]
    for column in sorted(by_column):
        longer = [
            partial.add(field, column, score)
            for partial in reached
            for field, score in by_column[column]
            if field not in partial.fields and not _overlaps(partial.columns, column, apart)
        ]
        reached = _keep_best([*reached, *longer], frozenset(apart.values()))
    return max(reached, key=lambda partial: partial.total)


def _overlaps(given: Sequence[tuple[int, int]], column: int, apart: Mapping[int, int]) -> bool:
    """Whether a column is part of one that was given."""
    return column in apart and any(other == apart[column] for _, other in given)


def _keep_best(every: Sequence[_Partial], wholes: frozenset[int]) -> list[_Partial]:
    """The best of those that gave columns to the same fields and the same texts whole, and of these the best at all."""
    known: dict[tuple[frozenset[int], int, frozenset[int]], _Partial] = {}
    for partial in every:
        key = (partial.fields, partial.last, frozenset(column for _, column in partial.columns) & wholes)
        if key not in known or known[key].total < partial.total:
            known[key] = partial
    return sorted(known.values(), key=lambda partial: -partial.total)[:KEPT_ASSIGNMENTS]

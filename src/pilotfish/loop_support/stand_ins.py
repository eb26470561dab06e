"""Finds what stands in the place of a value in other rows: the one price of goods that have no old and new price."""

from collections.abc import Mapping, Sequence

from pilotfish.browser.perception.page_lists import ListRow
from pilotfish.loop_support.column_choice import ColumnChoice
from pilotfish.loop_support.column_values import SourceColumn
from pilotfish.loop_support.value_kinds import EXACT, kinds_of_name, words_of

OTHER_PRICES = frozenset({"former", "reduced"})


def fill_stand_ins(
    choice: ColumnChoice, rows: Sequence[ListRow], texts: Mapping[str, Sequence[str]]
) -> dict[str, Sequence[str]]:
    """The texts of each field, and where a row has none, those of a column that no field has and no row has beside it.

    Of several fields it is the one of the plainest name: of a price and a reduced price the price.
    """
    filled = dict(texts)
    plain = [field.name for field in choice.fields if not kinds_of_name(field.name) & OTHER_PRICES]
    for at, column in enumerate(choice.sources):
        own = [column.read(row) for row in rows]
        takers = [
            name
            for name in plain
            if at not in choice.columns.values()
            and choice.columns[name] >= 0
            and stand_alike(column, choice.sources[choice.columns[name]])
            and not any(one and other for one, other in zip(own, filled[name], strict=True))
        ]
        if takers:
            taker = min(takers, key=lambda name: len(words_of(name)))
            filled[taker] = [known or text for known, text in zip(filled[taker], own, strict=True)]
    return filled


def stand_alike(one: SourceColumn, other: SourceColumn) -> bool:
    """Whether two columns hold texts of one exact kind in one box of a row."""
    boxes = {step.rpartition("/")[0] for column in (one, other) for step in column.spot.steps[:1]}
    return (
        one.what == other.what == "text"
        and bool(one.kinds & other.kinds & EXACT)
        and len(boxes) == 1
        and "" not in boxes
    )

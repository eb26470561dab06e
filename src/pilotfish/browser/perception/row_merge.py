"""Puts several readings of a list that draws only the rows in sight together, so that each row is there once."""

from collections.abc import Sequence

from pilotfish.browser.perception.page_lists import ListRow, ScrollState

AGREEING = 0.6
"""With so many of the rows at a known place being the row that was there, places are trusted."""


def merge_rows(known: Sequence[ListRow], found: Sequence[ListRow]) -> list[ListRow]:
    """The rows of all readings so far and those of another one, in their order.

    What a row says may change between two readings, and where it stands too. Where most rows stand where they stood,
    the row at a place is the same one; else the end of what is known is looked for at the beginning of what was found.
    """
    places = {row.offset: row for row in known}
    shared = [row for row in found if row.offset in places]
    if sum(is_same(places[row.offset], row) for row in shared) >= max(1, AGREEING * len(shared)):
        return _merge_by_place(known, found)
    for start in range(max(0, len(known) - len(found)), len(known)):
        tail = [row.text for row in known[start:]]
        tells = len(tail) == 1 or len(set(tail)) > 1
        if tells and tail == [row.text for row in found[: len(tail)]]:
            return [*known[:start], *found]
    keys = {row.key for row in known}
    return sorted([*known, *(row for row in found if row.key not in keys)], key=lambda row: row.offset)


def _merge_by_place(known: Sequence[ListRow], found: Sequence[ListRow]) -> list[ListRow]:
    kept = {row.key: row for row in known}
    present = {row.key for row in found}
    places = {row.offset: row for row in known if row.key not in present}
    for row in found:
        twin = kept.get(row.key) or places.get(row.offset)
        if twin is None or not (twin.key == row.key or is_same(twin, row)):
            kept[row.key] = row
        elif len(row.cells) >= len(twin.cells):
            kept.pop(twin.key, None)
            kept[row.key] = row
    return sorted(kept.values(), key=lambda row: row.offset)


def is_same(one: ListRow, other: ListRow) -> bool:
    """Whether what two readings found at one place may be the same row: by its index or id, else by what it says."""
    if one.key[0] == "index" or other.key[0] == "index" or (one.key[0] == other.key[0] == "named" and one.key[1]):
        return one.key[:2] == other.key[:2]
    texts, others = ({cell.text for cell in row.cells} for row in (one, other))
    return texts <= others or others <= texts or one.cells[0].text == other.cells[0].text


def fill_sight(rows: Sequence[ListRow], state: ScrollState) -> bool:
    """Whether rows are drawn at the middle of what the box of a list shows now."""
    places = sorted(row.offset for row in rows)
    if not places:
        return False
    middle = state.top + state.height / 2
    pitch = (places[-1] - places[0]) / max(1, len(places) - 1)
    return places[0] <= middle <= places[-1] + pitch

"""Rows of several readings of one list are put together, each once."""

from pilotfish.browser.perception.page_lists import ListCell, ListRow, add_rows


def row(offset: int, *texts: str) -> ListRow:
    cells = tuple(ListCell(path=str(at), place=str(at), text=text) for at, text in enumerate(texts))
    return ListRow(cells=cells, key=("placed", str(offset), " ".join(texts)), offset=offset)


def put_together(*readings: list[ListRow]) -> list[str]:
    known: dict[tuple[str, ...], ListRow] = {}
    for reading in readings:
        add_rows(known, reading)
    return [each.text for each in known.values()]


def test_a_row_that_was_partly_hidden_in_one_reading_is_taken_once_and_whole() -> None:
    whole, hidden = row(50, "Kira", "Riverside", "close"), row(50, "Kira", "close")
    assert put_together([row(0, "Jon"), whole], [hidden, row(100, "Lena")]) == ["Jon", "Kira Riverside close", "Lena"]
    assert put_together([hidden], [whole]) == ["Kira Riverside close"]


def test_rows_side_by_side_and_rows_that_differ_stay_apart() -> None:
    plain, marked = row(0, "Kettle", "48"), row(0, "Kettle", "48", "new")
    assert put_together([plain, marked], [plain, marked]) == ["Kettle 48", "Kettle 48 new"]
    assert put_together([row(0, "Ada", "Oak Hill")], [row(0, "Bo", "Oak Hill")]) == ["Ada Oak Hill", "Bo Oak Hill"]

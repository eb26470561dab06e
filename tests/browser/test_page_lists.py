"""Rows of several readings of one list are put together, each once."""

from pilotfish.browser.perception.page_lists import ListCell, ListRow, ScrollState
from pilotfish.browser.perception.row_merge import fill_sight, merge_rows


def row(offset: int, *texts: str) -> ListRow:
    cells = tuple(ListCell(path=str(at), place=str(at), text=text) for at, text in enumerate(texts))
    return ListRow(cells=cells, key=("placed", str(offset), " ".join(texts)), offset=offset)


def put_together(*readings: list[ListRow]) -> list[str]:
    known: list[ListRow] = []
    for reading in readings:
        known = merge_rows(known, reading)
    return [each.text for each in known]


def test_a_row_that_was_partly_hidden_in_one_reading_is_taken_once_and_whole() -> None:
    whole, hidden = row(50, "Kira", "Riverside", "close"), row(50, "Kira", "close")
    assert put_together([row(0, "Jon"), whole], [hidden, row(100, "Lena")]) == ["Jon", "Kira Riverside close", "Lena"]
    assert put_together([hidden], [whole]) == ["Kira Riverside close"]


def test_rows_side_by_side_and_rows_that_differ_stay_apart() -> None:
    plain, marked = row(0, "Kettle", "48"), row(0, "Kettle", "48", "new")
    assert put_together([plain, marked], [plain, marked]) == ["Kettle 48", "Kettle 48 new"]
    assert put_together([row(0, "Ada", "Oak Hill")], [row(0, "Bo", "Oak Hill")]) == ["Ada Oak Hill", "Bo Oak Hill"]


def test_a_row_whose_words_change_between_two_readings_is_taken_once() -> None:
    first = [row(0, "Ada", "1 s ago"), row(40, "Bo", "2 s ago")]
    assert put_together(first, [row(40, "Bo", "9 s ago"), row(80, "Cy", "3 s ago")]) == [
        "Ada 1 s ago",
        "Bo 9 s ago",
        "Cy 3 s ago",
    ]


def test_rows_that_stand_elsewhere_in_the_next_reading_are_found_by_their_order() -> None:
    first = [row(0, "Tea", "1"), row(30, "Tea", "2"), row(60, "Jam", "1"), row(90, "Jam", "2")]
    assert put_together(first, [row(64, "Jam", "1"), row(96, "Jam", "2"), row(128, "Tea", "1")]) == [
        "Tea 1",
        "Tea 2",
        "Jam 1",
        "Jam 2",
        "Tea 1",
    ]


def test_rows_that_all_say_the_same_are_told_apart_by_their_place() -> None:
    assert len(put_together([row(y, "same") for y in (0, 40, 80)], [row(y, "same") for y in (80, 120)])) == 4


def test_rows_of_before_a_scroll_do_not_count_as_drawn() -> None:
    state = ScrollState(top=600, height=300, total=2000, page=False, y=0)
    assert not fill_sight([row(y, "x") for y in range(0, 480, 40)], state)
    assert fill_sight([row(y, "x") for y in range(560, 960, 40)], state)

"""Tables row by row, for small models."""

from pilotfish.loop_support.spelled_tables import fit_page

FERRIES = """# Ferries

| Ferry | Return ticket | Bicycle |
| --- | --- | :---: |
| Lantern Line | 14 crowns | 9 crowns |
| Blue \\| Star | 17 crowns |  |

Both leave daily."""


def test_each_row_tells_what_its_values_are() -> None:
    assert fit_page(FERRIES, 500, small=True).splitlines() == [
        "# Ferries",
        "",
        "- Lantern Line: Return ticket: 14 crowns; Bicycle: 9 crowns",
        "- Blue \\| Star: Return ticket: 17 crowns",
        "",
        "Both leave daily.",
    ]


def test_a_page_stays_as_it_is_for_larger_models_and_where_its_rows_would_not_fit() -> None:
    assert fit_page(FERRIES, 500, small=False) == FERRIES
    wide = (
        "| A | "
        + "a long name of a column | " * 6
        + "\n"
        + "| --- " * 7
        + "|\n"
        + "| 1 | 2 | 3 | 4 | 5 | 6 | 7 |\n" * 9
    )
    assert fit_page(wide, 300, small=True) == wide


def test_what_is_no_table_with_names_is_left_alone() -> None:
    for text in ("| a | b |", "a | b\nc", "|  |  |\n| --- | --- |\n| 1 | 2 |", "", "|"):
        assert fit_page(text, 500, small=True).replace("|  |  |\n| --- | --- |\n", "") in (text, "| 1 | 2 |")

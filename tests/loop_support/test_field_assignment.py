"""Fields get the columns that fit best together: by order, by parts of texts and by labels."""

from pilotfish.browser.perception.list_columns import align_rows
from pilotfish.browser.perception.page_lists import ListCell, ListRow
from pilotfish.core.output_fields import read_fields
from pilotfish.loop_support.column_choice import ColumnChoice
from pilotfish.loop_support.column_values import list_sources
from pilotfish.loop_support.field_assignment import assign_fields
from pilotfish.loop_support.field_matching import match_fields, settle_fields
from pilotfish.loop_support.stand_ins import fill_stand_ins


def rows_of(*rows: tuple[tuple[str, str], ...]) -> list[ListRow]:
    """Rows of parts, each with its path and text."""
    return [
        ListRow(tuple(ListCell(path, path, text) for path, text in row), ("placed", str(at)))
        for at, row in enumerate(rows)
    ]


def settle_samples(fields: str, rows: list[ListRow], votes: dict[str, int], weight: float) -> dict[str, str]:
    """The first value of each field after a model was asked; "" where it got no column."""
    sources = list_sources(rows, ())
    found = settle_fields(read_fields(fields), sources, votes, weight)
    return {name: sources[at].samples[0] if at >= 0 else "" for name, at in found.items()}


LOTS = rows_of(
    (("/b", "Weathervane"), ("/i", "copper"), ("/u", "1890"), ("/p", "£450")),
    (("/b", "Sextant"), ("/i", "brass"), ("/u", "1875"), ("/p", "£980")),
    (("/b", "Signal flag"), ("/i", "linen"), ("/u", "1930"), ("/p", "£65")),
)
LOT = {"name": "Weathervane", "material": "copper", "year": "1890", "price": "£450"}
FIELDS = "name, material, year:integer, price:number"


def test_all_fields_together_fit_best_and_the_order_decides_between_equals() -> None:
    scores = {(0, 0): 0.5, (0, 1): 0.6, (1, 1): 0.6, (1, 0): 0.1}
    assert assign_fields(scores, {}).columns == {0: 0, 1: 1}
    times = assign_fields({(field, column): 0.7 for field in (0, 1) for column in (0, 1)}, {})
    assert times.columns == {0: 0, 1: 1} and max(times.margin.values()) < 0.1


def test_a_text_is_not_given_whole_beside_its_parts() -> None:
    assert assign_fields({(0, 0): 0.62, (0, 1): 0.6, (1, 2): 0.72}, {1: 0, 2: 0}).columns == {0: 1, 1: 2}


def test_a_field_for_which_nothing_speaks_stays_empty_even_where_one_column_is_left_over() -> None:
    for weight in (0.35, 1.0):
        assert settle_samples(FIELDS, LOTS, {"material": -1}, weight) == LOT | {"material": ""}


def test_a_field_that_several_columns_could_hold_stays_empty_where_no_model_names_one() -> None:
    assert settle_samples("name, warranty", LOTS, {"warranty": -1}, 0.35)["warranty"] == ""
    assert settle_samples("name, warranty", LOTS, {"warranty": 1}, 0.35)["warranty"] == "copper"


def test_the_struck_price_is_the_former_one() -> None:
    rows = rows_of(
        (("/h3", "Lamp"), ("/s", "$9"), ("/b", "$7")), (("/h3", "Desk"), ("/b", "$6")), (("/h3", "Rug"), ("/b", "$4"))
    )
    sources = list_sources(rows, ())
    found = match_fields(read_fields("name, price:number, old_price:number"), sources)
    prices = {name: sources[at].samples[0] for name, at in found.columns.items() if "price" in name}
    assert prices == {"price": "$7", "old_price": "$9"}


def test_a_row_that_lacks_a_labelled_part_does_not_shift_the_others() -> None:
    rows = rows_of(
        (("/li", "Plug: A"), ("/li~2", "Length: 1 m"), ("/li~3", "Price: $9")),
        (("/li", "Length: 3 m"), ("/li~2", "Price: $4")),
        (("/li", "Plug: C"), ("/li~2", "Price: $6")),
    )
    columns = {column.name: column for column in align_rows(rows).columns}
    assert [[part.text if part else "" for part in map(columns[name].spot.part_of, rows)] for name in columns] == [
        ["A", "", "C"],
        ["1 m", "3 m", ""],
        ["$9", "$4", "$6"],
    ]


def test_a_label_after_its_value_names_it() -> None:
    rows = rows_of(
        *((("/a", name), ("/x/dd", value), ("/x/dt", "Rent")) for name, value in (("A", "9"), ("B", "8"), ("C", "7")))
    )
    assert align_rows(rows).names[-1] == "Rent"


def test_a_head_of_several_names_names_the_parts_of_its_cells() -> None:
    rows = rows_of(*((("c0", name), ("c1", place), ("c1/#", day)) for name, place, day in (("A", "Kiel", "now"),) * 2))
    assert align_rows(rows, ("Job", "Place / Begin")).names == ("Job", "Place", "Begin")


def test_a_day_and_a_month_in_one_box_are_a_date_together() -> None:
    days = (("14", "JUN"), ("21", "JUN"), ("05", "JUL"))
    rows = rows_of(*((("/h3", f"Event {at}"), ("/d/b", day), ("/d/i", month)) for at, (day, month) in enumerate(days)))
    assert [each.samples[0] for each in list_sources(rows, ()) if "date" in each.kinds] == ["14 JUN"]


def test_what_says_by_itself_what_it_counts_is_nothing_else_though_a_small_model_says_so() -> None:
    rows = rows_of(
        (("/b", "Oat bowl"), ("/i", "14 in stock"), ("/p", "£12")),
        (("/b", "Pepper mill"), ("/i", "3 in stock"), ("/p", "£30")),
    )
    assert settle_samples("name, wood, price:number", rows, {"wood": 1}, 0.35)["wood"] == ""
    assert settle_samples("name, stock, price:number", rows, {"stock": 1}, 0.35)["stock"] == "14 in stock"
    assert settle_samples("name, availability, price:number", rows, {"availability": 1}, 0.35)["availability"]
    assert settle_samples("name, remark, price:number", rows, {"remark": 1}, 1.0)["remark"] == "14 in stock"


def test_what_most_rows_say_what_they_count_is_nothing_else_where_one_row_says_a_word() -> None:
    stocks = ("14 in stock", "Sold out", "3 in stock", "8 in stock", "21 in stock")
    rows = rows_of(*((("/b", f"Bowl {at}"), ("/i", stock), ("/p", f"£{at}9")) for at, stock in enumerate(stocks, 1)))
    assert settle_samples("name, maker, price:number", rows, {"maker": 1}, 0.35)["maker"] == ""
    assert settle_samples("name, stock, price:number", rows, {"stock": 1}, 0.35)["stock"] == "14 in stock"


OFFERS = rows_of(
    (("/b", "Beurre"), ("/u", "250 g"), ("/p/s.", "3,15 €"), ("/p/ins.", "2,49 €")),
    (("/b", "Café"), ("/u", "500 g"), ("/p/s.", "7,90 €"), ("/p/ins.", "5,95 €")),
    (("/b", "Jus"), ("/u", "1 l"), ("/p/s.", "2,75 €"), ("/p/ins.", "1,99 €")),
    (("/b", "Œufs"), ("/u", "x 12"), ("/p/span.", "4,05 €")),
)


def test_a_reduced_price_is_none_that_is_struck_out_though_a_small_model_says_so() -> None:
    columns = [column.name for column in list_sources(OFFERS, ()) if column.what == "text"]
    struck = next(at for at in range(len(columns)) if list_sources(OFFERS, ())[at].struck)
    found = settle_samples("produit, unite, prix:number, promo:number", OFFERS, {"prix": -1, "promo": struck}, 0.35)
    assert (found["prix"], found["promo"]) == ("3,15 €", "2,49 €")


def test_what_stands_in_the_place_of_a_value_in_other_rows_is_that_value_too() -> None:
    columns = list_sources(OFFERS, ())
    place = {column.samples[0]: at for at, column in enumerate(columns)}
    fields = read_fields("produit, prix:number, promo:number")
    chosen = {"produit": place["Beurre"], "prix": place["3,15 €"], "promo": place["2,49 €"]}
    choice = ColumnChoice(fields, chosen, tuple(columns))
    texts = {field.name: [choice.text_of(field, row) for row in OFFERS] for field in fields}
    filled = fill_stand_ins(choice, OFFERS, texts)
    assert filled["prix"] == ["3,15 €", "7,90 €", "2,75 €", "4,05 €"]
    assert filled["promo"] == ["2,49 €", "5,95 €", "1,99 €", ""]


COURSES = rows_of(
    (("/b", "Databases"), ("/c", "CS205"), ("/e", "4 ECTS"), ("/p", "Prof. Lund")),
    (("/b", "Networks"), ("/c", "CS310"), ("/e", "8 ECTS"), ("/p", "Prof. Reyes")),
    (("/b", "Logic"), ("/c", "CS120"), ("/e", "5 ECTS"), ("/p", "Prof. Stein")),
)


def test_a_title_that_all_names_have_counts_nothing_and_a_code_is_no_number() -> None:
    found = settle_samples("course, credits:integer, lecturer", COURSES, {"lecturer": 3}, 0.35)
    assert found["lecturer"] == "Prof. Lund"
    code = next(column for column in list_sources(COURSES, ()) if column.samples[0] == "CS205")
    assert not code.has_numbers

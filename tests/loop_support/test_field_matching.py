"""Fields find their columns without a model: by names, units and kinds of values; else they stay open."""

import pytest

from pilotfish.browser.perception.page_lists import ListCell, ListRow
from pilotfish.core.output_fields import OutputField, read_fields
from pilotfish.loop_support.column_choice import can_copy, keep_groups
from pilotfish.loop_support.column_values import list_sources, move_misplaced, proven_sign, read_values
from pilotfish.loop_support.field_matching import match_fields
from pilotfish.loop_support.text_parts import find_parts
from pilotfish.loop_support.value_kinds import kinds_of_values


def rows_of(*rows: dict[str, str]) -> list[ListRow]:
    """Rows whose parts are called as the page's code calls them."""
    return [
        ListRow(
            tuple(ListCell(f"/{name}", f"/{at}", text, name) for at, (name, text) in enumerate(row.items())),
            ("placed", str(number)),
        )
        for number, row in enumerate(rows)
    ]


def match_samples(fields: str, rows: list[ListRow], heads: tuple[str, ...] = ()) -> dict[str, str]:
    """The first value that each field would get; "?" where a model has to say."""
    sources = list_sources(rows, heads)
    found = match_fields(read_fields(fields), sources)
    return {
        field.name: sources[found.columns[field.name]].samples[0] if field.name in found.columns else "?"
        for field in read_fields(fields)
    }


CARS = rows_of(
    {"lead": "Falcon estate", "box a": "€ 4.900", "box b": "2014", "box c": "88 votes", "box d": "Bremen"},
    {"lead": "Wren coupé", "box a": "€ 11.250", "box b": "2019", "box c": "7 votes", "box d": "Kiel"},
    {"lead": "Heron van", "box a": "€ 8.000", "box b": "2017", "box c": "31 votes", "box d": "Emden"},
)


def test_a_unit_tells_what_is_called_after_it() -> None:
    rows = rows_of(*({"lead": f"Car {at}", "box a": f"{at}2,400 km", "box b": f"201{at}"} for at in (1, 4, 7)))
    assert match_samples("car, kilometres:integer, year:integer", rows)["kilometres"] == "12,400 km"


def test_names_of_kinds_units_and_written_forms_find_their_columns() -> None:
    found = match_samples("name, precio:number, year:integer, votes:integer", CARS)
    assert found == {"name": "Falcon estate", "precio": "€ 4.900", "year": "2014", "votes": "88 votes"}


def test_what_nothing_speaks_for_stays_open() -> None:
    assert match_samples("place, warranty", CARS) == {"place": "?", "warranty": "?"}


@pytest.mark.parametrize(("fields", "held"), [("price:number", "2,49"), ("prix:number, promo:number", "3,15")])
def test_a_price_that_is_struck_out_is_the_one_before_an_offer(fields: str, held: str) -> None:
    rows = [
        ListRow(
            (ListCell("/b", "/b", name), ListCell("/s.", "/s", old), ListCell("/ins.", "/ins", new)), ("placed", name)
        )
        for name, old, new in (
            ("Beurre", "3,15 €", "2,49 €"),
            ("Café", "7,90 €", "5,95 €"),
            ("Jus", "2,75 €", "1,99 €"),
        )
    ]
    found = match_samples(fields, rows)
    assert found[fields.partition(":")[0]] == f"{held} €"
    assert found.get("promo", "2,49 €") == "2,49 €"


def test_a_text_is_read_without_the_name_of_its_field() -> None:
    said = ["last post 20 min ago", "Last post yesterday", ""]
    assert read_values(OutputField(name="last_post"), said) == ["20 min ago", "yesterday", None]
    assert read_values(OutputField(name="room"), ["Room 7", "Room 9"]) == ["Room 7", "Room 9"]


def test_sentences_are_copied_only_for_fields_that_are_called_so() -> None:
    rows = rows_of(
        {"head": "Tide kettle", "box a": "A 1.2 litre kettle with a whistle.", "box b": "blue"},
        {"head": "Oat bowl", "box a": "Keeps porridge warm for an hour.", "box b": "grey"},
        {"head": "Rope swing", "box a": "An oak seat on three metres of rope.", "box b": "brown"},
    )
    said = next(each for each in list_sources(rows, ()) if each.samples[0].startswith("A 1.2"))
    short = next(each for each in list_sources(rows, ()) if each.samples[0] == "blue")
    colour, about = read_fields("colour, description")
    assert (can_copy(colour, said), can_copy(about, said), can_copy(colour, short)) == (False, True, True)


@pytest.mark.parametrize(("field", "head"), [("goals", "G"), ("miete", "Kaltmiete"), ("flaeche", "Fläche")])
def test_abbreviations_compounds_and_other_spellings_of_a_name_are_known(field: str, head: str) -> None:
    rows = [
        ListRow((ListCell("c0", "c0", text), ListCell("c1", "c1", other)), ("placed", text))
        for text, other in (("12", "a"), ("15", "b"), ("9", "c"))
    ]
    assert match_samples(f"{field}:number", rows, (head, "Zone"))[field] == "12"


def test_an_abbreviation_goes_to_the_field_that_it_is_nearest_to() -> None:
    cells = (("Ann", "18", "40"), ("Bo", "17", "36"), ("Cy", "18", "32"))
    rows = [ListRow(tuple(ListCell(f"c{n}", "", t) for n, t in enumerate(row)), ("placed", row[0])) for row in cells]
    found = match_samples("played:integer, points:integer", rows, ("Club", "P", "Pts"))
    assert found == {"played": "18", "points": "40"}


def test_an_old_price_that_is_struck_out_is_not_the_price() -> None:
    rows = [
        ListRow((ListCell("/s.price", "/s", old, "price"), ListCell("/b.price", "/b", new, "price")), ("placed", new))
        for old, new in (("$9", "$7"), ("$8", "$6"), ("$5", "$4"))
    ]
    assert match_samples("price:number", rows) == {"price": "$7"}


def test_parts_between_the_same_words_are_found_and_plain_names_are_not_cut() -> None:
    texts = ["12 points by ann", "7 points by bo", "30 points by cy"]
    assert [(part.label, part.cut(texts[0])) for part in find_parts(texts)] == [("points", "12"), ("by", "ann")]
    assert find_parts(["Harbour desk lamp", "Fen floor lamp", "Arc reading lamp"]) == []
    for text, label, value in (("Tel. 01947 600", "Tel", "01947 600"), ("© Bo Lind", "©", "Bo Lind")):
        assert [(part.label, part.cut(text)) for part in find_parts([text, f"{text}1"])] == [(label, value)]
    assert [part.cut("Leith · £9") for part in find_parts(["Leith · £9", "Kiel · £8"])] == ["Leith", "£9"]


@pytest.mark.parametrize(
    ("texts", "kind"),
    [
        (("€ 9", "12,50 €"), "money"),
        (("4.6 out of 5", "3/5"), "rating"),
        (("Fri 4 June", "2027-06-05"), "date"),
        (("19:00", "8.30 Uhr"), "time"),
        (("1.", "2.", "3."), "rank"),
        (("Most read", "Monitors"), ""),
    ],
)
def test_the_way_values_are_written_tells_their_kind(texts: tuple[str, ...], kind: str) -> None:
    assert kinds_of_values(texts) & {"money", "rating", "date", "time", "rank"} == ({kind} if kind else set())


def test_another_column_proves_the_decimal_sign() -> None:
    price = OutputField(name="price", type="number")
    assert read_values(price, ["1.250 pro Monat"], proven_sign(["72,5", "41"])) == [1250.0]
    assert read_values(price, ["1.250 €"]) == [1250.0]
    assert read_values(price, ["1.250 kg"]) == [1.25]
    assert read_values(price, ["−£7.69", "Tea – £5"]) == [-7.69, 5.0]


def test_only_rows_under_the_heading_that_is_named_are_kept() -> None:
    rows = [ListRow((), (str(at),), group=group) for at, group in enumerate(("Most read", "Most watched"))]
    assert keep_groups("titles of the most read stories", rows) == rows[:1]
    assert keep_groups("titles of all stories", rows) == rows


def test_a_mail_address_where_a_row_has_no_number_is_the_mail_and_no_phone() -> None:
    fields = read_fields("name, phone, email")
    texts = {"name": ["Ann", "Bob", "Cy"], "phone": ["x41", "bob@a.example", "x43"], "email": ["ann@a.example", "", ""]}
    assert move_misplaced(fields, texts) == {
        "name": ["Ann", "Bob", "Cy"],
        "phone": ["x41", "", "x43"],
        "email": ["ann@a.example", "bob@a.example", ""],
    }
    plain = {"contact": ["x41", "bob@a.example"], "name": ["Kay's", "www.lee.example"]}
    assert move_misplaced(read_fields("contact, name"), plain) == plain, (
        "names of no kind of writing take what there is"
    )

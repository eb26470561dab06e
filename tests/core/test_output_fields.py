"""The fields of data that a person wants, and the values that texts stand for."""

import csv
import io
import zipfile

import pytest

from pilotfish.core.data_formats import add_places, write_data
from pilotfish.core.errors import PersonError
from pilotfish.core.output_fields import OutputField, read_fields, read_schema
from pilotfish.loop_support.column_values import read_numbers, read_values


def test_fields_are_read_from_names_with_types() -> None:
    assert read_fields("name, price:number") == (OutputField(name="name"), OutputField(name="price", type="number"))
    with pytest.raises(PersonError, match="no field"):
        read_fields("price:money")


def test_a_schema_tells_the_fields_and_the_name_of_the_list() -> None:
    offer = {
        "type": "object",
        "properties": {"name": {"type": "string"}, "price": {"anyOf": [{"type": "number"}, {"type": "null"}]}},
    }
    schema = {
        "$defs": {"Offer": offer},
        "type": "object",
        "properties": {"offers": {"type": "array", "items": {"$ref": "#/$defs/Offer"}}},
    }
    found = read_schema(schema)
    assert (found.key, [field.type for field in found.fields]) == ("offers", ["string", "number"])
    assert read_schema(offer).single
    with pytest.raises(PersonError, match="names no fields"):
        read_schema({"type": "array", "items": {"type": "string"}})


@pytest.mark.parametrize(
    ("texts", "values"),
    [
        (["€ 1.299,00", "19,95"], [1299.0, 19.95]),
        (["$1,299.00", "19.95", "sold out"], [1299.0, 19.95, None]),
        (["1,299", "2,500"], [1299.0, 2500.0]),
        (["1.299 €", "1.000.000 €"], [1299.0, 1000000.0]),
        (["4.5 out of 5", "-3"], [4.5, -3.0]),
        (["12 345,50 kr"], [12345.5]),
    ],
)
def test_numbers_are_read_as_their_column_writes_them(texts: list[str], values: list[float | None]) -> None:
    assert read_numbers(texts) == values


def test_what_is_no_value_of_the_type_is_none() -> None:
    assert read_values(OutputField(name="n", type="integer"), ["3 left", "2.5", ""]) == [3, None, None]
    assert read_values(OutputField(name="b", type="boolean"), ["Yes", "unchecked", "perhaps"]) == [True, False, None]
    assert read_values(OutputField(name="s"), ["a", ""]) == ["a", None]


ROWS = [{"name": "=1+1", "price": 2.5}, {"name": "Pen, blue", "price": None}]


def test_data_is_written_in_every_format_and_no_text_becomes_a_formula() -> None:
    assert write_data({"rows": ROWS}, "jsonl").decode().splitlines()[0] == '{"name": "=1+1", "price": 2.5}'
    lines = list(csv.reader(io.StringIO(write_data(ROWS, "csv").decode())))
    assert lines == [["name", "price"], ["'=1+1", "2.5"], ["Pen, blue", ""]]
    assert write_data(ROWS, "table").decode().splitlines()[0].split() == ["name", "price"]
    with zipfile.ZipFile(io.BytesIO(write_data(ROWS, "xlsx"))) as book:
        sheet = book.read("xl/worksheets/sheet1.xml").decode()
    assert '<c t="inlineStr"><is><t xml:space="preserve">=1+1</t></is></c><c><v>2.5</v></c>' in sheet
    assert "<f>" not in sheet


def test_a_place_is_a_link_that_marks_what_was_read_there() -> None:
    rows = {"offers": [{"name": "Tide kettle - red"}, {"name": "Oat bowl"}]}
    place = {"url": "https://shop.example/all#top", "said": {"name": "Tide kettle - red"}}
    assert add_places(rows, [place]) == [
        {"name": "Tide kettle - red", "found_at": "https://shop.example/all#:~:text=Tide%20kettle%20%2D%20red"},
        {"name": "Oat bowl", "found_at": ""},
    ]
    given = {"url": "http://given.pilotfish.invalid/a4c4ee3d-my%20list.html", "said": {"found_at": "x"}}
    assert add_places([{"found_at": "Leith"}], [given]) == [{"found_at": "Leith", "found_at_page": "my list.html"}]

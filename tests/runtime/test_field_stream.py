"""A field of a JSON object, read while the object is written."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pilotfish.runtime.field_stream import FieldStream


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_only_the_named_field_of_the_outer_object_is_read(size: int) -> None:
    text = 'Sure: {"a": "why", "in": {"why": "no", "list": ["why", "x"]}, "why": "Yes, \\"this\\" one", "b": "why"} end'
    stream = FieldStream("why")
    assert "".join(stream.feed(text[at : at + size]) for at in range(0, len(text), size)) == 'Yes, "this" one'


@given(st.text(), st.integers(1, 5), st.booleans())
def test_the_pieces_make_up_the_text_whatever_it_holds(text: str, size: int, plain: bool) -> None:
    whole = json.dumps({"why": text, "acts": [text]}, ensure_ascii=plain)
    stream = FieldStream("why")
    assert "".join(stream.feed(whole[at : at + size]) for at in range(0, len(whole), size)) == text


def test_the_text_comes_before_its_end() -> None:
    stream = FieldStream("why")
    assert [stream.feed(piece) for piece in ('{"wh', 'y": "To th', "e cart", ' \\u00e', '9"', ', "x": 1}')] == [
        "", "To th", "e cart", " ", "é", "",
    ]  # fmt: skip
    assert FieldStream("why").feed('{"why": "a\\ud83d", "b": "c"}') == "a"
    assert FieldStream("why").feed('no JSON, "why": "yes"') == ""

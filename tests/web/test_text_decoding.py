"""From bytes to text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pilotfish.web.text_decoding import decode_body


def test_a_body_cut_inside_a_character_loses_only_that_character() -> None:
    assert decode_body("marée basse à midi é".encode()[:-1]) == "marée basse à midi "


def test_the_meta_tag_is_believed_where_the_header_says_nothing() -> None:
    html = '<html><meta charset="windows-1251"><body>Отлив начался рано утром'
    assert decode_body(html.encode("cp1251")) == html


def test_a_text_whose_charset_nobody_tells_is_guessed() -> None:
    text = "Отлив начался рано утром, и лодки легли на песок. Рыбаки чинили сети и ждали прилива до самого вечера. " * 5
    assert decode_body(text.encode("cp1251")) == text


@pytest.mark.parametrize("charset", ["no-such-charset", "", "utf-8", "\x00"])
def test_a_charset_that_does_not_exist_is_passed_over(charset: str) -> None:
    assert decode_body("marée".encode(), charset) == "marée"


@given(st.binary(max_size=300), st.sampled_from(["", "utf-8", "ascii", "utf-16", "gb2312", "hz", "x"]))
def test_any_bytes_become_text(body: bytes, charset: str) -> None:
    assert isinstance(decode_body(body, charset), str)

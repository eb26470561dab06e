"""Attached files as pages to read."""

import io
import zipfile
from pathlib import Path

import pytest

from pilotfish.core.errors import ToolError
from pilotfish.web.paper import page

GUIDE = Path("src/pilotfish/practice/pages/files/harbour-guide.pdf")
NASTY = """<html><head><meta http-equiv=refresh content="0;url=file:///etc/passwd"><base href="file:///">
<script>steal()</script></head><body onload="steal()"><h1>Tides</h1><iframe src="file:///etc/passwd"></iframe>
<a href="file:///etc/passwd">here</a><a href="https://sea.example/">there</a><img src="https://spy.example/p.png"></body>"""


def docx(text: str) -> bytes:
    made = io.BytesIO()
    space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    with zipfile.ZipFile(made, "w") as book:
        body = f'<w:document xmlns:w="{space}"><w:body><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:body></w:document>'
        book.writestr("word/document.xml", body)
    return made.getvalue()


def test_a_table_keeps_its_cells_whatever_parts_them() -> None:
    for text in ("place,high\nQuay,06:12\n", "place;high\nQuay;06:12\n", "place\thigh\nQuay\t06:12\n"):
        made = page("tides.csv", text.encode())
        assert made
        assert "<tr><td>Quay</td><td>06:12</td></tr>" in made


def test_a_long_table_says_how_much_was_left_out() -> None:
    made = page("long.csv", b"a,b\n" * 5003)
    assert made
    assert "(3 more rows were left out.)" in made


def test_text_is_kept_as_it_stands_and_never_taken_for_markup() -> None:
    made = page("notes.txt", "5 < 6 & ü\n  indented".encode("latin-1"))
    assert made
    assert "5 &lt; 6 &amp; ü\n  indented" in made


def test_a_page_that_was_saved_can_neither_run_nor_reach_anything() -> None:
    made = page("tides.html", NASTY.encode())
    assert made
    assert "<h1>Tides</h1>" in made
    assert "https://sea.example/" in made
    for bad in ("passwd", "steal", "spy.example", "<base"):
        assert bad not in made
    assert "default-src 'none'" in made


def test_the_words_of_a_pdf_and_of_a_document_are_there() -> None:
    guide = page("guide.pdf", GUIDE.read_bytes())
    assert guide
    assert "harbour" in guide.lower()
    assert "<p>Dear Ann</p>" in (page("letter.docx", docx("Dear Ann")) or "")


def test_what_holds_no_text_has_no_page_and_a_broken_file_says_so() -> None:
    assert page("photo.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR") is None
    assert page("things.zip", docx("x")) is None
    with pytest.raises(ToolError, match="damaged"):
        page("letter.docx", b"PK\x03\x04 no more")
    with pytest.raises(ToolError, match="damaged"):
        page("guide.pdf", b"%PDF-1.7 no more")

"""Attached files as pages to read."""

import io
import zipfile
from pathlib import Path

import lxml.html
import pytest

from pilotfish.core.errors import ToolError
from pilotfish.web.file_page import page_for_file
from pilotfish.web.sanitizer import ELEMENTS

GUIDE = Path("src/pilotfish/practice/pages/files/harbour-guide.pdf")
NASTY = """<html><head><meta http-equiv=refresh content="0;url=file:///etc/passwd"><base href="file:///">
<script>steal()</script></head><body onload="steal()"><h1>Tides</h1><iframe src="file:///etc/passwd"></iframe>
<a href="file:///etc/passwd">here</a><svg><a xlink:href="file:///etc/passwd"><text>drawn</text></a></svg>
<math><mi xlink:href="file:///etc/passwd">m</mi></math><form action="file:///etc/passwd"><button formaction="file:///etc/passwd">Send</button>
<area href="file:///etc/passwd"><a href="fi&#10;le:///etc/passwd">broken</a><a href=" JaVaScRiPt:steal()">js</a>
<a ping="https://spy.example/" href="#x">ping</a>
<video src="file:///etc/passwd" poster="https://spy.example/"></video><img srcset="https://spy.example/2x 2x"><table background="https://spy.example/">
<tr><td style="color:red">high 06:12</td></tr></table><object data="file:///etc/passwd"></object>
<p srcdoc="steal()">prose</p><a href="https://sea.example/">there</a><img src="https://spy.example/p.png"></body>"""


def docx(text: str) -> bytes:
    made = io.BytesIO()
    space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    with zipfile.ZipFile(made, "w") as book:
        body = f'<w:document xmlns:w="{space}"><w:body><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:body></w:document>'
        book.writestr("word/document.xml", body)
    return made.getvalue()


def test_a_table_keeps_its_cells_whatever_parts_them() -> None:
    for text in ("place,high\nQuay,06:12\n", "place;high\nQuay;06:12\n", "place\thigh\nQuay\t06:12\n"):
        made = page_for_file("tides.csv", text.encode())
        assert made
        assert "<tr><td>Quay</td><td>06:12</td></tr>" in made


def test_a_long_table_says_how_much_was_left_out() -> None:
    made = page_for_file("long.csv", b"a,b\n" * 5003)
    assert made
    assert "(3 more rows were left out.)" in made


def test_text_is_kept_as_it_stands_and_never_taken_for_markup() -> None:
    made = page_for_file("notes.txt", "5 < 6 & ü\n  indented".encode("latin-1"))
    assert made
    assert "5 &lt; 6 &amp; ü\n  indented" in made


def test_a_page_that_was_saved_can_neither_run_nor_reach_anything() -> None:
    made = page_for_file("tides.html", NASTY.encode())
    assert made
    assert "<h1>Tides</h1>" in made
    assert '<a href="https://sea.example/">there</a>' in made
    for kept in ("drawn", "Send</button>", "high 06:12</td>", "prose"):
        assert kept in made
    for bad in ("passwd", "steal", "spy.example", "<base", "<svg", "<math", "<form", "javascript"):
        assert bad.lower() not in made.lower()
    assert "default-src 'none'" in made


def test_what_is_written_out_is_read_again_as_the_same_harmless_page() -> None:
    tricks = (
        "<noscript><p title='</noscript><img src=x onerror=steal()>'>a</noscript>",
        "<svg></p><style><a id='</style><img src=1 onerror=steal()>'>b",
        "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=steal()&gt;'>c",
        "<textarea><img title='</textarea><img src=1 onerror=steal()>'></textarea>d",
        "<xmp><p title='</xmp><script>steal()</script>'>e</xmp>",
        "<select><template><style><!--</style><a rel='--></style></template></select><img src=1 onerror=steal()>'>f",
    )
    allowed = ELEMENTS | {"html", "head", "meta", "title", "style"}
    for trick in tricks:
        made = page_for_file("trick.html", trick.encode()) or ""
        tree = lxml.html.document_fromstring(made)
        assert {node.tag for node in tree.iter()} <= allowed, made
        assert [name for node in tree.iter() for name in node.attrib if name.startswith("on")] == [], made


def test_links_keep_their_addresses_and_relative_ones_follow_the_base() -> None:
    made = (
        page_for_file("a.html", b'<base href="https://sea.example/a/"><a href="b.html">b</a><a href="#c">c</a>') or ""
    )
    assert 'href="https://sea.example/a/b.html"' in made
    assert 'href="#c"' in made
    assert "href" not in (page_for_file("a.html", b'<a href="b.html">b</a>') or "")


def test_pictures_within_a_page_stay_and_those_from_elsewhere_go() -> None:
    made = (
        page_for_file("a.html", b'<img src="data:image/png;base64,AAAA" alt="map"><img src="map.png" alt="plan">') or ""
    )
    assert '<img src="data:image/png;base64,AAAA" alt="map">' in made
    assert '<img alt="plan">' in made


def test_the_words_of_a_pdf_and_of_a_document_are_there() -> None:
    guide = page_for_file("guide.pdf", GUIDE.read_bytes())
    assert guide
    assert "harbour" in guide.lower()
    assert "<p>Dear Ann</p>" in (page_for_file("letter.docx", docx("Dear Ann")) or "")


def test_what_holds_no_text_has_no_page_and_a_broken_file_says_so() -> None:
    assert page_for_file("photo.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR") is None
    assert page_for_file("things.zip", docx("x")) is None
    with pytest.raises(ToolError, match="damaged"):
        page_for_file("letter.docx", b"PK\x03\x04 no more")
    with pytest.raises(ToolError, match="damaged"):
        page_for_file("guide.pdf", b"%PDF-1.7 no more")

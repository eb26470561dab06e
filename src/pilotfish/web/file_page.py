"""Makes a plain page of a file that a person gave: without scripts, requests or links to local files."""

import base64
import csv
import html
import io
import json
import zipfile
from pathlib import PurePath
from typing import Any

from pilotfish.core.errors import ToolError
from pilotfish.core.given_pages import CONTENT_POLICY
from pilotfish.web.text_decoding import decode_body

MOST_ROWS = 5000
MOST_LETTERS = 2_000_000
STYLE = (
    "body{font:16px/1.5 sans-serif;margin:24px;max-width:60em}pre{white-space:pre-wrap}td,th{padding:2px 12px 2px 0}"
)
# These two work only in a header, not in the page's meta tag.
CLOSED_HERE = CONTENT_POLICY.replace(" frame-ancestors 'none'; sandbox", "")
PICTURES = {".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".gif": "gif", ".webp": "webp", ".svg": "svg+xml"}
WORDS = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


def page_for_file(name: str, data: bytes) -> str | None:
    """The page for a file; none where it holds no text. It may be slow: call it in a thread."""
    kind = PurePath(name).suffix.lower()
    if data.startswith(b"%PDF"):
        from pilotfish.web.pdf import read_pdf

        return page_html(name, f"<pre>{html.escape(read_pdf(data).text)}</pre>")
    if data.startswith(b"PK\x03\x04"):
        return page_html(name, document_html(data)) if kind == ".docx" else None
    if b"\0" in data[:4000] and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return None
    text = decode_body(data)[:MOST_LETTERS]
    if kind in (".html", ".htm", ".xhtml"):
        return saved_page(name, text)
    if kind in (".csv", ".tsv"):
        return page_html(name, table_html(text))
    return page_html(name, f"<pre>{html.escape(tidy_text(text) if kind == '.json' else text)}</pre>")


def page_html(name: str, body: str, styles: str = "") -> str:
    head = f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{CLOSED_HERE}">'
    title = f"<title>{html.escape(name)}</title><style>{STYLE}</style><style>{styles}</style>"
    return f"<!doctype html><html><head>{head}{title}</head>{body}</html>"


def saved_page(name: str, text: str) -> str:
    """A page's own markup, without what could run or load."""
    from pilotfish.web.sanitizer import sanitize_html

    title, styles, body = sanitize_html(text)
    return page_html(title or name, body, styles)


def picture(name: str, data: bytes) -> str | None:
    """A page that shows a picture; none for other files. A drawing shown as a picture runs and loads nothing."""
    kind = PICTURES.get(PurePath(name).suffix.lower())
    if kind is None:
        return None
    shown = base64.b64encode(data).decode()
    return page_html(name, f'<img alt="{html.escape(name)}" src="data:image/{kind};base64,{shown}">')


def table_html(text: str) -> str:
    """Rows and columns, whatever parts them."""
    try:
        dialect = csv.Sniffer().sniff(text[:10_000], ",;\t|")
    except csv.Error:
        dialect = csv.excel
    rows = [row for row in csv.reader(io.StringIO(text), dialect) if row]
    cells = ("".join(f"<td>{html.escape(cell)}</td>" for cell in row) for row in rows[:MOST_ROWS])
    rest = f"<p>({len(rows) - MOST_ROWS} more rows were left out.)</p>" if len(rows) > MOST_ROWS else ""
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>{rest}"


def document_html(data: bytes) -> str:
    """The paragraphs of a word processor's file."""
    from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as book, book.open("word/document.xml") as part:
            raw = part.read(MOST_LETTERS * 10)
        tree: Any = etree.fromstring(raw, etree.XMLParser(resolve_entities=False, no_network=True))
    except (zipfile.BadZipFile, KeyError, etree.XMLSyntaxError) as error:
        raise ToolError("The document is damaged or incomplete.", "Save it as PDF or text and attach that.") from error
    lines = ("".join(node.itertext(f"{WORDS}t")) for node in tree.iter(f"{WORDS}p"))
    return "".join(f"<p>{html.escape(line)}</p>" for line in lines if line)


def tidy_text(text: str) -> str:
    try:
        return json.dumps(json.loads(text), ensure_ascii=False, indent=1)
    except ValueError:
        return text

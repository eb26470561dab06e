"""A file that a person gave, as a plain page to read: nothing in it runs, calls anybody or leads into the machine."""

import csv
import html
import io
import json
import zipfile
from pathlib import PurePath
from typing import Any

from pilotfish.core.errors import ToolError
from pilotfish.web.decode import decode

ROWS = 5000
LETTERS = 2_000_000
STYLE = (
    "body{font:16px/1.5 sans-serif;margin:24px;max-width:60em}pre{white-space:pre-wrap}td,th{padding:2px 12px 2px 0}"
)
SHUT = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'"
DROPPED = "//script|//iframe|//frame|//object|//embed|//applet|//meta|//base|//link|//noscript|//template"
WORDS = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


def page(name: str, data: bytes) -> str | None:
    """The page for a file; none where it holds no text. It may take its time: call it in a thread."""
    kind = PurePath(name).suffix.lower()
    if data.startswith(b"%PDF"):
        from pilotfish.web.pdf import read

        return sheet(name, f"<pre>{html.escape(read(data).text)}</pre>")
    if data.startswith(b"PK\x03\x04"):
        return sheet(name, document(data)) if kind == ".docx" else None
    if b"\0" in data[:4000] and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return None
    text = decode(data)[:LETTERS]
    if kind in (".html", ".htm", ".xhtml"):
        return sheet(name, quiet(text))
    if kind in (".csv", ".tsv"):
        return sheet(name, table(text))
    return sheet(name, f"<pre>{html.escape(tidied(text) if kind == '.json' else text)}</pre>")


def sheet(name: str, body: str) -> str:
    head = f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{SHUT}">'
    return (
        f"<!doctype html><html><head>{head}<title>{html.escape(name)}</title><style>{STYLE}</style></head>{body}</html>"
    )


def quiet(text: str) -> str:
    """A page's own markup without what acts, and with links that lead to the web only."""
    from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

    from pilotfish.web.extract.dom import parse

    tree = parse(text)
    for node in tree.xpath(DROPPED):
        node.drop_tree()
    for node in tree.iter():
        for attribute in [each for each in node.attrib if each.startswith("on") or each in ("src", "srcset", "action")]:
            del node.attrib[attribute]
        if not node.get("href", "https:").startswith(("http:", "https:", "mailto:", "#")):
            del node.attrib["href"]
    inner: Any = etree.tostring(tree.find("body"), encoding="unicode", method="html")
    return str(inner)


def table(text: str) -> str:
    """Rows and columns, whatever parts them."""
    try:
        dialect = csv.Sniffer().sniff(text[:10_000], ",;\t|")
    except csv.Error:
        dialect = csv.excel
    rows = [row for row in csv.reader(io.StringIO(text), dialect) if row]
    cells = ("".join(f"<td>{html.escape(cell)}</td>" for cell in row) for row in rows[:ROWS])
    rest = f"<p>({len(rows) - ROWS} more rows were left out.)</p>" if len(rows) > ROWS else ""
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>{rest}"


def document(data: bytes) -> str:
    """The paragraphs of a word processor's file."""
    from lxml import etree  # pyright: ignore[reportAttributeAccessIssue]

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as book, book.open("word/document.xml") as part:
            raw = part.read(LETTERS * 10)
        tree: Any = etree.fromstring(raw, etree.XMLParser(resolve_entities=False, no_network=True))
    except (zipfile.BadZipFile, KeyError, etree.XMLSyntaxError) as error:
        raise ToolError("The document is damaged or incomplete.", "Save it as PDF or text and attach that.") from error
    lines = ("".join(node.itertext(f"{WORDS}t")) for node in tree.iter(f"{WORDS}p"))
    return "".join(f"<p>{html.escape(line)}</p>" for line in lines if line)


def tidied(text: str) -> str:
    try:
        return json.dumps(json.loads(text), ensure_ascii=False, indent=1)
    except ValueError:
        return text

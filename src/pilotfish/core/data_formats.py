"""Writes rows of data as JSON, JSON lines, CSV, a table for people, or a workbook."""

import csv
import io
import json
import re
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any, Literal
from urllib.parse import quote, unquote, urlsplit
from xml.sax.saxutils import escape

from pilotfish.core.given_pages import is_given

DataFormat = Literal["json", "jsonl", "csv", "table", "xlsx"]
FORMULA = re.compile(r"[=@\t\r]|[+-](?![\d.,\s]*$)")
PLACE_COLUMNS = ("found_at", "found_at_page", "place_of_row", "_place")
GIVEN_MARK = re.compile(r"^[0-9a-f]{8}-")
"""What is put before the name of a given file, so that two of one name differ."""
FRAGMENT_LENGTH = 100
UNWRITABLE_CHARACTERS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
PARTS = {
    "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default '
    'Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName='
    '"/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>'
    '<Override PartName="/xl/worksheets/sheet1.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>',
    "_rels/.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship '
    'Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" '
    'Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r='
    '"http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Data" sheetId="1" '
    'r:id="r1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" '
    'Target="worksheets/sheet1.xml"/></Relationships>',
}


def find_rows(data: Any) -> list[Mapping[str, Any]]:
    """The rows of data: a list, the one list of an object, or the object itself."""
    if isinstance(data, Mapping) and len(data) == 1 and isinstance(inner := next(iter(data.values())), list):
        return inner
    return list(data) if isinstance(data, list) else [data]


def add_places(data: Any, places: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The rows, each with a link to its place on its page."""
    rows = find_rows(data)
    column = next(name for name in PLACE_COLUMNS if not any(name in row for row in rows))
    known = [*places, *({} for _ in rows[len(places) :])]
    return [{**row, column: link_place(place)} for row, place in zip(rows, known, strict=False)]


def link_place(place: Mapping[str, Any]) -> str:
    """The address of a page, with the words that a browser scrolls to and marks; of a given file its name."""
    url = str(place.get("url", ""))
    if is_given(url):
        return GIVEN_MARK.sub("", unquote(urlsplit(url).path.removeprefix("/")))
    said = next((str(text) for text in place.get("said", {}).values() if str(text).strip()), "")
    words = quote(" ".join(said.split())[:FRAGMENT_LENGTH], safe="").replace("-", "%2D")
    return f"{url.partition('#')[0]}#:~:text={words}" if url and words else url


def write_data(data: Any, form: DataFormat) -> bytes:
    """The data in a format, as bytes."""
    rows = find_rows(data)
    names = list(dict.fromkeys(name for row in rows for name in row))
    match form:
        case "json":
            text = json.dumps(data, ensure_ascii=False, indent=2)
        case "jsonl":
            text = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
        case "csv":
            return write_csv(rows, names).encode()
        case "table":
            text = write_table(rows, names)
        case "xlsx":
            return write_workbook(rows, names)
    return f"{text}\n".encode()


def write_csv(rows: Sequence[Mapping[str, Any]], names: Sequence[str]) -> str:
    """Comma-separated values. A text that a spreadsheet would take for a formula gets an apostrophe before it."""
    written = io.StringIO()
    table = csv.writer(written)
    table.writerow([guard_formula(name) for name in names])
    table.writerows([guard_formula(row.get(name)) for name in names] for row in rows)
    return written.getvalue()


def guard_formula(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and FORMULA.match(value) else value


def write_table(rows: Sequence[Mapping[str, Any]], names: Sequence[str]) -> str:
    """A table in plain signs, numbers to the right."""
    lines = [names, *([show_value(row.get(name)) for name in names] for row in rows)]
    widths = [max(len(line[at]) for line in lines) for at in range(len(names))]
    right = [all(isinstance(row.get(name), int | float) for row in rows) for name in names]
    padded = [
        [text.rjust(wide) if aside else text.ljust(wide) for text, wide, aside in zip(line, widths, right, strict=True)]
        for line in lines
    ]
    padded.insert(1, ["-" * wide for wide in widths])
    return "\n".join("  ".join(line).rstrip() for line in padded)


def show_value(value: Any) -> str:
    return "" if value is None else " ".join(str(value).split())


def write_workbook(rows: Sequence[Mapping[str, Any]], names: Sequence[str]) -> bytes:
    """A workbook with one sheet. Texts are stored as texts, never as formulas."""
    lines = [_sheet_row(names), *(_sheet_row([row.get(name) for name in names]) for row in rows)]
    space = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    sheet = f"<worksheet {space}><sheetData>{''.join(lines)}</sheetData></worksheet>"
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as book:
        for name, text in {**PARTS, "xl/worksheets/sheet1.xml": sheet}.items():
            book.writestr(name, f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>{text}')
    return held.getvalue()


def _sheet_row(values: Sequence[Any]) -> str:
    return f"<row>{''.join(map(_sheet_cell, values))}</row>"


def _sheet_cell(value: Any) -> str:
    if value is None:
        return "<c/>"
    if isinstance(value, bool):
        return f'<c t="b"><v>{int(value)}</v></c>'
    if isinstance(value, int | float):
        return f"<c><v>{value}</v></c>"
    return (
        f'<c t="inlineStr"><is><t xml:space="preserve">{escape(UNWRITABLE_CHARACTERS.sub("", str(value)))}</t></is></c>'
    )

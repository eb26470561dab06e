"""Reads HTML, PDF and text from the web. It runs in a separate process: see `core/parser_pool.py`."""

import json
from dataclasses import asdict
from typing import Any

from pilotfish.web.text_decoding import decode_body


def read_html(data: bytes, charset: str, url: str) -> dict[str, Any]:
    """The main text of a page with its facts and links, and whether it seems empty until its scripts have run."""
    from pilotfish.web.extract import extract_page, needs_scripts

    # What a browser has drawn comes as text already.
    text = data.decode("utf-8", "replace") if charset == "drawn" else decode_body(data, charset)
    found = extract_page(text, url)
    return {**asdict(found), "scripted": needs_scripts(text, found.text)}


def read_pdf(data: bytes) -> dict[str, Any]:
    """The text of a PDF, and its metadata."""
    from pilotfish.web.pdf import read_pdf

    return asdict(read_pdf(data))


def read_text(data: bytes, charset: str, media: str) -> str:
    """Any other text; JSON laid out for reading."""
    text = decode_body(data, charset)
    return pretty(text) if media == "application/json" else text.strip()


def pretty(text: str) -> str:
    """JSON laid out for reading; text that only claims to be JSON stays as it is."""
    try:
        return f"```json\n{json.dumps(json.loads(text), ensure_ascii=False, indent=1)}\n```"
    except (ValueError, RecursionError):
        return text.strip()


def make_page(data: bytes, name: str) -> str | None:
    """A given file as a page to read; none where it holds no text."""
    from pilotfish.web.file_page import page_for_file

    return page_for_file(name, data)


def make_shown(data: bytes, name: str) -> str | None:
    """A given file as a page to look at: a picture as such, anything else to read."""
    from pilotfish.web.file_page import page_for_file, picture

    return picture(name, data) or page_for_file(name, data)

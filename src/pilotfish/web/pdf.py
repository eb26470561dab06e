"""Reads the text of a PDF, page by page."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pilotfish.core.errors import ToolError

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument

MOST_PAGES = 300


@dataclass(frozen=True)
class PdfContent:
    """The text of a PDF with a heading for each page, and its metadata."""

    text: str
    pages: int
    title: str = ""
    author: str = ""
    date: str = ""


def read_pdf(data: bytes) -> PdfContent:
    """Read a PDF. It is slow: call it in a thread."""
    import pypdfium2

    try:
        book = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        locked = "password" in str(error).lower()
        what = "is locked with a password" if locked else "is damaged or incomplete"
        raise ToolError(f"The PDF {what}.", "Look for another copy or another source.") from error
    try:
        texts = [page_text(book, number) for number in range(min(len(book), MOST_PAGES))]
        facts = book.get_metadata_dict()
        count = len(book)
    finally:
        book.close()
    if not any(texts):
        raise ToolError(
            f"The PDF has {count} pages but no text, only pictures.",
            "Open it in the browser and take a screenshot, or look for a version with text.",
        )
    single = len(texts) == 1
    parts = [text if single else f"## Page {number}\n\n{text}" for number, text in enumerate(texts, 1) if text]
    if count > MOST_PAGES:
        parts.append(f"(The other {count - MOST_PAGES} pages were left out.)")
    return PdfContent("\n\n".join(parts), count, facts.get("Title", ""), facts.get("Author", ""), pdf_day(facts))


def page_text(book: "PdfDocument", number: int) -> str:
    page = book[number]
    try:
        content = page.get_textpage()
        try:
            lines = content.get_text_range().replace("\r", "").replace("\ufffe", "").split("\n")
        finally:
            content.close()
    finally:
        page.close()
    return "\n".join(line.rstrip() for line in lines).strip()


def pdf_day(facts: dict[str, str]) -> str:
    """`D:20260131…` as 2026-01-31."""
    digits = facts.get("CreationDate", "").removeprefix("D:")[:8]
    return f"{digits[:4]}-{digits[4:6]}-{digits[6:]}" if len(digits) == 8 and digits.isdigit() else ""

"""The text of a PDF that a tab shows. It runs in a process of its own: see `core/parser_pool.py`."""

from pilotfish.core.errors import ToolError

MOST_PAGES = 300


def pdf_text(data: bytes) -> list[str]:
    """The title and the text, page by page."""
    import pypdfium2 as pdfium

    try:
        document = pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        raise ToolError(f"The PDF could not be read: {error}") from error
    try:
        title = document.get_metadata_dict().get("Title", "")
        count = len(document)
        numbers = range(min(count, MOST_PAGES))
        pages = [document[at].get_textpage().get_text_range().replace("\r\n", "\n").strip() for at in numbers]
    finally:
        document.close()
    parts = [f"[page {number}]\n{text}" for number, text in enumerate(pages, 1) if text]
    parts += [f"(The other {count - MOST_PAGES} pages were left out.)"] if count > MOST_PAGES else []
    return [title, "\n\n".join(parts)]

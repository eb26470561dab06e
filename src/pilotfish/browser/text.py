"""The page as text for answering questions: Markdown in reading order, frames in place, PDFs too."""

import asyncio
import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from playwright.async_api import Error, Page

from pilotfish.browser.world import Answer, PageError, World

MARK = re.compile("\x01(.*?)\x01")
PDF = "application/pdf"


@dataclass(frozen=True)
class PageText:
    """What a page says. `text` is Markdown, the main content first and what surrounds it after a rule."""

    url: str
    title: str
    text: str
    lang: str = ""

    @cached_property
    def hash(self) -> str:
        return hashlib.blake2b(f"{self.url}\n{self.text}".encode(), digest_size=8).hexdigest()


async def read(world: World, selector: str | None = None, links: bool = False) -> PageText:
    """The text of a page, or of what a CSS selector matches in its main document."""
    page = world.page
    answers = await world.call("text", selector or "", links)
    main: Mapping[str, Any] = answers[0].data
    if main["kind"] == PDF:
        return await read_pdf(page)
    if not main["found"]:
        raise PageError(f"Nothing on the page matches {selector!r}.")
    parts = [joined(answers, part) for part in ("main", "rest")]
    text = "\n\n---\n\n".join(part for part in parts if part)
    return PageText(main["url"], main["title"], text, main["lang"])


def joined(answers: Sequence[Answer], part: str) -> str:
    """One part of the main document with the frames' texts where the frames stand."""
    by_path = {answer.data["path"]: answer.data for answer in answers}

    def fill(data: Mapping[str, Any], text: str) -> str:
        def inside(match: re.Match[str]) -> str:
            child = by_path.get(f"{data['path']}.{match[1]}".lstrip("."))
            return "\n".join(filter(None, (fill(child, child["main"]), fill(child, child["rest"])))) if child else ""

        return MARK.sub(inside, text)

    main = answers[0].data
    return airy(fill(main, main[part]))


def airy(text: str) -> str:
    """Blank lines around headings, tables and code, none elsewhere twice."""
    lines: list[str] = []
    fenced = False
    for line in text.splitlines():
        if line.startswith("```"):
            fenced = not fenced
        if line.startswith("#") and not fenced and lines and lines[-1]:
            lines.append("")
        if line.strip() or fenced:
            lines.append(line if fenced else line.rstrip())
    return "\n".join(lines).strip()


async def read_pdf(page: Page) -> PageText:
    """A PDF that is open in the tab, fetched again with the tab's own cookies."""
    try:
        reply = await page.context.request.get(page.url, timeout=20_000)
        data = await reply.body()
    except Error as error:
        raise PageError(f"The PDF could not be fetched: {error.message.splitlines()[0]}") from error
    title, text = await asyncio.to_thread(pdf_text, data)
    return PageText(page.url, title or page.url.rsplit("/", 1)[-1], text)


def pdf_text(data: bytes) -> tuple[str, str]:
    import pypdfium2 as pdfium

    try:
        document = pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        raise PageError(f"The PDF could not be read: {error}") from error
    try:
        title = document.get_metadata_dict().get("Title", "")
        pages = [page.get_textpage().get_text_range().replace("\r\n", "\n").strip() for page in document]
    finally:
        document.close()
    return title, "\n\n".join(f"[page {number}]\n{text}" for number, text in enumerate(pages, 1) if text)

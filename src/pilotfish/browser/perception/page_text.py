"""Reads a page, its frames or a PDF as Markdown in reading order."""

import asyncio
import base64
import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from playwright.async_api import Error, Page

from pilotfish.browser.perception.isolated_world import IsolatedWorld, PageError, read_script
from pilotfish.browser.perception.pdf_text import pdf_text
from pilotfish.core.parser_pool import parse_apart

MARK = re.compile("\x01(.*?)\x01")
PDF = "application/pdf"
FETCH_TIMEOUT = 20.0
"""Seconds for a PDF to be fetched again."""


@dataclass(frozen=True)
class PageText:
    """The text of a page as Markdown: the main content, a rule, then the rest."""

    url: str
    title: str
    text: str
    lang: str = ""

    @cached_property
    def hash(self) -> str:
        return hashlib.blake2b(f"{self.url}\n{self.text}".encode(), digest_size=8).hexdigest()


async def read_page(world: IsolatedWorld, selector: str | None = None, links: bool = False) -> PageText:
    """The text of a page, or of what a CSS selector matches in its main document."""
    page = world.page
    answers = await world.call("text", selector or "", links)
    main: Mapping[str, Any] = answers[0].data
    if main["kind"] == PDF:
        return await read_pdf(page)
    if not main["found"]:
        raise PageError(f"Nothing on the page matches {selector!r}.")
    return PageText(main["url"], main["title"], join_documents([each.data for each in answers]), main["lang"])


async def read_markup(world: IsolatedWorld, selector: str = "") -> str:
    """The HTML of a page's main document, or of what a CSS selector matches, without scripts and styles."""
    answers = await world.call("markup", selector, among=lambda _: ())
    if answers[0].data["html"] is None:
        raise PageError(f"Nothing on the page matches {selector!r}.")
    return str(answers[0].data["html"])


async def read_element(world: IsolatedWorld, document: str, handle: int) -> str:
    """What an element says, as Markdown; of a field all that it holds, unless it is a password."""
    try:
        answer: Mapping[str, Any] = await world.ask(document, "content", handle)
    except LookupError:
        answer = {"gone": 1}
    if "gone" in answer:
        raise PageError("This element is no longer on the page; look again.")
    return str(answer["value"]) if "value" in answer else join_documents([answer])


def join_documents(frames: Sequence[Mapping[str, Any]]) -> str:
    """The text of a page from what its documents said; the main one comes first."""
    parts = [join_frames(frames, part) for part in ("main", "rest")]
    return "\n\n---\n\n".join(part for part in parts if part)


def join_frames(frames: Sequence[Mapping[str, Any]], part: str) -> str:
    """One part of the main document with the frames' texts where the frames stand."""
    by_path = {frame["path"]: frame for frame in frames}

    def fill(data: Mapping[str, Any], text: str) -> str:
        def inside(match: re.Match[str]) -> str:
            child = by_path.get(f"{data['path']}.{match[1]}".lstrip("."))
            return "\n".join(filter(None, (fill(child, child["main"]), fill(child, child["rest"])))) if child else ""

        return MARK.sub(inside, text)

    return space_blocks(fill(frames[0], frames[0][part]))


def space_blocks(text: str) -> str:
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
    """A PDF that is open in the tab, fetched again by the tab itself."""
    script = read_script("fetch_document").rstrip().removesuffix(";")
    try:
        async with asyncio.timeout(FETCH_TIMEOUT):
            data = base64.b64decode(await page.evaluate(script))
    except (Error, TimeoutError) as error:
        why = error.message.splitlines()[0] if isinstance(error, Error) else "it took too long"
        raise PageError(f"The PDF could not be fetched: {why}") from error
    title, text = await parse_apart(pdf_text, data, what=page.url)
    return PageText(page.url, title or page.url.rsplit("/", 1)[-1], text)

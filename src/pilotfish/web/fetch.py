"""A page of the web as text: fetched once, read by its kind, kept for a while."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from pilotfish.core.errors import ToolError
from pilotfish.core.settings import Fetch
from pilotfish.core.values import Value
from pilotfish.web import pdf, robots
from pilotfish.web.cache import Cache, Memory
from pilotfish.web.decode import decode
from pilotfish.web.download import AGENT, Answer, Downloader
from pilotfish.web.extract import extract, scripted
from pilotfish.web.guard import Resolve, system

PARALLEL = 3
ROBOTS_TTL = 3600.0
SCRIPTED = "This page builds itself with JavaScript, so parts may be missing. Open it in the browser to see all."
Render = Callable[[str], Awaitable[str]]


class Link(Value):
    """Where a page leads."""

    text: str
    url: str


class Page(Value):
    """What was read. `text` is Markdown without addresses; those are in `links`. `note` says what is odd about it."""

    url: str
    final_url: str
    status: int = 200
    media: str = "text/html"
    kind: str = ""
    title: str = ""
    author: str = ""
    date: str = ""
    text: str = ""
    links: tuple[Link, ...] = ()
    size: int = 0
    note: str = ""


@dataclass(frozen=True)
class Counts:
    """How it went so far."""

    fetched: int = 0
    cached: int = 0
    failed: int = 0


class Fetcher:
    """Fetches pages within the settings' limits. Use it as a context manager, or close it."""

    def __init__(
        self, settings: Fetch, cache: Cache | None = None, render: Render | None = None, resolve: Resolve = system
    ) -> None:
        self.counts = Counts()
        self._render = render
        self._settings = settings
        self._cache = cache or Memory()
        self._download = Downloader(settings, resolve)
        self._slots = asyncio.Semaphore(PARALLEL)

    async def __aenter__(self) -> "Fetcher":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        await self._download.close()

    async def fetch(self, url: str, *, fresh: bool = False, render: Render | None = None) -> Page:
        """The page at `url`; a ToolError says why there is none. `render` draws pages that need their scripts."""
        url = whole(url)
        render = render or self._render
        known = None if fresh else await self._cache.get(f"page:{url}")
        page = Page.model_validate_json(known) if known else None
        if page and not (render and page.note.startswith(SCRIPTED)):
            self.counts = replace(self.counts, cached=self.counts.cached + 1)
            return page
        try:
            async with self._slots:
                page = await self._read(url, render)
        except ToolError:
            self.counts = replace(self.counts, failed=self.counts.failed + 1)
            raise
        self.counts = replace(self.counts, fetched=self.counts.fetched + 1)
        await self._cache.put(f"page:{url}", page.model_dump_json(), self._settings.ttl)
        return page

    async def many(self, urls: Sequence[str], *, render: Render | None = None) -> list[Page | ToolError]:
        """Several pages at once, in the order asked; one that fails stands there as its error."""
        results = await asyncio.gather(*(self.fetch(url, render=render) for url in urls), return_exceptions=True)
        for result in results:
            if isinstance(result, BaseException) and not isinstance(result, ToolError):
                raise result
        return [result for result in results if isinstance(result, Page | ToolError)]

    async def _read(self, url: str, render: Render | None) -> Page:
        self._download.guard.check(url)
        await self._permit(url)
        answer = await self._download.get(url)
        if urlsplit(answer.url).netloc != urlsplit(url).netloc:
            await self._permit(answer.url)
        media = kind(answer)
        blank = Page(url=url, final_url=answer.url, status=answer.status, media=media, size=len(answer.body))
        if answer.cut:
            blank = blank.model_copy(update={"note": f"Only the first {len(answer.body):,} bytes were read."})
        if media == "application/pdf":
            return await book(blank, answer)
        text = decode(answer.body, answer.charset)
        if media == "text/html":
            return await web(blank, text, render)
        return blank.model_copy(update={"text": pretty(text) if media == "application/json" else text.strip()})

    async def _permit(self, url: str) -> None:
        if self._settings.robots and not (await self._robots(url)).allows(url):
            fix = "Choose another source, or switch the setting fetch.robots off if you may read it."
            raise ToolError(f"The site asks robots not to read {url}.", fix)

    async def _robots(self, url: str) -> robots.Robots:
        """The site's rules. Where they cannot be had, nothing is forbidden."""
        parts = urlsplit(url)
        key = f"robots:{parts.scheme}://{parts.netloc}"
        text = await self._cache.get(key)
        if text is None:
            try:
                answer = await self._download.get(f"{parts.scheme}://{parts.netloc}/robots.txt", limit=500_000)
                text = "" if kind(answer) == "text/html" else decode(answer.body, answer.charset)
            except ToolError:
                text = ""
            await self._cache.put(key, text, ROBOTS_TTL)
        return robots.parse(text, AGENT)


def whole(url: str) -> str:
    """A URL as a person may write it, with its scheme and without its fragment."""
    url = url.strip()
    if "://" not in url and not url.startswith(("data:", "javascript:", "file:", "mailto:", "about:")):
        url = f"https://{url}"
    return url.split("#", 1)[0]


def kind(answer: Answer) -> str:
    """The media type by what the body is, then by what the server says."""
    start = answer.body[:1024].lstrip().lower()
    if start.startswith(b"%pdf-"):
        return "application/pdf"
    if start.startswith((b"<!doctype html", b"<html")) or "html" in answer.media:
        return "text/html"
    if answer.media == "application/json" or answer.media.endswith("+json"):
        return "application/json"
    if answer.media.startswith("text/") or answer.media.endswith("xml") or answer.media == "application/javascript":
        return answer.media
    if not answer.media and b"\0" not in answer.body[:4096]:
        return "text/plain"
    what = answer.media or "unknown data"
    raise ToolError(f"{answer.url} is {what}, not text.", "Open it in the browser, or choose a page, PDF or text.")


def pretty(text: str) -> str:
    """JSON laid out for reading; text that only claims to be JSON stays as it is."""
    try:
        return f"```json\n{json.dumps(json.loads(text), ensure_ascii=False, indent=1)}\n```"
    except (ValueError, RecursionError):
        return text.strip()


async def web(blank: Page, html: str, render: Render | None) -> Page:
    """An HTML page; through a browser tab where it is empty without its scripts."""
    page = await article(blank, html)
    if not scripted(html, page.text):
        return page
    if render is None:
        return page.model_copy(update={"note": SCRIPTED})
    try:
        drawn = await article(blank, await render(blank.final_url))
    except ToolError as error:
        return page.model_copy(update={"note": f"{SCRIPTED} ({error.message})"})
    return drawn if len(drawn.text) > len(page.text) else page


async def article(blank: Page, html: str) -> Page:
    found = await asyncio.to_thread(extract, html, blank.final_url)
    links = tuple(Link(text=text, url=url) for text, url in found.links)
    facts = {"kind": found.kind, "title": found.title, "author": found.author, "date": found.date}
    return blank.model_copy(update={**facts, "text": found.text, "links": links})


async def book(blank: Page, answer: Answer) -> Page:
    if answer.cut:
        raise ToolError(f"{answer.url} is a PDF of more than {len(answer.body):,} bytes.", "Raise fetch.max_bytes.")
    found = await asyncio.to_thread(pdf.read, answer.body)
    facts = {"kind": "document", "title": found.title, "author": found.author, "date": found.date}
    return blank.model_copy(update={**facts, "text": found.text})

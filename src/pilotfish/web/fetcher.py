"""Fetches a web page as text: downloads it, reads it by its media type, and caches it."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from pilotfish.core.errors import ToolError
from pilotfish.core.parser_pool import parse_apart
from pilotfish.core.settings import FetchSettings
from pilotfish.core.values import Value
from pilotfish.web import robots
from pilotfish.web.address_guard import Resolver, system_resolver
from pilotfish.web.cache import MemoryCache, PageCache
from pilotfish.web.downloader import AGENT, AddressForbidden, Downloader, HttpAnswer, Reach, check_reach
from pilotfish.web.page_reading import read_html, read_pdf, read_text
from pilotfish.web.text_decoding import decode_body

PARALLEL_FETCHES = 3
ROBOTS_TTL = 3600.0
NEEDS_SCRIPTS = "This page builds itself with JavaScript, so parts may be missing. Open it in the browser to see all."
PageRenderer = Callable[[str], Awaitable[str]]


class PageLink(Value):
    """A link of a page."""

    text: str
    url: str


class WebPage(Value):
    """A page as text. `text` is Markdown without addresses; those are in `links`. `note` says what is unusual."""

    url: str
    final_url: str
    status: int = 200
    media: str = "text/html"
    kind: str = ""
    title: str = ""
    author: str = ""
    date: str = ""
    text: str = ""
    links: tuple[PageLink, ...] = ()
    size: int = 0
    note: str = ""


@dataclass(frozen=True)
class FetchCounts:
    """How many pages were fetched, cached and failed."""

    fetched: int = 0
    cached: int = 0
    failed: int = 0


class Fetcher:
    """Fetches pages within the settings' limits. Use it as a context manager, or close it."""

    def __init__(
        self,
        settings: FetchSettings,
        cache: PageCache | None = None,
        render: PageRenderer | None = None,
        resolve: Resolver = system_resolver,
    ) -> None:
        self.counts = FetchCounts()
        self._render = render
        self._settings = settings
        self._cache = cache or MemoryCache()
        self._download = Downloader(settings, resolve)
        self._slots = asyncio.Semaphore(PARALLEL_FETCHES)

    async def __aenter__(self) -> "Fetcher":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        await self._download.close()

    async def fetch(
        self, url: str, *, fresh: bool = False, render: PageRenderer | None = None, reach: Reach | None = None
    ) -> WebPage:
        """The page at `url`; a ToolError says why there is none. `render` draws pages that need their scripts.

        `reach` is asked about each address, also about that of a cached page.
        """
        url = complete_url(url)
        check_reach(url, reach)
        render = render or self._render
        known = None if fresh else await self._cache.get(f"page:{url}")
        page = WebPage.model_validate_json(known) if known else None
        if page and not (render and page.note.startswith(NEEDS_SCRIPTS)):
            check_reach(page.final_url, reach)
            self.counts = replace(self.counts, cached=self.counts.cached + 1)
            return page
        try:
            async with self._slots:
                page = await self._read(url, render, reach)
        except ToolError:
            self.counts = replace(self.counts, failed=self.counts.failed + 1)
            raise
        self.counts = replace(self.counts, fetched=self.counts.fetched + 1)
        await self._cache.put(f"page:{url}", page.model_dump_json(), self._settings.ttl)
        return page

    async def fetch_all(
        self, urls: Sequence[str], *, render: PageRenderer | None = None, reach: Reach | None = None
    ) -> list[WebPage | ToolError]:
        """Several pages at once, in the order asked; one that fails stands there as its error."""
        reading = (self.fetch(url, render=render, reach=reach) for url in urls)
        results = await asyncio.gather(*reading, return_exceptions=True)
        for result in results:
            if isinstance(result, BaseException) and not isinstance(result, ToolError):
                raise result
        return [result for result in results if isinstance(result, WebPage | ToolError)]

    async def _read(self, url: str, render: PageRenderer | None, reach: Reach | None) -> WebPage:
        self._download.guard.check(url)
        await self._permit(url, reach)
        answer = await self._download.get(url, reach=reach)
        if urlsplit(answer.url).netloc != urlsplit(url).netloc:
            await self._permit(answer.url, reach)
        media = media_kind(answer)
        blank = WebPage(url=url, final_url=answer.url, status=answer.status, media=media, size=len(answer.body))
        if answer.cut:
            blank = blank.model_copy(update={"note": f"Only the first {len(answer.body):,} bytes were read."})
        if media == "application/pdf":
            return await read_pdf_page(blank, answer)
        if media == "text/html":
            return await read_web_page(blank, answer.body, answer.charset, render)
        text = await parse_apart(read_text, answer.body, what=answer.url, charset=answer.charset, media=media)
        return blank.model_copy(update={"text": text})

    async def _permit(self, url: str, reach: Reach | None) -> None:
        if self._settings.robots and not (await self._read_robots(url, reach)).allows(url):
            fix = "Choose another source, or switch the setting fetch.robots off if you may read it."
            raise ToolError(f"The site asks robots not to read {url}.", fix)

    async def _read_robots(self, url: str, reach: Reach | None) -> robots.Robots:
        """The site's rules. Where they cannot be had, nothing is forbidden."""
        parts = urlsplit(url)
        key = f"robots:{parts.scheme}://{parts.netloc}"
        text = await self._cache.get(key)
        if text is None:
            try:
                answer = await self._download.get(f"{parts.scheme}://{parts.netloc}/robots.txt", 500_000, reach)
                text = "" if media_kind(answer) == "text/html" else decode_body(answer.body, answer.charset)
            except AddressForbidden:
                return robots.Robots()
            except ToolError:
                text = ""
            await self._cache.put(key, text, ROBOTS_TTL)
        return await asyncio.to_thread(robots.parse_robots, text, AGENT)


def complete_url(url: str) -> str:
    """A URL as a person may write it, with its scheme and without its fragment."""
    url = url.strip()
    if "://" not in url and not url.startswith(("data:", "javascript:", "file:", "mailto:", "about:")):
        url = f"https://{url}"
    return url.split("#", 1)[0]


def media_kind(answer: HttpAnswer) -> str:
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


async def read_web_page(blank: WebPage, body: bytes, charset: str, render: PageRenderer | None) -> WebPage:
    """An HTML page; through a browser tab where it is empty without its scripts."""
    page, hollow = await read_article(blank, body, charset)
    if not hollow:
        return page
    if render is None:
        return page.model_copy(update={"note": NEEDS_SCRIPTS})
    try:
        drawn, _ = await read_article(blank, (await render(blank.final_url)).encode("utf-8", "replace"), "drawn")
    except ToolError as error:
        return page.model_copy(update={"note": f"{NEEDS_SCRIPTS} ({error.message})"})
    return drawn if len(drawn.text) > len(page.text) else page


async def read_article(blank: WebPage, body: bytes, charset: str) -> tuple[WebPage, bool]:
    """The page as it was read, and whether it seems empty until its scripts have run."""
    found = await parse_apart(read_html, body, what=blank.final_url, charset=charset, url=blank.final_url)
    links = tuple(PageLink(text=text, url=url) for text, url in found["links"])
    facts = {name: found[name] for name in ("kind", "title", "author", "date", "text")}
    return blank.model_copy(update={**facts, "links": links}), found["scripted"]


async def read_pdf_page(blank: WebPage, answer: HttpAnswer) -> WebPage:
    if answer.cut:
        raise ToolError(f"{answer.url} is a PDF of more than {len(answer.body):,} bytes.", "Raise fetch.max_bytes.")
    found = await parse_apart(read_pdf, answer.body, what=answer.url)
    facts = {name: found[name] for name in ("title", "author", "date", "text")}
    return blank.model_copy(update={**facts, "kind": "document"})

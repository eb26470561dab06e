"""Tools for the web without a browser: search, and read up to three pages at once."""

import asyncio
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, Field

from pilotfish.core.errors import ModelError, ToolError
from pilotfish.core.prompts import render
from pilotfish.core.usage import Usage
from pilotfish.safety.untrusted_text import UntrustedText
from pilotfish.tools.base import BrowserSource, ToolContext, ToolResult, tool
from pilotfish.web.fetcher import Fetcher, PageRenderer, WebPage
from pilotfish.web.rank import ANSWER_WORDS, Detail, TextPassage, join_passages, select_passages, word_length
from pilotfish.web.search.base import HitKind, Recency, SearchHit
from pilotfish.web.search.chain import SearchChain, SearchRequest, SearchResult
from pilotfish.web.search.local import IndexedPage
from pilotfish.web.search.sites import SourceCategory

PROMPTS = Path(__file__).parent / "prompts"
KEPT_LENGTH = 4000
"""How many characters of a page are kept beside its source, to tell what came from where."""


class PageDigest(BaseModel):
    """What the pages say."""

    text: str


@tool(group="web", timeout=60)
async def web_search(
    ctx: ToolContext,
    query: Annotated[str, Field(min_length=1, max_length=400, description="a few precise words")],
    source_category: Annotated[SourceCategory, Field(description="hold the search to sites of this kind")] = "any",
    target_info: Annotated[str, Field(description="what exactly you want to learn")] = "",
    recency: Annotated[Recency, Field(description="how new the results must be")] = "any",
    kind: Annotated[HitKind, Field(description="pages, news, pictures or videos")] = "web",
) -> ToolResult:
    """Search the web. Returns titles, addresses and snippets; read the pages that matter with web_fetch."""
    ask = SearchRequest(
        query=query, category=source_category, target=target_info, recency=recency, kind=kind, user=ctx.user
    )
    found = await ctx.use(SearchChain).search(ask)
    if found.failed:
        raise ToolError(f"The search failed. {' '.join(found.notes)}")
    count = f"{len(found.hits)} result{'s' * (len(found.hits) != 1)} for “{found.query}”"
    text = f"{count} from {found.provider}" if found.hits else count
    usage = Usage(cost=found.cents / 100)
    return ToolResult(output=list_hits(found, text), text=text, data=found.model_dump(mode="json"), usage=usage)


def list_hits(found: SearchResult, head: str) -> str:
    lines = [head + (" (nothing was found for the first wording)" if found.rephrased else "")]
    lines += [describe_hit(number, hit) for number, hit in enumerate(found.hits, 1)]
    if not found.hits:
        lines.append("Nothing was found. Try other words, fewer of them, or no source_category and recency.")
    lines += [f"Note: {note}" for note in found.notes]
    return "\n".join(lines)


def describe_hit(number: int, hit: SearchHit) -> str:
    dated = f" ({hit.date})" if hit.date else ""
    picture = f"\n   picture: {hit.image}" if hit.image else ""
    return f"{number}. {hit.title}{dated}\n   {hit.url}{picture}" + (f"\n   {hit.snippet[:300]}" if hit.snippet else "")


@tool(group="web", timeout=240)
async def web_fetch(
    ctx: ToolContext,
    urls: Annotated[list[str], Field(min_length=1, max_length=3, description="one to three addresses")],
    query: Annotated[str, Field(min_length=1, description="what you want to learn from them")],
    detail: Annotated[Detail, Field(description="brief: 150 words; detailed: 500; full: the text itself")] = "brief",
) -> ToolResult:
    """Read web pages, PDFs, text or JSON and get what they say about the query, with numbered sources."""
    fetcher = ctx.use(Fetcher)
    results = await fetcher.fetch_all(list(dict.fromkeys(urls)), render=page_renderer(ctx), reach=ctx.reach)
    pages = [result for result in results if isinstance(result, WebPage)]
    errors = [f"{result.message} {result.fix}".strip() for result in results if isinstance(result, ToolError)]
    if not pages:
        raise ToolError("None of the pages could be read. " + " ".join(errors))
    for page in pages:
        found = {"url": page.final_url, "title": page.title, "text": page.text, "date": page.date}
        read = IndexedPage(**found, user=ctx.user, reader=ctx.run)
        await ctx.use(SearchChain).index.add(read)
    chosen = await asyncio.to_thread(select_passages, query, [page.text for page in pages], detail)
    body, note = await reduce_passages(ctx, query, pages, chosen, detail)
    sources = [cite_page(number, page) for number, page in enumerate(pages, 1)]
    notes = [*(f"Note on [{n}]: {page.note}" for n, page in enumerate(pages, 1) if page.note), *note]
    failed = [f"Not read: {error}" for error in errors]
    return ToolResult(
        output="\n\n".join(filter(None, [body, "Sources:\n" + "\n".join(sources), "\n".join([*notes, *failed])])),
        text=f"Read {len(pages)} page{'s' * (len(pages) != 1)}" + (f", {len(errors)} failed" if errors else ""),
        data={
            "fetched": len(pages),
            "failed": len(errors),
            "errors": errors,
            "sources": [
                page_data(page) | {"passage": passage_text(chosen, at)[:KEPT_LENGTH]} for at, page in enumerate(pages)
            ],
        },
    )


async def reduce_passages(
    ctx: ToolContext, query: str, pages: list[WebPage], chosen: list[TextPassage], detail: Detail
) -> tuple[str, list[str]]:
    """Let the light model shorten the passages. Short ones, or all where no model is available, stay as they are."""
    whole = quote_passages(pages, chosen)
    if detail == "full" or sum(word_length(piece.text) for piece in chosen) <= ANSWER_WORDS[detail]:
        return whole, []
    passages = quote_passages(pages, chosen, UntrustedText(ctx.conversation))
    values = {"query": query, "words": ANSWER_WORDS[detail], "passages": passages}
    try:
        digest = await ctx.think(render(PROMPTS, "web_passages", values), PageDigest, tier="light")
    except ModelError as error:
        return whole, [f"Note: the passages are as found, since they could not be summarised: {error.message}"]
    return digest.text.strip() or whole, []


def quote_passages(pages: list[WebPage], chosen: list[TextPassage], untrusted: UntrustedText | None = None) -> str:
    """The passages under the numbers of their pages; for a prompt, each between marks."""
    parts: list[str] = []
    for number, page in enumerate(pages, 1):
        text = passage_text(chosen, number - 1)
        head = f"[{number}] {page.title or page.final_url}"
        parts.append(untrusted.wrap(f"{head}\n{text}", f"page {number}") if untrusted else f"{head}\n\n{text}")
    return "\n\n".join(parts)


def passage_text(chosen: list[TextPassage], page: int) -> str:
    """What was chosen of one page."""
    return "\n\n[…]\n\n".join(join_passages([piece for piece in chosen if piece.page == page]))


def cite_page(number: int, page: WebPage) -> str:
    about = ", ".join(filter(None, (page.author, page.date)))
    return f"[{number}] {page.title or 'Untitled'} — {page.final_url}" + (f" ({about})" if about else "")


def page_data(page: WebPage) -> dict[str, Any]:
    return page.model_dump(
        mode="json", include={"url", "final_url", "title", "author", "date", "kind", "media", "size"}
    )


def page_renderer(ctx: ToolContext) -> PageRenderer | None:
    """A function that renders a page in a tab of the run's browser, one at a time; None without a browser."""
    if BrowserSource not in ctx.services:
        return None
    turn = asyncio.Lock()

    async def draw(url: str) -> str:
        from pilotfish.browser.sessions.waiting import wait_until_settled

        async with turn:
            session = await ctx.browser()
            before = (await session.tab()).number
            tab = await session.open()
            try:
                mark, visits = tab.activity.mark, tab.activity.visits
                await tab.goto(url)
                await wait_until_settled(tab, mark, visits)
                return await tab.guard.call(tab.page.content(), "reading the page")
            finally:
                await session.close(tab.number)
                await session.switch(before)

    return draw

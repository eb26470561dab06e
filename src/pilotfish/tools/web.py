"""The web without a browser: searching it, and reading up to three pages at once."""

import asyncio
import secrets
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, Field

from pilotfish.core.errors import ModelError, ToolError
from pilotfish.core.prompts import render
from pilotfish.core.usage import Usage
from pilotfish.tools.base import Browsing, Context, Result, tool
from pilotfish.web.fetch import Fetcher, Page, Render
from pilotfish.web.rank import WANTED, Detail, Passage, joined, length, select
from pilotfish.web.search.base import Hit, Kind, Recency
from pilotfish.web.search.chain import Ask, Found, Searcher
from pilotfish.web.search.local import Entry
from pilotfish.web.search.sites import Category

PROMPTS = Path(__file__).parent / "prompts"
KEPT = 4000
"""How many characters of a page are kept beside its source, to tell what came from where."""


class Digest(BaseModel):
    """What the pages say."""

    text: str


@tool(group="web", timeout=60)
async def web_search(
    ctx: Context,
    query: Annotated[str, Field(min_length=1, max_length=400, description="a few precise words")],
    source_category: Annotated[Category, Field(description="hold the search to sites of this kind")] = "any",
    target_info: Annotated[str, Field(description="what exactly you want to learn")] = "",
    recency: Annotated[Recency, Field(description="how new the results must be")] = "any",
    kind: Annotated[Kind, Field(description="pages, news, pictures or videos")] = "web",
) -> Result:
    """Search the web. Returns titles, addresses and snippets; read the pages that matter with web_fetch."""
    ask = Ask(query=query, category=source_category, target=target_info, recency=recency, kind=kind, user=ctx.user)
    found = await ctx.use(Searcher).search(ask)
    count = f"{len(found.hits)} result{'s' * (len(found.hits) != 1)} for “{found.query}”"
    text = f"{count} from {found.provider}" if found.hits else count
    usage = Usage(cost=found.cents / 100)
    return Result(output=listed(found, text), text=text, data=found.model_dump(mode="json"), usage=usage)


def listed(found: Found, head: str) -> str:
    lines = [head + (" (nothing was found for the first wording)" if found.rephrased else "")]
    lines += [entry(number, hit) for number, hit in enumerate(found.hits, 1)]
    if not found.hits:
        lines.append("Nothing was found. Try other words, fewer of them, or no source_category and recency.")
    lines += [f"Note: {note}" for note in found.notes]
    return "\n".join(lines)


def entry(number: int, hit: Hit) -> str:
    dated = f" ({hit.date})" if hit.date else ""
    picture = f"\n   picture: {hit.image}" if hit.image else ""
    return f"{number}. {hit.title}{dated}\n   {hit.url}{picture}" + (f"\n   {hit.snippet[:300]}" if hit.snippet else "")


@tool(group="web", timeout=240)
async def web_fetch(
    ctx: Context,
    urls: Annotated[list[str], Field(min_length=1, max_length=3, description="one to three addresses")],
    query: Annotated[str, Field(min_length=1, description="what you want to learn from them")],
    detail: Annotated[Detail, Field(description="brief: 150 words; detailed: 500; full: the text itself")] = "brief",
) -> Result:
    """Read web pages, PDFs, text or JSON and get what they say about the query, with numbered sources."""
    fetcher = ctx.use(Fetcher)
    results = await fetcher.many(list(dict.fromkeys(urls)), render=drawing(ctx))
    pages = [result for result in results if isinstance(result, Page)]
    errors = [f"{result.message} {result.fix}".strip() for result in results if isinstance(result, ToolError)]
    if not pages:
        raise ToolError("None of the pages could be read. " + " ".join(errors))
    for page in pages:
        await ctx.use(Searcher).index.add(Entry(url=page.final_url, title=page.title, text=page.text, date=page.date))
    chosen = await asyncio.to_thread(select, query, [page.text for page in pages], detail)
    body, note = await reduced(ctx, query, pages, chosen, detail)
    sources = [cited(number, page) for number, page in enumerate(pages, 1)]
    notes = [*(f"Note on [{n}]: {page.note}" for n, page in enumerate(pages, 1) if page.note), *note]
    failed = [f"Not read: {error}" for error in errors]
    return Result(
        output="\n\n".join(filter(None, [body, "Sources:\n" + "\n".join(sources), "\n".join([*notes, *failed])])),
        text=f"Read {len(pages)} page{'s' * (len(pages) != 1)}" + (f", {len(errors)} failed" if errors else ""),
        data={
            "fetched": len(pages),
            "failed": len(errors),
            "errors": errors,
            "sources": [told(page) | {"passage": passage(chosen, at)[:KEPT]} for at, page in enumerate(pages)],
        },
    )


async def reduced(
    ctx: Context, query: str, pages: list[Page], chosen: list[Passage], detail: Detail
) -> tuple[str, list[str]]:
    """The passages in the words of the light model; as they are where they are short, or no model can be had."""
    whole = quoted(pages, chosen)
    if detail == "full" or sum(length(piece.text) for piece in chosen) <= WANTED[detail]:
        return whole, []
    nonce = secrets.token_hex(4)
    values = {"nonce": nonce, "query": query, "words": WANTED[detail], "passages": quoted(pages, chosen, nonce)}
    try:
        digest = await ctx.think(render(PROMPTS, "digest", values), Digest, tier="light")
    except ModelError as error:
        return whole, [f"Note: the passages are as found, since they could not be summarised: {error.message}"]
    return digest.text.strip() or whole, []


def quoted(pages: list[Page], chosen: list[Passage], nonce: str = "") -> str:
    """The passages under the numbers of their pages."""
    parts: list[str] = []
    for number, page in enumerate(pages, 1):
        text = passage(chosen, number - 1)
        head = f"[{number}] {page.title or page.final_url}"
        parts.append(f"<{nonce} page={number}>\n{head}\n{text}\n</{nonce}>" if nonce else f"{head}\n\n{text}")
    return "\n\n".join(parts)


def passage(chosen: list[Passage], page: int) -> str:
    """What was chosen of one page."""
    return "\n\n[…]\n\n".join(joined([piece for piece in chosen if piece.page == page]))


def cited(number: int, page: Page) -> str:
    about = ", ".join(filter(None, (page.author, page.date)))
    return f"[{number}] {page.title or 'Untitled'} — {page.final_url}" + (f" ({about})" if about else "")


def told(page: Page) -> dict[str, Any]:
    return page.model_dump(
        mode="json", include={"url", "final_url", "title", "author", "date", "kind", "media", "size"}
    )


def drawing(ctx: Context) -> Render | None:
    """A way to draw a page in a tab of the run's browser, one at a time; none where the run has no browser."""
    if Browsing not in ctx.services:
        return None
    turn = asyncio.Lock()

    async def draw(url: str) -> str:
        from pilotfish.browser.wait import settle

        async with turn:
            session = await ctx.browser()
            before = (await session.tab()).number
            tab = await session.open()
            try:
                mark, visits = tab.activity.mark, tab.activity.visits
                await tab.goto(url)
                await settle(tab, mark, visits)
                return await tab.guard.call(tab.page.content(), "reading the page")
            finally:
                await session.close(tab.number)
                await session.switch(before)

    return draw

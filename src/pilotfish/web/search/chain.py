"""Searches through several providers: the first that finds something answers; failing ones are skipped."""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence

from pydantic import TypeAdapter

from pilotfish.core.errors import ToolError
from pilotfish.core.settings import SearchSettings
from pilotfish.core.values import Value
from pilotfish.web.cache import MemoryCache, PageCache
from pilotfish.web.rank import STOP_WORDS
from pilotfish.web.search.base import HitKind, HttpClient, Recency, SearchHit, SearchProvider, SearchQuery
from pilotfish.web.search.limits import MemoryMeter, SearchLimits, SearchMeter
from pilotfish.web.search.local import MemoryIndex, PageIndex
from pilotfish.web.search.sites import SITES, SourceCategory

RESULT_TTL = 900.0
HITS: TypeAdapter[list[SearchHit]] = TypeAdapter(list[SearchHit])
Rephrase = Callable[[SearchQuery], Awaitable[SearchQuery]]
POLITE = STOP_WORDS | {"please", "find", "tell", "me", "could", "should", "my", "your"}


class SearchRequest(Value):
    """A search as a tool asks for it."""

    query: str
    category: SourceCategory = "any"
    target: str = ""
    recency: Recency = "any"
    kind: HitKind = "web"
    user: str = ""
    limit: int = 8


class SearchResult(Value):
    """The hits, the provider and query that found them, and the errors of the others. `failed`: no engine answered."""

    hits: tuple[SearchHit, ...] = ()
    provider: str = ""
    query: str = ""
    rephrased: bool = False
    cached: bool = False
    notes: tuple[str, ...] = ()
    failed: bool = False
    usage: Mapping[str, int] = {}
    cents: float = 0.0


class SearchChain:
    """Tries the providers in order. `index` keeps the pages that were read, for the local provider."""

    def __init__(
        self,
        settings: SearchSettings,
        providers: Sequence[SearchProvider],
        *,
        index: PageIndex | None = None,
        cache: PageCache | None = None,
        meter: SearchMeter | None = None,
        rephrase: Rephrase | None = None,
    ) -> None:
        self.index: PageIndex = index or MemoryIndex()
        self._providers = providers
        self._cents = settings.cents
        self._cache: PageCache = cache or MemoryCache()
        self._limits = SearchLimits(settings, meter or MemoryMeter())
        self._rephrase = rephrase or loosen_query

    async def search(self, ask: SearchRequest) -> SearchResult:
        """Ask the providers in turn; if nothing is found, once more with a looser query."""
        query = phrase_query(ask)
        found = await self._try(query, ask.user)
        if not found.hits:
            other = await self._rephrase(query)
            if other != query:
                again = await self._try(other, ask.user)
                notes = tuple(dict.fromkeys((*found.notes, *again.notes)))
                cents = found.cents + again.cents
                found = again.model_copy(update={"rephrased": True, "notes": notes, "cents": cents})
        return found.model_copy(update={"usage": await self._limits.usage(ask.user)})

    async def _try(self, query: SearchQuery, user: str) -> SearchResult:
        key = f"search:{query.model_dump_json(exclude={'user'})}"
        known = await self._cache.get(key)
        if known is not None:
            hits = HITS.validate_json(known)
            return SearchResult(hits=tuple(hits), provider=hits[0].provider, query=query.text, cached=True)
        notes: list[str] = []
        cents, answered = 0.0, False
        for provider in self._providers:
            if query.kind not in provider.kinds:
                continue
            try:
                await self._limits.take(user, provider.name)
                hits = await provider.search(query)
            except ToolError as error:
                notes.append(" ".join(filter(None, (error.message, error.fix))))
                continue
            cents += self._cents.get(provider.name, 0.0)
            answered = answered or provider.name != "local"
            if hits:
                if provider.name != "local":
                    await self._cache.put(key, HITS.dump_json(hits).decode(), RESULT_TTL)
                found = SearchResult(hits=tuple(hits), provider=provider.name, query=query.text, cents=cents)
                return found.model_copy(update={"notes": tuple(notes)})
        failed = bool(notes) and not answered
        return SearchResult(query=query.text, notes=tuple(notes), cents=cents, failed=failed)


def phrase_query(ask: SearchRequest) -> SearchQuery:
    """The query for an engine: further conditions are added where they say something new."""
    text = " ".join(ask.query.split())
    said = set(text.lower().split())
    more = [word for word in ask.target.split() if word.lower() not in said | STOP_WORDS]
    kind: HitKind = "news" if ask.category == "news" and ask.kind == "web" and ask.recency == "day" else ask.kind
    sites = () if kind in ("images", "videos") else SITES[ask.category]
    text = " ".join([text, *more[:8]])
    return SearchQuery(text=text, kind=kind, sites=sites, recency=ask.recency, limit=ask.limit, user=ask.user)


async def loosen_query(query: SearchQuery) -> SearchQuery:
    """The same question with fewer conditions: no quotes, operators, sites or small words."""
    text = re.sub(r"\b(?:site|filetype|intitle|inurl):\S+|[\"“”()]|(?<!\w)[+-](?=\w)", " ", query.text)
    words = [word for word in text.split() if word.lower().strip("?!.,") not in POLITE and word not in ("OR", "AND")]
    return query.model_copy(
        update={"text": " ".join(words).rstrip("?!. ") or query.text, "sites": (), "recency": "any"}
    )


def make_providers(settings: SearchSettings, client: HttpClient, index: PageIndex) -> list[SearchProvider]:
    """The providers that are named and have what they need, in the order of the settings."""
    from pilotfish.web.search.brave import BraveProvider
    from pilotfish.web.search.duckduckgo import DuckduckgoProvider
    from pilotfish.web.search.google import GoogleProvider
    from pilotfish.web.search.local import LocalProvider
    from pilotfish.web.search.searxng import SearxngProvider
    from pilotfish.web.search.tavily import TavilyProvider

    known: dict[str, SearchProvider | None] = {
        "searxng": SearxngProvider(client, settings.searxng_url) if settings.searxng_url else None,
        "brave": BraveProvider(client, settings.brave_key) if settings.brave_key else None,
        "tavily": TavilyProvider(client, settings.tavily_key) if settings.tavily_key else None,
        "google": GoogleProvider(client, settings.google_key, settings.google_engine)
        if settings.google_key and settings.google_engine
        else None,
        "duckduckgo": DuckduckgoProvider(),
        "local": LocalProvider(index),
    }
    return [found for name in settings.providers if (found := known.get(name)) is not None]

"""Searching through several providers: the first that finds something answers, and one that is dead is passed over."""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence

from pydantic import TypeAdapter

from pilotfish.core.errors import ToolError
from pilotfish.core.settings import Search
from pilotfish.core.values import Value
from pilotfish.web.cache import Cache, Memory
from pilotfish.web.rank import STOP
from pilotfish.web.search.base import Client, Hit, Kind, Provider, Query, Recency
from pilotfish.web.search.limits import Limits, Meter, Tally
from pilotfish.web.search.local import Index, Shelf
from pilotfish.web.search.sites import SITES, Category

TTL = 900.0
HITS: TypeAdapter[list[Hit]] = TypeAdapter(list[Hit])
Rephrase = Callable[[Query], Awaitable[Query]]
POLITE = STOP | {"please", "find", "tell", "me", "could", "should", "my", "your"}


class Ask(Value):
    """What somebody wants to know."""

    query: str
    category: Category = "any"
    target: str = ""
    recency: Recency = "any"
    kind: Kind = "web"
    user: str = ""
    limit: int = 8


class Found(Value):
    """What came of it: hits, who found them, with which words, and what went wrong on the way."""

    hits: tuple[Hit, ...] = ()
    provider: str = ""
    query: str = ""
    rephrased: bool = False
    cached: bool = False
    notes: tuple[str, ...] = ()
    usage: Mapping[str, int] = {}
    cents: float = 0.0


class Searcher:
    """The chain. `index` is where pages that were read are put, so that the local provider finds them."""

    def __init__(
        self,
        settings: Search,
        providers: Sequence[Provider],
        *,
        index: Index | None = None,
        cache: Cache | None = None,
        meter: Meter | None = None,
        rephrase: Rephrase | None = None,
    ) -> None:
        self.index: Index = index or Shelf()
        self._providers = providers
        self._cents = settings.cents
        self._cache: Cache = cache or Memory()
        self._limits = Limits(settings, meter or Tally())
        self._rephrase = rephrase or loosen

    async def search(self, ask: Ask) -> Found:
        """Ask the providers in turn; with nothing found, once more in other words."""
        query = phrase(ask)
        found = await self._try(query, ask.user)
        if not found.hits:
            other = await self._rephrase(query)
            if other != query:
                again = await self._try(other, ask.user)
                notes = tuple(dict.fromkeys((*found.notes, *again.notes)))
                cents = found.cents + again.cents
                found = again.model_copy(update={"rephrased": True, "notes": notes, "cents": cents})
        return found.model_copy(update={"usage": await self._limits.usage(ask.user)})

    async def _try(self, query: Query, user: str) -> Found:
        key = f"search:{query.model_dump_json()}"
        known = await self._cache.get(key)
        if known is not None:
            hits = HITS.validate_json(known)
            return Found(hits=tuple(hits), provider=hits[0].provider, query=query.text, cached=True)
        notes: list[str] = []
        cents = 0.0
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
            if hits:
                if provider.name != "local":
                    await self._cache.put(key, HITS.dump_json(hits).decode(), TTL)
                found = Found(hits=tuple(hits), provider=provider.name, query=query.text, cents=cents)
                return found.model_copy(update={"notes": tuple(notes)})
        return Found(query=query.text, notes=tuple(notes), cents=cents)


def phrase(ask: Ask) -> Query:
    """The query as an engine should get it: what is wanted beside the words is added where it says something new."""
    text = " ".join(ask.query.split())
    said = set(text.lower().split())
    more = [word for word in ask.target.split() if word.lower() not in said | STOP]
    kind: Kind = "news" if ask.category == "news" and ask.kind == "web" and ask.recency == "day" else ask.kind
    sites = () if kind in ("images", "videos") else SITES[ask.category]
    return Query(text=" ".join([text, *more[:8]]), kind=kind, sites=sites, recency=ask.recency, limit=ask.limit)


async def loosen(query: Query) -> Query:
    """The same question with fewer conditions: no quotes, operators, sites or small words."""
    text = re.sub(r"\b(?:site|filetype|intitle|inurl):\S+|[\"“”()]|(?<!\w)[+-](?=\w)", " ", query.text)
    words = [word for word in text.split() if word.lower().strip("?!.,") not in POLITE and word not in ("OR", "AND")]
    return query.model_copy(
        update={"text": " ".join(words).rstrip("?!. ") or query.text, "sites": (), "recency": "any"}
    )


def providers(settings: Search, client: Client, index: Index) -> list[Provider]:
    """The providers that are named and have what they need, in the order of the settings."""
    from pilotfish.web.search.brave import Brave
    from pilotfish.web.search.duckduckgo import Duckduckgo
    from pilotfish.web.search.google import Google
    from pilotfish.web.search.local import Local
    from pilotfish.web.search.searxng import Searxng
    from pilotfish.web.search.tavily import Tavily

    known: dict[str, Provider | None] = {
        "searxng": Searxng(client, settings.searxng_url) if settings.searxng_url else None,
        "brave": Brave(client, settings.brave_key) if settings.brave_key else None,
        "tavily": Tavily(client, settings.tavily_key) if settings.tavily_key else None,
        "google": Google(client, settings.google_key, settings.google_engine)
        if settings.google_key and settings.google_engine
        else None,
        "duckduckgo": Duckduckgo(),
        "local": Local(index),
    }
    return [found for name in settings.providers if (found := known.get(name)) is not None]

"""SearXNG over HTTP: an instance that the person runs or trusts."""

from dataclasses import dataclass
from typing import ClassVar

from pilotfish.web.search.base import (
    HitKind,
    HttpClient,
    SearchHit,
    SearchQuery,
    ask_provider,
    read_results,
    valid_hits,
)

CATEGORIES: dict[HitKind, str] = {"web": "general", "news": "news", "images": "images", "videos": "videos"}


@dataclass(frozen=True)
class SearxngProvider:
    client: HttpClient
    url: str
    name: ClassVar[str] = "searxng"
    kinds: ClassVar[frozenset[HitKind]] = frozenset({"web", "news", "images", "videos"})

    async def search(self, query: SearchQuery) -> list[SearchHit]:
        params = {"q": query.text_with_sites, "format": "json", "categories": CATEGORIES[query.kind]}
        if query.recency != "any":
            params["time_range"] = query.recency
        data = await ask_provider(self.client, self.name, f"{self.url.rstrip('/')}/search", params)
        images = ("img_src", "thumbnail_src", "thumbnail")
        return valid_hits(read_results(data, query, self.name, "publishedDate", images), query)

"""The Tavily Search API."""

from dataclasses import dataclass
from typing import Any, ClassVar

from pydantic import SecretStr

from pilotfish.web.search.base import (
    HitKind,
    HttpClient,
    SearchHit,
    SearchQuery,
    ask_provider,
    bare_hosts,
    first_text,
    read_results,
    rows_at,
    valid_hits,
)


@dataclass(frozen=True)
class TavilyProvider:
    client: HttpClient
    key: SecretStr
    url: str = "https://api.tavily.com"
    name: ClassVar[str] = "tavily"
    kinds: ClassVar[frozenset[HitKind]] = frozenset({"web", "news", "images"})

    async def search(self, query: SearchQuery) -> list[SearchHit]:
        body: dict[str, Any] = {
            "query": query.text[:400],
            "max_results": query.limit,
            "topic": "news" if query.kind == "news" else "general",
            "include_images": query.kind == "images",
            "include_image_descriptions": query.kind == "images",
        }
        if query.sites:
            body["include_domains"] = bare_hosts(query.sites)
        if query.recency != "any":
            body["time_range"] = query.recency
        headers = {"Authorization": f"Bearer {self.key.get_secret_value()}"}
        data = await ask_provider(self.client, self.name, f"{self.url}/search", headers=headers, body=body)
        if query.kind == "images":
            pictures = [(first_text(row, "description"), first_text(row, "url")) for row in rows_at(data, "images")]
            hits = [
                SearchHit(title=title, url=url, provider=self.name, kind="images", image=url) for title, url in pictures
            ]
            return valid_hits(hits, query.model_copy(update={"sites": ()}))
        return valid_hits(read_results(data, query, self.name, "published_date"), query)

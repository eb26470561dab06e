"""SearXNG over HTTP: an instance that the person runs or trusts."""

from dataclasses import dataclass
from typing import ClassVar

from pilotfish.web.search.base import Client, Hit, Kind, Query, ask, rows, text, valid

CATEGORIES: dict[Kind, str] = {"web": "general", "news": "news", "images": "images", "videos": "videos"}


@dataclass(frozen=True)
class Searxng:
    client: Client
    url: str
    name: ClassVar[str] = "searxng"
    kinds: ClassVar[frozenset[Kind]] = frozenset({"web", "news", "images", "videos"})

    async def search(self, query: Query) -> list[Hit]:
        params = {"q": query.sited, "format": "json", "categories": CATEGORIES[query.kind]}
        if query.recency != "any":
            params["time_range"] = query.recency
        data = await ask(self.client, self.name, f"{self.url.rstrip('/')}/search", params)
        hits = [
            Hit(
                title=text(row, "title"),
                url=text(row, "url"),
                snippet=text(row, "content"),
                provider=self.name,
                kind=query.kind,
                date=text(row, "publishedDate")[:10],
                image=text(row, "img_src", "thumbnail_src", "thumbnail"),
            )
            for row in rows(data, "results")
        ]
        return valid(hits, query)

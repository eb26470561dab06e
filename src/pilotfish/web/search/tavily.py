"""The Tavily Search API."""

from dataclasses import dataclass
from typing import Any, ClassVar

from pydantic import SecretStr

from pilotfish.web.search.base import Client, Hit, Kind, Query, ask, bare, rows, text, valid


@dataclass(frozen=True)
class Tavily:
    client: Client
    key: SecretStr
    url: str = "https://api.tavily.com"
    name: ClassVar[str] = "tavily"
    kinds: ClassVar[frozenset[Kind]] = frozenset({"web", "news", "images"})

    async def search(self, query: Query) -> list[Hit]:
        body: dict[str, Any] = {
            "query": query.text[:400],
            "max_results": query.limit,
            "topic": "news" if query.kind == "news" else "general",
            "include_images": query.kind == "images",
            "include_image_descriptions": query.kind == "images",
        }
        if query.sites:
            body["include_domains"] = bare(query.sites)
        if query.recency != "any":
            body["time_range"] = query.recency
        headers = {"Authorization": f"Bearer {self.key.get_secret_value()}"}
        data = await ask(self.client, self.name, f"{self.url}/search", headers=headers, body=body)
        if query.kind == "images":
            pictures = [(text(row, "description"), text(row, "url")) for row in rows(data, "images")]
            hits = [Hit(title=title, url=url, provider=self.name, kind="images", image=url) for title, url in pictures]
            return valid(hits, query.model_copy(update={"sites": ()}))
        hits = [
            Hit(
                title=text(row, "title"),
                url=text(row, "url"),
                snippet=text(row, "content"),
                provider=self.name,
                kind=query.kind,
                date=text(row, "published_date")[:10],
            )
            for row in rows(data, "results")
        ]
        return valid(hits, query)

"""The Brave Search API."""

import re
from dataclasses import dataclass
from typing import ClassVar

from pydantic import SecretStr

from pilotfish.web.search.base import (
    HitKind,
    HttpClient,
    Recency,
    SearchHit,
    SearchQuery,
    ask_provider,
    first_text,
    rows_at,
    valid_hits,
)

FRESHNESS: dict[Recency, str] = {"day": "pd", "week": "pw", "month": "pm", "year": "py"}
TAG = re.compile(r"</?strong>")


@dataclass(frozen=True)
class BraveProvider:
    client: HttpClient
    key: SecretStr
    url: str = "https://api.search.brave.com/res/v1"
    name: ClassVar[str] = "brave"
    kinds: ClassVar[frozenset[HitKind]] = frozenset({"web", "news", "images", "videos"})

    async def search(self, query: SearchQuery) -> list[SearchHit]:
        params: dict[str, str | int] = {"q": query.text_with_sites[:400], "count": query.limit}
        if query.recency != "any" and query.kind != "images":
            params["freshness"] = FRESHNESS[query.recency]
        headers = {"X-Subscription-Token": self.key.get_secret_value(), "Accept": "application/json"}
        data = await ask_provider(self.client, self.name, f"{self.url}/{query.kind}/search", params, headers)
        found = rows_at(data, "web", "results") if query.kind == "web" else rows_at(data, "results")
        return valid_hits([self._hit(row, query.kind) for row in found], query)

    def _hit(self, row: dict[str, object] | object, kind: HitKind) -> SearchHit:
        fields = row if isinstance(row, dict) else {}
        pictures = [fields.get("properties"), fields.get("thumbnail")]
        picture = next((first_text(each, "url", "src") for each in pictures if isinstance(each, dict)), "")
        return SearchHit(
            title=TAG.sub("", first_text(fields, "title")),
            url=first_text(fields, "url"),
            snippet=TAG.sub("", first_text(fields, "description")),
            provider=self.name,
            kind=kind,
            date=first_text(fields, "page_age")[:10],
            image=picture if kind in ("images", "videos") else "",
        )

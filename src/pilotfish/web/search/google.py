"""Google's Custom Search JSON API."""

from dataclasses import dataclass
from typing import Any, ClassVar

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

RESTRICT: dict[Recency, str] = {"day": "d1", "week": "w1", "month": "m1", "year": "y1"}


@dataclass(frozen=True)
class GoogleProvider:
    """The key goes in a header, so that no log of addresses ever shows it."""

    client: HttpClient
    key: SecretStr
    engine: str
    url: str = "https://www.googleapis.com/customsearch/v1"
    name: ClassVar[str] = "google"
    kinds: ClassVar[frozenset[HitKind]] = frozenset({"web", "images"})

    async def search(self, query: SearchQuery) -> list[SearchHit]:
        params: dict[str, Any] = {"cx": self.engine, "q": query.text_with_sites, "num": min(query.limit, 10)}
        if query.recency != "any":
            params["dateRestrict"] = RESTRICT[query.recency]
        if query.kind == "images":
            params["searchType"] = "image"
        headers = {"X-goog-api-key": self.key.get_secret_value()}
        data = await ask_provider(self.client, self.name, self.url, params, headers)
        return valid_hits([self._hit(row, query.kind) for row in rows_at(data, "items")], query)

    def _hit(self, row: Any, kind: HitKind) -> SearchHit:
        place = row.get("image")
        pictured = kind == "images" and isinstance(place, dict)
        return SearchHit(
            title=first_text(row, "title"),
            url=first_text(place, "contextLink") or first_text(row, "link") if pictured else first_text(row, "link"),
            snippet=first_text(row, "snippet"),
            provider=self.name,
            kind=kind,
            image=first_text(row, "link") if pictured else "",
        )

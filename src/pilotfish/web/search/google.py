"""Google's Custom Search JSON API."""

from dataclasses import dataclass
from typing import Any, ClassVar

from pydantic import SecretStr

from pilotfish.web.search.base import Client, Hit, Kind, Query, Recency, ask, rows, text, valid

RESTRICT: dict[Recency, str] = {"day": "d1", "week": "w1", "month": "m1", "year": "y1"}


@dataclass(frozen=True)
class Google:
    """The key goes in a header, so that no log of addresses ever shows it."""

    client: Client
    key: SecretStr
    engine: str
    url: str = "https://www.googleapis.com/customsearch/v1"
    name: ClassVar[str] = "google"
    kinds: ClassVar[frozenset[Kind]] = frozenset({"web", "images"})

    async def search(self, query: Query) -> list[Hit]:
        params: dict[str, Any] = {"cx": self.engine, "q": query.sited, "num": min(query.limit, 10)}
        if query.recency != "any":
            params["dateRestrict"] = RESTRICT[query.recency]
        if query.kind == "images":
            params["searchType"] = "image"
        headers = {"X-goog-api-key": self.key.get_secret_value()}
        data = await ask(self.client, self.name, self.url, params, headers)
        return valid([self._hit(row, query.kind) for row in rows(data, "items")], query)

    def _hit(self, row: Any, kind: Kind) -> Hit:
        place = row.get("image")
        pictured = kind == "images" and isinstance(place, dict)
        return Hit(
            title=text(row, "title"),
            url=text(place, "contextLink") or text(row, "link") if pictured else text(row, "link"),
            snippet=text(row, "snippet"),
            provider=self.name,
            kind=kind,
            image=text(row, "link") if pictured else "",
        )

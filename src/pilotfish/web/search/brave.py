"""The Brave Search API."""

import re
from dataclasses import dataclass
from typing import ClassVar

from pydantic import SecretStr

from pilotfish.web.search.base import Client, Hit, Kind, Query, Recency, ask, rows, text, valid

FRESHNESS: dict[Recency, str] = {"day": "pd", "week": "pw", "month": "pm", "year": "py"}
TAG = re.compile(r"</?strong>")


@dataclass(frozen=True)
class Brave:
    client: Client
    key: SecretStr
    url: str = "https://api.search.brave.com/res/v1"
    name: ClassVar[str] = "brave"
    kinds: ClassVar[frozenset[Kind]] = frozenset({"web", "news", "images", "videos"})

    async def search(self, query: Query) -> list[Hit]:
        params: dict[str, str | int] = {"q": query.sited[:400], "count": query.limit}
        if query.recency != "any" and query.kind != "images":
            params["freshness"] = FRESHNESS[query.recency]
        headers = {"X-Subscription-Token": self.key.get_secret_value(), "Accept": "application/json"}
        data = await ask(self.client, self.name, f"{self.url}/{query.kind}/search", params, headers)
        found = rows(data, "web", "results") if query.kind == "web" else rows(data, "results")
        return valid([self._hit(row, query.kind) for row in found], query)

    def _hit(self, row: dict[str, object] | object, kind: Kind) -> Hit:
        fields = row if isinstance(row, dict) else {}
        pictures = [fields.get("properties"), fields.get("thumbnail")]
        picture = next((text(each, "url", "src") for each in pictures if isinstance(each, dict)), "")
        return Hit(
            title=TAG.sub("", text(fields, "title")),
            url=text(fields, "url"),
            snippet=TAG.sub("", text(fields, "description")),
            provider=self.name,
            kind=kind,
            date=text(fields, "page_age")[:10],
            image=picture if kind in ("images", "videos") else "",
        )

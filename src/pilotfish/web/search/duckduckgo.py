"""DuckDuckGo and its like without a key, through the optional package `ddgs`."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pilotfish.core.errors import ToolError
from pilotfish.web.search.base import HitKind, Recency, SearchHit, SearchQuery, first_text, valid_hits

LIMITS: dict[Recency, str] = {"day": "d", "week": "w", "month": "m", "year": "y"}


@dataclass(frozen=True)
class DuckduckgoProvider:
    timeout: int = 10
    name: ClassVar[str] = "duckduckgo"
    kinds: ClassVar[frozenset[HitKind]] = frozenset({"web", "news", "images", "videos"})

    async def search(self, query: SearchQuery) -> list[SearchHit]:
        found = await asyncio.to_thread(self._ask, query)
        return valid_hits([make_hit(row, query.kind) for row in found], query)

    def _ask(self, query: SearchQuery) -> list[Mapping[str, Any]]:
        try:
            from ddgs import DDGS
            from ddgs.exceptions import DDGSException
        except ImportError:
            fix = "Install it with: pip install 'pilotfish[duckduckgo]'."
            raise ToolError("duckduckgo needs the package ddgs, which is not installed.", fix) from None
        engine = DDGS(timeout=self.timeout)
        asks = {"web": engine.text, "news": engine.news, "images": engine.images, "videos": engine.videos}
        try:
            limit = LIMITS.get(query.recency)
            return list(asks[query.kind](query.text_with_sites, timelimit=limit, max_results=query.limit))
        except DDGSException as error:
            if "no results" in str(error).lower():
                return []
            raise ToolError("duckduckgo cannot be reached or wants fewer requests.") from None


def make_hit(row: Mapping[str, Any], kind: HitKind) -> SearchHit:
    return SearchHit(
        title=first_text(row, "title"),
        url=first_text(row, "content", "href", "url") if kind == "videos" else first_text(row, "href", "url"),
        snippet=first_text(row, "body", "description"),
        provider="duckduckgo",
        kind=kind,
        date=first_text(row, "date", "published")[:10],
        image=first_text(row, "image", "thumbnail") if kind in ("images", "videos") else "",
    )

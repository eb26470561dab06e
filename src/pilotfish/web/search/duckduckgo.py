"""DuckDuckGo and its like without a key, through the optional package `ddgs`."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pilotfish.core.errors import ToolError
from pilotfish.web.search.base import Hit, Kind, Query, Recency, text, valid

LIMITS: dict[Recency, str] = {"day": "d", "week": "w", "month": "m", "year": "y"}


@dataclass(frozen=True)
class Duckduckgo:
    timeout: int = 10
    name: ClassVar[str] = "duckduckgo"
    kinds: ClassVar[frozenset[Kind]] = frozenset({"web", "news", "images", "videos"})

    async def search(self, query: Query) -> list[Hit]:
        found = await asyncio.to_thread(self._ask, query)
        return valid([hit(row, query.kind) for row in found], query)

    def _ask(self, query: Query) -> list[Mapping[str, Any]]:
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
            return list(asks[query.kind](query.sited, timelimit=limit, max_results=query.limit))
        except DDGSException as error:
            if "no results" in str(error).lower():
                return []
            raise ToolError("duckduckgo cannot be reached or wants fewer requests.") from None


def hit(row: Mapping[str, Any], kind: Kind) -> Hit:
    return Hit(
        title=text(row, "title"),
        url=text(row, "content", "href", "url") if kind == "videos" else text(row, "href", "url"),
        snippet=text(row, "body", "description"),
        provider="duckduckgo",
        kind=kind,
        date=text(row, "date", "published")[:10],
        image=text(row, "image", "thumbnail") if kind in ("images", "videos") else "",
    )

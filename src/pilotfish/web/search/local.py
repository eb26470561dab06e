"""Searches the pages that Pilotfish has read. It needs no key and no network."""

import asyncio
import math
import re
from collections import Counter, OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

from pydantic import Field

from pilotfish.core.values import Value
from pilotfish.web.rank import list_terms
from pilotfish.web.search.base import HitKind, SearchHit, SearchQuery, valid_hits


class IndexedPage(Value):
    """A page that was read, and by whom: nobody else finds it."""

    url: str
    title: str
    text: str
    date: str = ""
    user: str = ""
    reader: str = Field(default="", description="the run that read it last, or the conversation it was read ahead for")

    @property
    def key(self) -> str:
        """What it is kept under."""
        return page_key(self.user, self.url)


def page_key(user: str, url: str) -> str:
    """What a page that a person read is kept under."""
    return f"{user}:{url}"


class PageIndex(Protocol):
    """Keeps pages that were read, and finds them again by their words."""

    async def add(self, entry: IndexedPage) -> object: ...

    async def search(self, text: str, limit: int, user: str = "") -> Sequence[IndexedPage]:
        """What this person read about it."""
        ...


class MemoryIndex:
    """An index in memory; when it is full, the pages read longest ago are dropped."""

    def __init__(self, size: int = 500) -> None:
        self._size = size
        self._rows: OrderedDict[str, tuple[IndexedPage, Counter[str]]] = OrderedDict()

    async def add(self, entry: IndexedPage) -> list[str]:
        """Add a page; returns the keys of those that were dropped for it."""
        bag = await asyncio.to_thread(lambda: Counter(list_terms(f"{entry.title} {entry.title} {entry.text}")))
        self._rows.pop(entry.key, None)
        self._rows[entry.key] = (entry, bag)
        return [self._rows.popitem(last=False)[0] for _ in range(len(self._rows) - self._size)]

    def drop(self, key: str) -> None:
        self._rows.pop(key, None)

    async def search(self, text: str, limit: int, user: str = "") -> Sequence[IndexedPage]:
        wanted = set(list_terms(text))
        rows = [row for row in self._rows.values() if row[0].user == user]
        rare = {term: sum(term in bag for _, bag in rows) for term in wanted}
        scored = [(score_page(bag, wanted, rare, len(rows)), entry) for entry, bag in rows]
        return [entry for points, entry in sorted(scored, key=lambda row: -row[0])[:limit] if points > 0]


def score_page(bag: Counter[str], wanted: set[str], rare: dict[str, int], total: int) -> float:
    """Rare words count more, many times the same word little more; pages with few of the words do not count."""
    present = [term for term in wanted if bag[term]]
    if len(present) * 2 < len(wanted):
        return 0.0
    return sum(math.log(1 + total / rare[term]) * bag[term] / (bag[term] + 1.5) for term in present)


@dataclass(frozen=True)
class LocalProvider:
    index: PageIndex
    name: ClassVar[str] = "local"
    kinds: ClassVar[frozenset[HitKind]] = frozenset({"web", "news"})

    async def search(self, query: SearchQuery) -> list[SearchHit]:
        found = await self.index.search(query.text, query.limit * 3, query.user)
        hits = [
            SearchHit(
                title=entry.title or entry.url,
                url=entry.url,
                snippet=best_snippet(entry.text, query.text),
                provider=self.name,
                kind=query.kind,
                date=entry.date,
            )
            for entry in found
        ]
        return valid_hits(hits, query)


def best_snippet(body: str, wanted: str, length: int = 240) -> str:
    """The sentence or two with most of the words."""
    goal = set(list_terms(wanted))
    pieces = [piece.strip() for piece in re.split(r"(?<=[.!?。！？])\s+|\n+", body) if piece.strip()]
    best = max(range(len(pieces)), key=lambda at: len(goal & set(list_terms(pieces[at]))), default=0)
    return " ".join(pieces[best : best + 2])[:length]

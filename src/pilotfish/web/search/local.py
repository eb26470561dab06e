"""Searching what Pilotfish itself has read: needs no key and no network, so it always works."""

import math
import re
from collections import Counter, OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

from pilotfish.core.values import Value
from pilotfish.web.rank import terms
from pilotfish.web.search.base import Hit, Kind, Query, valid


class Entry(Value):
    """A page that was read."""

    url: str
    title: str
    text: str
    date: str = ""


class Index(Protocol):
    """Keeps pages that were read, and finds them again by their words."""

    async def add(self, entry: Entry) -> None: ...

    async def search(self, text: str, limit: int) -> Sequence[Entry]: ...


class Shelf:
    """An index in memory; the pages read longest ago make room."""

    def __init__(self, size: int = 500) -> None:
        self._size = size
        self._rows: OrderedDict[str, tuple[Entry, Counter[str]]] = OrderedDict()

    async def add(self, entry: Entry) -> None:
        self._rows.pop(entry.url, None)
        self._rows[entry.url] = (entry, Counter(terms(f"{entry.title} {entry.title} {entry.text}")))
        while len(self._rows) > self._size:
            self._rows.popitem(last=False)

    async def search(self, text: str, limit: int) -> Sequence[Entry]:
        wanted = set(terms(text))
        rare = {term: sum(term in bag for _, bag in self._rows.values()) for term in wanted}
        scored = [(score(bag, wanted, rare, len(self._rows)), entry) for entry, bag in self._rows.values()]
        return [entry for points, entry in sorted(scored, key=lambda row: -row[0])[:limit] if points > 0]


def score(bag: Counter[str], wanted: set[str], rare: dict[str, int], total: int) -> float:
    """Rare words count more, many times the same word little more; pages with few of the words do not count."""
    present = [term for term in wanted if bag[term]]
    if len(present) * 2 < len(wanted):
        return 0.0
    return sum(math.log(1 + total / rare[term]) * bag[term] / (bag[term] + 1.5) for term in present)


@dataclass(frozen=True)
class Local:
    index: Index
    name: ClassVar[str] = "local"
    kinds: ClassVar[frozenset[Kind]] = frozenset({"web", "news"})

    async def search(self, query: Query) -> list[Hit]:
        found = await self.index.search(query.text, query.limit * 3)
        hits = [
            Hit(
                title=entry.title or entry.url,
                url=entry.url,
                snippet=snippet(entry.text, query.text),
                provider=self.name,
                kind=query.kind,
                date=entry.date,
            )
            for entry in found
        ]
        return valid(hits, query)


def snippet(body: str, wanted: str, length: int = 240) -> str:
    """The sentence or two with most of the words."""
    goal = set(terms(wanted))
    pieces = [piece.strip() for piece in re.split(r"(?<=[.!?。！？])\s+|\n+", body) if piece.strip()]
    best = max(range(len(pieces)), key=lambda at: len(goal & set(terms(pieces[at]))), default=0)
    return " ".join(pieces[best : best + 2])[:length]

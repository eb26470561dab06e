"""Holds the facts of a person in memory and finds those that fit a query."""

from collections.abc import Collection, Sequence
from datetime import datetime
from heapq import heappop, heappush

from pilotfish.core.facts import Fact, FactCategory
from pilotfish.core.values import Value
from pilotfish.memory.fact_merging import RANK, fact_value
from pilotfish.memory.text_index import LEAST_EVIDENCE, TextIndex

VALUE_WEIGHT = 0.15
"""How much the value of a fact weighs beside its fit."""
WORDS_WEIGHT = 0.3
"""How much common words weigh beside similar meaning."""
SHARE_OF_BEST = 0.35
"""The least share of the best fit that a recalled fact has."""


class RecalledFact(Value):
    """A fact that was found, and how well it fits."""

    fact: Fact
    score: float


class FactSet:
    """One person's facts: all of them by id, and those that hold in an index."""

    def __init__(self) -> None:
        self.revision = 0
        self.every: dict[str, Fact] = {}
        self._index = TextIndex()
        self._order: list[str] = []
        self._wording: dict[str, tuple[int, str]] = {}
        self._deadlines: list[tuple[datetime, str]] = []
        self.hidden: frozenset[int] = frozenset()

    @property
    def current(self) -> list[Fact]:
        return [self.every[id] for id in self._wording]

    def update(self, facts: Sequence[Fact]) -> None:
        """Replace facts by their current state. Only changed wordings are indexed again."""
        fresh: list[str] = []
        for fact in facts:
            self.every[fact.id] = fact
            self.hidden = self.hidden.union(fact.hidden)
            text = f"{fact.content} {' '.join(fact.keywords)}"
            if fact.ended is not None:
                self._wording.pop(fact.id, None)
                continue
            if fact.expires is not None:
                heappush(self._deadlines, (fact.expires, fact.id))
            if self._wording.get(fact.id, (0, ""))[1] != text:
                self._wording[fact.id] = (len(self._order), text)
                self._order.append(fact.id)
                fresh.append(text)
        self._index.add(fresh)

    def list_expired(self, now: datetime) -> list[Fact]:
        """The facts whose lifetime is over and that still hold."""
        expired: set[tuple[datetime, str]] = set()
        while self._deadlines and self._deadlines[0][0] <= now:
            expired.add(heappop(self._deadlines))
        still = [(at, id) for at, id in expired if id in self._wording and self.every[id].expires == at]
        for deadline in still:
            heappush(self._deadlines, deadline)
        return [self.every[id] for _, id in still]

    def recall(self, query: str, categories: Collection[FactCategory], limit: int, now: datetime) -> list[RecalledFact]:
        """The facts that fit a query, best first; all of them without a query."""
        fitting = self._fitting(query, categories, 4 * limit) if query.strip() else self._all(categories)
        ranked = [RecalledFact(fact=fact, score=fit + VALUE_WEIGHT * rank_fact(fact, now)) for fit, fact in fitting]
        return sorted(ranked, key=lambda one: (-one.score, one.fact.id))[:limit]

    def _all(self, categories: Collection[FactCategory]) -> list[tuple[float, Fact]]:
        return [(0.0, fact) for fact in self.current if not categories or fact.category in categories]

    def _fitting(self, query: str, categories: Collection[FactCategory], limit: int) -> list[tuple[float, Fact]]:
        import numpy

        if not self._order:
            return []
        match = self._index.match(query)
        fits = match.word_meaning + match.gist + WORDS_WEIGHT * match.words / max(1e-6, float(match.words.max()))
        found: list[tuple[float, Fact]] = []
        fitting = numpy.flatnonzero(match.evidence >= LEAST_EVIDENCE)
        for place in fitting[numpy.argsort(-fits[fitting])]:
            fact, fit = self.every[self._order[place]], float(fits[place])
            if (found and fit < SHARE_OF_BEST * found[0][0]) or len(found) == limit:
                break
            current = self._wording.get(fact.id, (-1, ""))[0] == place
            if current and (not categories or fact.category in categories):
                found.append((fit, fact))
        return found


def rank_fact(fact: Fact, now: datetime) -> float:
    """From 0 to 1, by tier, use and recency."""
    value = fact_value(fact, now)
    return RANK[fact.tier] / max(RANK.values()) * value / (1 + value)

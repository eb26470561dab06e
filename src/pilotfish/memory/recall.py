"""A person's facts held ready, and which of them a question calls up."""

from collections.abc import Collection, Sequence
from datetime import datetime
from heapq import heappop, heappush

from pilotfish.core.facts import Category, Fact
from pilotfish.core.values import Value
from pilotfish.memory.index import Index
from pilotfish.memory.settle import RANK, value

WORTH = 0.15
"""How much the most that a fact can be worth weighs beside how well it fits."""
WORDS = 0.3
"""How much the very same words add to nearness in meaning."""
FIT, SHARE = 0.2, 0.35
"""How well a fact must fit, and what share of the best one's fit it must reach, to be called up."""


class Recalled(Value):
    """A fact that was called up, and how well it fits."""

    fact: Fact
    score: float


class Facts:
    """One person's facts: all of them by id, and those that hold in an index."""

    def __init__(self) -> None:
        self.revision = 0
        self.every: dict[str, Fact] = {}
        self._index = Index()
        self._order: list[str] = []
        self._wording: dict[str, tuple[int, str]] = {}
        self._deadlines: list[tuple[datetime, str]] = []

    @property
    def alive(self) -> list[Fact]:
        return [self.every[id] for id in self._wording]

    def update(self, facts: Sequence[Fact]) -> None:
        """Take in facts as they now are; only a new wording is indexed anew."""
        fresh: list[str] = []
        for fact in facts:
            self.every[fact.id] = fact
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

    def due(self, now: datetime) -> list[Fact]:
        """Those that hold still and should not."""
        late: set[tuple[datetime, str]] = set()
        while self._deadlines and self._deadlines[0][0] <= now:
            late.add(heappop(self._deadlines))
        still = [(at, id) for at, id in late if id in self._wording and self.every[id].expires == at]
        for deadline in still:
            heappush(self._deadlines, deadline)
        return [self.every[id] for _, id in still]

    def recall(self, query: str, categories: Collection[Category], limit: int, now: datetime) -> list[Recalled]:
        fitting = self._fitting(query, categories, 4 * limit) if query.strip() else self._all(categories)
        ranked = [Recalled(fact=fact, score=fit + WORTH * worth(fact, now)) for fit, fact in fitting]
        return sorted(ranked, key=lambda one: (-one.score, one.fact.id))[:limit]

    def _all(self, categories: Collection[Category]) -> list[tuple[float, Fact]]:
        return [(0.0, fact) for fact in self.alive if not categories or fact.category in categories]

    def _fitting(self, query: str, categories: Collection[Category], limit: int) -> list[tuple[float, Fact]]:
        import numpy

        if not self._order:
            return []
        match = self._index.match(query)
        fits = match.senses + match.gist + WORDS * match.words / max(1e-6, float(match.words.max()))
        found: list[tuple[float, Fact]] = []
        fitting = numpy.flatnonzero(fits >= FIT)
        for place in fitting[numpy.argsort(-fits[fitting])]:
            fact, fit = self.every[self._order[place]], float(fits[place])
            if (found and fit < SHARE * found[0][0]) or len(found) == limit:
                break
            current = self._wording.get(fact.id, (-1, ""))[0] == place
            if current and (not categories or fact.category in categories):
                found.append((fit, fact))
        return found


def worth(fact: Fact, now: datetime) -> float:
    """From 0 to 1, by tier, use and recency."""
    held = value(fact, now)
    return RANK[fact.tier] / max(RANK.values()) * held / (1 + held)

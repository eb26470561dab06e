"""Everything that was once said, found again: each message with what came before and after it, and its date."""

import asyncio
import re
from array import array
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from pilotfish.core.facts import Said
from pilotfish.core.values import Value
from pilotfish.memory.index import Index
from pilotfish.memory.words import dated, pieces

if TYPE_CHECKING:
    import numpy

    from pilotfish.memory.index import Vector

    Links = numpy.ndarray[Any, numpy.dtype[numpy.int64]]

WORDS, SENSES, GIST, TOGETHER = 0.7, 2.0, 1.2, 0.7
"""How much each measure weighs. TOGETHER: how much of the query a message and its neighbours cover among them."""
BEFORE, AFTER, FURTHER = 0.5, 0.3, 0.15
"""How much of its neighbours' fit a message inherits: most from what it replies to."""
BESIDE, NEARBY = 0.8, 0.5
"""What a word counts that stands in the next message, or in the one after that."""
LATEST = 600
"""How many of those that came last the store is told of when it is asked what is new."""
LIKELY = 1000
"""How many messages are looked at more closely."""
TOPIC = 0.15
"""How much of the best of its conversation a message inherits: what is spoken about is spoken about together."""
ASKING, TIMELY, NUMBERED, OWN = 1.0, 0.8, 0.5, 0.6
"""What a bare question loses, and what a message gains that has the kind of thing that was asked for."""

TIME = re.compile(
    r"\b(yesterday|today|tonight|tomorrow|ago|last|next|since|until|weekend|morning|evening|night|week|month|year|\d{4}"
    r"|(mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|january|february|march|april|may|june|july|august|september|october|november|december)s?\b",
    re.IGNORECASE,
)
NUMBER = re.compile(
    r"\d|\b(one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|fifty|hundred|thousand|dozen|half)\b",
    re.IGNORECASE,
)
WHEN = re.compile(r"\b(when|what (time|day|date|month|year)|how long)\b", re.IGNORECASE)
COUNT = re.compile(r"\bhow (many|much|long|old|far|often)\b", re.IGNORECASE)
TRAITS: dict[str, Callable[[Said], bool]] = {
    "asking": lambda said: said.text.rstrip().endswith(("?", "？")),
    "timely": lambda said: bool(TIME.search(said.text)),
    "numbered": lambda said: bool(NUMBER.search(said.text)),
    "user": lambda said: said.role == "user",
    "assistant": lambda said: said.role == "assistant",
}


class Found(Value):
    """A message that fits, between its neighbours in the conversation."""

    message: Said
    before: tuple[Said, ...] = ()
    after: tuple[Said, ...] = ()
    score: float = 0.0


class Talk:
    """One person's messages."""

    def __init__(self) -> None:
        self.turn = asyncio.Lock()
        self.messages: list[Said] = []
        self._index = Index()
        self.known: set[int] = set()
        self._traits: dict[str, array[int]] = {name: array("b") for name in TRAITS}
        self._firsts = array("l")
        self._before = array("l")
        self._after = array("l")
        self._threads = array("l")
        self._ends: dict[str, int] = {}

    @property
    def latest(self) -> list[int]:
        """The numbers of those that came last."""
        return [message.id for message in self.messages[-LATEST:]]

    def add(self, said: Sequence[Said]) -> None:
        """Take in messages, those of one conversation in their order; what is known already is passed over."""
        texts: list[str] = []
        labels: list[list[str]] = []
        for message in said:
            if message.id in self.known:
                continue
            self.known.add(message.id)
            self._link(message)
            self._firsts.append(len(self._index) + len(texts))
            for piece in pieces(message.text):
                texts.append(piece)
                labels.append(dated(message.at))
        self._index.add(texts, labels)

    def search(self, query: str, limit: int = 10, fresh: Sequence[Said] = ()) -> list[Found]:
        """The best, best first, after taking in what is fresh."""
        import numpy

        self.add(fresh)
        if not self.messages:
            return []
        scores = self._scores(query)
        likely = max(limit, LIKELY)
        best = numpy.argpartition(-scores, likely)[:likely] if len(scores) > likely else numpy.arange(len(scores))
        best.sort()
        total = scores[best] + TOPIC * _best(scores[best], numpy.frombuffer(self._threads, dtype="l")[best])
        first = numpy.argsort(-total, kind="stable")[:limit]
        return [self._found(int(best[place]), float(total[place])) for place in first]

    def _link(self, message: Said) -> None:
        place = len(self.messages)
        before = self._ends.get(message.conversation, -1)
        if before >= 0:
            self._after[before] = place
        self._ends[message.conversation] = place
        self._threads.append(self._threads[before] if before >= 0 else len(self._ends) - 1)
        self.messages.append(message)
        self._before.append(before)
        self._after.append(-1)
        for name, has in TRAITS.items():
            self._traits[name].append(has(message))

    def _scores(self, query: str) -> "Vector":
        import numpy

        match = self._index.match(query)
        firsts: Links = numpy.frombuffer(self._firsts, dtype="l")
        near = numpy.maximum.reduceat(match.near, firsts)
        words, gist = (numpy.maximum.reduceat(one, firsts) for one in (match.words, match.gist))
        before: Links = numpy.frombuffer(self._before, dtype="l")
        after: Links = numpy.frombuffer(self._after, dtype="l")
        links = (before, after, _twice(before), _twice(after))
        together = near
        for beside, share in zip(links, (BESIDE, BESIDE, NEARBY, NEARBY), strict=True):
            together = numpy.maximum(together, share * _beside(near, beside))
        measures = (words, near @ match.rarity, gist, together @ match.rarity)
        own = numpy.zeros_like(words)
        for measure, share in zip(measures, (WORDS, SENSES, GIST, TOGETHER), strict=True):
            own += share * _standard(measure)
        total = own.copy()
        for beside, share in zip(links, (BEFORE, AFTER, FURTHER, FURTHER), strict=True):
            total += share * _beside(own, beside)
        for name, gain in _wishes(query).items():
            total += gain * numpy.frombuffer(self._traits[name], dtype=numpy.int8)
        return total

    def _found(self, place: int, score: float) -> Found:
        def at(links: "array[int]") -> tuple[Said, ...]:
            return (self.messages[links[place]],) if links[place] >= 0 else ()

        return Found(message=self.messages[place], before=at(self._before), after=at(self._after), score=score)


def _wishes(query: str) -> dict[str, float]:
    """Which traits the query asks for, and how much they are worth."""
    owner = re.search(r"\b(did|have|had|was|am|do) (I|you)\b", query)
    return {
        "asking": -ASKING,
        "timely": TIMELY * bool(WHEN.search(query)),
        "numbered": NUMBERED * bool(COUNT.search(query)),
        "user": OWN * bool(owner and owner[2] == "I"),
        "assistant": OWN * bool(owner and owner[2] == "you"),
    }


def _twice(links: "Links") -> "Links":
    """The neighbour's neighbour."""
    import numpy

    return numpy.where(links >= 0, links[links], -1)


def _beside(scores: "Vector", links: "Links") -> "Vector":
    """What the neighbours have; those without one get nothing."""
    found = scores[links]
    found[links < 0] = 0
    return found


def _best(scores: "Vector", threads: "Links") -> "Vector":
    """For each message, the mean of the three best of its conversation."""
    import numpy

    order = numpy.lexsort((scores, threads))
    last = numpy.flatnonzero(numpy.diff(threads[order], append=-1))
    first = numpy.concatenate(([0], last[:-1] + 1))
    best = scores[order[numpy.maximum(last[:, None] - (0, 1, 2), first[:, None])]].mean(axis=1)
    return best[numpy.searchsorted(threads[order][last], threads)]


def _standard(scores: "Vector") -> "Vector":
    return (scores - scores.mean()) / (scores.std() + 1e-6)

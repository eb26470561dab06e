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

WORDS, SENSES, GIST = 0.7, 2.0, 1.0
BEFORE, AFTER, FURTHER = 0.5, 0.3, 0.15
"""How much of its neighbours' fit a message inherits: most from what it replies to."""
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
        self._ends: dict[str, int] = {}

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
        best = numpy.argsort(-scores, kind="stable")[:limit]
        return [self._found(int(place), float(scores[place])) for place in best]

    def _link(self, message: Said) -> None:
        place = len(self.messages)
        before = self._ends.get(message.conversation, -1)
        if before >= 0:
            self._after[before] = place
        self._ends[message.conversation] = place
        self.messages.append(message)
        self._before.append(before)
        self._after.append(-1)
        for name, has in TRAITS.items():
            self._traits[name].append(has(message))

    def _scores(self, query: str) -> "Vector":
        import numpy

        match = self._index.match(query)
        own = WORDS * _standard(match.words) + SENSES * _standard(match.senses) + GIST * _standard(match.gist)
        own = numpy.maximum.reduceat(own, numpy.frombuffer(self._firsts, dtype="l"))
        before: Links = numpy.frombuffer(self._before, dtype="l")
        after: Links = numpy.frombuffer(self._after, dtype="l")
        near = (before, after, _twice(before), _twice(after))
        total = own.copy()
        for links, share in zip(near, (BEFORE, AFTER, FURTHER, FURTHER), strict=True):
            total += share * numpy.where(links >= 0, own[links], 0)
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


def _standard(scores: "Vector") -> "Vector":
    return (scores - scores.mean()) / (scores.std() + 1e-6)

"""Searches the former messages of a person. Each hit comes with its neighbours and its date."""

import asyncio
import re
from array import array
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any

from pilotfish.core.facts import PastMessage
from pilotfish.core.values import Value
from pilotfish.memory.text_index import LEAST_EVIDENCE, TextIndex
from pilotfish.memory.text_terms import date_terms, split_text

if TYPE_CHECKING:
    import numpy

    from pilotfish.memory.text_index import Vector

    Links = numpy.ndarray[Any, numpy.dtype[numpy.int64]]

WORDS_WEIGHT, MEANING_WEIGHT, GIST_WEIGHT, TOGETHER_WEIGHT = 0.7, 2.0, 1.2, 0.7
"""How much each measure weighs. TOGETHER: how much of the query a message and its neighbours cover together."""
BEFORE_SHARE, AFTER_SHARE, FURTHER_SHARE = 0.5, 0.3, 0.15
"""How much of its neighbours' fit a message inherits: most from what it replies to."""
NEXT_WEIGHT, NEAR_WEIGHT = 0.8, 0.5
"""What a word counts that stands in the next message, or in the one after that."""
LATEST_NUMBERS = 600
"""How many of the latest message numbers are passed to the store when new messages are read."""
MOST_CANDIDATES = 1000
THREAD_SHARE = 0.15
"""How much of the best score of its conversation a message inherits."""
QUESTION_LOSS, TIME_BONUS, NUMBER_BONUS, SENDER_BONUS = 1.0, 0.8, 0.5, 0.6
"""What a mere question loses, and what a message gains if it has a time, a number or the sender that was asked for."""
ANY_FIT, OWN_FIT = LEAST_EVIDENCE, 0.2
"""The least evidence for the best message, and for every other hit or its neighbour."""

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
TIME_QUESTION = re.compile(r"\b(when|what (time|day|date|month|year)|how long)\b", re.IGNORECASE)
COUNT_QUESTION = re.compile(r"\bhow (many|much|long|old|far|often)\b", re.IGNORECASE)
TRAITS: dict[str, Callable[[PastMessage], bool]] = {
    "asking": lambda message: message.text.rstrip().endswith(("?", "？")),
    "timely": lambda message: bool(TIME.search(message.text)),
    "numbered": lambda message: bool(NUMBER.search(message.text)),
    "user": lambda message: message.role == "user",
    "assistant": lambda message: message.role == "assistant",
}


class FoundMessage(Value):
    """A message that fits, between its neighbours in the conversation."""

    message: PastMessage
    before: tuple[PastMessage, ...] = ()
    after: tuple[PastMessage, ...] = ()
    score: float = 0.0


class MessageSearch:
    """One person's messages, but for the hidden ones."""

    def __init__(self, hidden: Collection[int] = ()) -> None:
        self.hidden = frozenset(hidden)
        self._numbers: list[int] = []
        self.turn = asyncio.Lock()
        self.messages: list[PastMessage] = []
        self._index = TextIndex()
        self.known: set[int] = set()
        self._traits: dict[str, array[int]] = {name: array("b") for name in TRAITS}
        self._firsts = array("l")
        self._before = array("l")
        self._after = array("l")
        self._threads = array("l")
        self._ends: dict[str, int] = {}

    @property
    def latest(self) -> list[int]:
        """The numbers of the last messages, hidden ones too."""
        return self._numbers[-LATEST_NUMBERS:]

    def add(self, messages: Sequence[PastMessage]) -> None:
        """Add messages, those of one conversation in their order. Known ones are skipped."""
        texts: list[str] = []
        labels: list[list[str]] = []
        for message in messages:
            if message.id in self.known:
                continue
            self.known.add(message.id)
            self._numbers.append(message.id)
            if message.id in self.hidden:
                continue
            self._link(message)
            self._firsts.append(len(self._index) + len(texts))
            for piece in split_text(message.text):
                texts.append(piece)
                labels.append(date_terms(message.at))
        self._index.add(texts, labels)

    def search(self, query: str, limit: int = 10, fresh: Sequence[PastMessage] = ()) -> list[FoundMessage]:
        """Add the fresh messages, then return the best hits, best first; none where nothing fits."""
        import numpy

        self.add(fresh)
        if not self.messages:
            return []
        scores, fits = self._scores(query)
        if fits.max() < ANY_FIT:
            return []
        likely = max(limit, MOST_CANDIDATES)
        best = numpy.argpartition(-scores, likely)[:likely] if len(scores) > likely else numpy.arange(len(scores))
        best.sort()
        total = scores[best] + THREAD_SHARE * _best_of_thread(
            scores[best], numpy.frombuffer(self._threads, dtype="l")[best]
        )
        first = numpy.argsort(-total, kind="stable")[:limit]
        fits = self._with_neighbours(fits)
        fitting = (place for place in first if fits[best[place]] >= OWN_FIT)
        return [self._make_hit(int(best[place]), float(total[place])) for place in fitting]

    def _with_neighbours(self, fits: "Vector") -> "Vector":
        """For each message the better of its own fit and those beside it: an answer stands next to its question."""
        import numpy

        sides: tuple[Links, Links] = (
            numpy.frombuffer(self._before, dtype="l"),
            numpy.frombuffer(self._after, dtype="l"),
        )
        return numpy.maximum.reduce([fits, *(_neighbour_scores(fits, side) for side in sides)])

    def _link(self, message: PastMessage) -> None:
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

    def _scores(self, query: str) -> "tuple[Vector, Vector]":
        """How each message ranks, and how surely it is about the query by itself."""
        import numpy

        match = self._index.match(query)
        firsts: Links = numpy.frombuffer(self._firsts, dtype="l")
        near = numpy.maximum.reduceat(match.near, firsts)
        words, gist, evidence = (
            numpy.maximum.reduceat(one, firsts) for one in (match.words, match.gist, match.evidence)
        )
        before: Links = numpy.frombuffer(self._before, dtype="l")
        after: Links = numpy.frombuffer(self._after, dtype="l")
        links = (before, after, _second_neighbours(before), _second_neighbours(after))
        together = near
        for beside, share in zip(links, (NEXT_WEIGHT, NEXT_WEIGHT, NEAR_WEIGHT, NEAR_WEIGHT), strict=True):
            together = numpy.maximum(together, share * _neighbour_scores(near, beside))
        measures = (words, near @ match.rarity, gist, together @ match.rarity)
        own = numpy.zeros_like(words)
        for measure, share in zip(measures, (WORDS_WEIGHT, MEANING_WEIGHT, GIST_WEIGHT, TOGETHER_WEIGHT), strict=True):
            own += share * _standardize(measure)
        total = own.copy()
        for beside, share in zip(links, (BEFORE_SHARE, AFTER_SHARE, FURTHER_SHARE, FURTHER_SHARE), strict=True):
            total += share * _neighbour_scores(own, beside)
        for name, gain in _wanted_traits(query).items():
            total += gain * numpy.frombuffer(self._traits[name], dtype=numpy.int8)
        return total, evidence

    def _make_hit(self, place: int, score: float) -> FoundMessage:
        def at(links: "array[int]") -> tuple[PastMessage, ...]:
            return (self.messages[links[place]],) if links[place] >= 0 else ()

        return FoundMessage(message=self.messages[place], before=at(self._before), after=at(self._after), score=score)


def _wanted_traits(query: str) -> dict[str, float]:
    """Which traits the query asks for, and how much they are worth."""
    owner = re.search(r"\b(did|have|had|was|am|do) (I|you)\b", query)
    return {
        "asking": -QUESTION_LOSS,
        "timely": TIME_BONUS * bool(TIME_QUESTION.search(query)),
        "numbered": NUMBER_BONUS * bool(COUNT_QUESTION.search(query)),
        "user": SENDER_BONUS * bool(owner and owner[2] == "I"),
        "assistant": SENDER_BONUS * bool(owner and owner[2] == "you"),
    }


def _second_neighbours(links: "Links") -> "Links":
    """The index of the neighbour's neighbour."""
    import numpy

    return numpy.where(links >= 0, links[links], -1)


def _neighbour_scores(scores: "Vector", links: "Links") -> "Vector":
    """The scores of the neighbours; zero where there is none."""
    found = scores[links]
    found[links < 0] = 0
    return found


def _best_of_thread(scores: "Vector", threads: "Links") -> "Vector":
    """For each message, the mean of the three best of its conversation."""
    import numpy

    order = numpy.lexsort((scores, threads))
    last = numpy.flatnonzero(numpy.diff(threads[order], append=-1))
    first = numpy.concatenate(([0], last[:-1] + 1))
    best = scores[order[numpy.maximum(last[:, None] - (0, 1, 2), first[:, None])]].mean(axis=1)
    return best[numpy.searchsorted(threads[order][last], threads)]


def _standardize(scores: "Vector") -> "Vector":
    return (scores - scores.mean()) / (scores.std() + 1e-6)

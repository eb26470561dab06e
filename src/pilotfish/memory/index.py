"""Finds texts by their words and by their meaning, in spite of misspellings; all in memory, growing as texts come.

Three measures, each blind where another sees. `words`: BM25 over stems. `near`: for each word of the query, how near
the nearest word of a text comes to it, from 0 to 1; `senses` is their mean, rare words counting more. `gist`: the
cosine of the whole texts. Meaning is that of static word embeddings, so nothing here needs a model to run.
"""

import math
from array import array
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pilotfish.memory.words import STOP, stem, words
from pilotfish.web.rank import embedder

if TYPE_CHECKING:
    import numpy

    Vector = numpy.ndarray[Any, numpy.dtype[numpy.float32]]

SATURATION, LENGTH = 1.2, 0.6
SPELT = 80
"""How alike, of 100, a word must be spelt to stand for one that nobody used."""
KIN = 128
"""How many of the words that were ever used may stand for one of the query; further ones are only noise."""
FEW = 32
"""Up to so many texts are read one by one."""


@dataclass(frozen=True)
class Match:
    """How well each text fits, by each measure. `near` has a row for each text and a column for each word."""

    words: "Vector"
    near: "Vector"
    rarity: "Vector"
    gist: "Vector"

    @property
    def senses(self) -> "Vector":
        return self.near @ self.rarity


class Rows:
    """A matrix of meanings that grows at its end."""

    def __init__(self) -> None:
        import numpy

        self._held = numpy.zeros((64, embedder().embedding.shape[1]), dtype=numpy.float32)
        self._size = 0

    def extend(self, rows: "Vector") -> None:
        import numpy

        need = self._size + len(rows)
        if need > len(self._held):
            grown = numpy.zeros((max(need, 2 * len(self._held)), self._held.shape[1]), dtype=numpy.float32)
            grown[: self._size] = self.all
            self._held = grown
        self._held[self._size : need] = rows
        self._size = need

    @property
    def all(self) -> "Vector":
        return self._held[: self._size]


class Index:
    """Texts, each under the number of its coming."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._known: list[str] = []
        self._places: list[array[int]] = []
        self._counts: list[array[float]] = []
        self._labels: defaultdict[str, array[int]] = defaultdict(lambda: array("l"))
        self._meanings = Rows()
        self._lengths = array("f")
        self._gists = Rows()

    def __len__(self) -> int:
        return len(self._lengths)

    def add(self, texts: Sequence[str], labels: Sequence[Sequence[str]] = ()) -> None:
        """Add texts; `labels` are further words under which each can be found."""
        if not texts:
            return
        fresh: list[str] = []
        for number, text in enumerate(texts):
            said = [word for word in words(text) if word not in STOP]
            bag = Counter(self._number(word, fresh) for word in said or [""])
            for label in labels[number] if labels else ():
                self._labels[stem(label)].append(len(self))
            for term, count in bag.items():
                self._places[term].append(len(self))
                self._counts[term].append(count)
            self._lengths.append(len(said))
        if fresh:
            self._meanings.extend(embed(fresh))
        self._gists.extend(embed(texts))

    def match(self, query: str) -> Match:
        import numpy

        wanted = list(dict.fromkeys(word for word in words(query) if word not in STOP))
        stems = [self._stems(word) for word in wanted]
        meant = embed([query, *wanted])
        gist = self._gists.all @ meant[0]
        if not wanted:
            empty = numpy.zeros((len(self), 1), dtype=numpy.float32)
            return Match(numpy.zeros_like(gist), empty, empty[:1, 0], gist)
        alike = numpy.maximum(self._meanings.all @ meant[1:].T, 0)
        for column, known in enumerate(stems):
            for term, likeness in known.items():
                alike[term, column] = likeness
        near = numpy.stack([self._nearest(alike[:, column]) for column in range(len(wanted))], axis=1)
        rarity = numpy.array([self._rarity(max(known, key=known.__getitem__, default=None)) for known in stems])
        return Match(self._words(stems, wanted), near, (rarity / rarity.sum()).astype(numpy.float32), gist)

    def _nearest(self, alike: "Vector") -> "Vector":
        """How near each text comes to one word, given how near every word that was ever used does."""
        import numpy

        kin = numpy.argpartition(alike, -KIN)[-KIN:] if len(alike) > KIN else numpy.arange(len(alike))
        kin = kin[numpy.argsort(alike[kin])]
        held = [self._places[term] for term in kin]
        near = numpy.full(len(self), alike[kin[0]] if len(alike) > KIN else 0, dtype=numpy.float32)
        # The nearest are written last, over those that are less near.
        near[numpy.concatenate([numpy.frombuffer(one, dtype="l") for one in held])] = numpy.repeat(
            alike[kin], [len(one) for one in held]
        )
        return near

    def _number(self, word: str, fresh: list[str]) -> int:
        """The number of a word's stem; its first spelling is what its meaning is taken from."""
        term = stem(word)
        if term not in self._numbers:
            self._numbers[term] = len(self._numbers)
            self._known.append(term)
            self._places.append(array("l"))
            self._counts.append(array("f"))
            fresh.append(word or "nothing")
        return self._numbers[term]

    def _stems(self, word: str) -> dict[int, float]:
        """The known stems that are this word: its own, or else those spelt almost like it."""
        from rapidfuzz import fuzz, process
        from rapidfuzz.distance import OSA

        term = stem(word)
        if term in self._numbers:
            return {self._numbers[term]: 1.0}
        if len(term) < 4:
            return {}
        hits = process.extract(term, self._known, scorer=fuzz.ratio, score_cutoff=SPELT, limit=5)
        # Another form of a word begins as it does, and a slip is one; else it is another word.
        near = [hit for hit in hits if hit[0][:3] == term[:3] or OSA.distance(hit[0], term) == 1]
        return {number: score / 100 for _, score, number in near[:3]}

    def _rarity(self, term: int | None) -> float:
        return self._rare(0 if term is None else len(self._places[term]))

    def _rare(self, count: int) -> float:
        return math.log(1 + (len(self) - count + 0.5) / (count + 0.5))

    def _words(self, stems: Sequence[dict[int, float]], wanted: Sequence[str]) -> "Vector":
        import numpy

        lengths = numpy.frombuffer(self._lengths, dtype=numpy.float32)
        lean = SATURATION * (1 - LENGTH + LENGTH * lengths / max(1.0, float(lengths.mean())))
        total = numpy.zeros(len(self), dtype=numpy.float32)
        for term, weight in (item for known in stems for item in known.items()):
            at = numpy.frombuffer(self._places[term], dtype="l")
            often = numpy.frombuffer(self._counts[term], dtype=numpy.float32)
            total[at] += weight * self._rarity(term) * often * (SATURATION + 1) / (often + lean[at])
        for places in (self._labels[label] for label in {stem(word) for word in wanted} & self._labels.keys()):
            at = numpy.frombuffer(places, dtype="l")
            total[at] += self._rare(len(places)) * (SATURATION + 1) / (1 + lean[at])
        return total


def embed(texts: Sequence[str]) -> "Vector":
    """The texts' meanings, all of length one; a text without any has none."""
    import numpy

    model = embedder()
    if len(texts) <= FEW:
        # One by one: waking the threads that read a batch takes longer than reading a few words.
        tokens = (model.tokenizer.encode(text, add_special_tokens=False).ids for text in texts)
        known = (numpy.clip(numpy.array(ids, dtype=numpy.int64), 0, len(model.embedding) - 1) for ids in tokens)
        rows: Vector = numpy.stack([model.embedding[ids].sum(axis=0) for ids in known])
    else:
        rows = model.embed(list(texts))  # pyright: ignore[reportAssignmentType]
    return rows / numpy.maximum(numpy.linalg.norm(rows, axis=1, keepdims=True), 1e-6)

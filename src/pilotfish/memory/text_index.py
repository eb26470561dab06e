"""An index in memory that finds texts by words and by meaning, and tolerates misspellings.

It has three measures. `words`: BM25 over stems. `near`: for each word of the query, the similarity of the most similar
word of a text, from 0 to 1; `word_meaning` is their mean, weighted by rarity. `gist`: the cosine of the whole texts.
Meaning comes from static word embeddings, so no model has to run.
"""

import math
from array import array
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pilotfish.memory.text_terms import STOP, list_words, stem_word
from pilotfish.web.rank import load_embedder

if TYPE_CHECKING:
    import numpy

    Vector = numpy.ndarray[Any, numpy.dtype[numpy.float32]]

SATURATION, LENGTH = 1.2, 0.6
SPELLING_MATCH = 80
"""The least spelling similarity, of 100, at which an indexed word replaces an unknown word of a query."""
SIMILAR_WORDS = 128
"""How many indexed words are compared with each word of a query; less similar ones are noise."""
ONE_BY_ONE = 32
"""Up to this many texts are embedded one by one."""


@dataclass(frozen=True)
class IndexMatch:
    """How well each text fits, by each measure. `near` has a row for each text and a column for each word."""

    words: "Vector"
    near: "Vector"
    rarity: "Vector"
    gist: "Vector"

    @property
    def word_meaning(self) -> "Vector":
        return self.near @ self.rarity


class GrowingMatrix:
    """A matrix of meanings that grows at its end."""

    def __init__(self) -> None:
        import numpy

        self._held = numpy.zeros((64, embed_texts([""]).shape[1]), dtype=numpy.float32)
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


class TextIndex:
    """Texts, numbered in the order in which they were added."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._known: list[str] = []
        self._places: list[array[int]] = []
        self._counts: list[array[float]] = []
        self._labels: defaultdict[str, array[int]] = defaultdict(lambda: array("l"))
        self._meanings = GrowingMatrix()
        self._lengths = array("f")
        self._gists = GrowingMatrix()

    def __len__(self) -> int:
        return len(self._lengths)

    def add(self, texts: Sequence[str], labels: Sequence[Sequence[str]] = ()) -> None:
        """Add texts; `labels` are further words under which each can be found."""
        if not texts:
            return
        fresh: list[str] = []
        for number, text in enumerate(texts):
            words = [word for word in list_words(text) if word not in STOP]
            counts = Counter(self._number(word, fresh) for word in words or [""])
            for label in labels[number] if labels else ():
                self._labels[stem_word(label)].append(len(self))
            for term, count in counts.items():
                self._places[term].append(len(self))
                self._counts[term].append(count)
            self._lengths.append(len(words))
        if fresh:
            self._meanings.extend(embed_texts(fresh))
        self._gists.extend(embed_texts(texts))

    def match(self, query: str) -> IndexMatch:
        import numpy

        wanted = list(dict.fromkeys(word for word in list_words(query) if word not in STOP))
        stems = [self._stems(word) for word in wanted]
        meant = embed_texts([query, *wanted])
        gist = self._gists.all @ meant[0]
        if not wanted:
            empty = numpy.zeros((len(self), 1), dtype=numpy.float32)
            return IndexMatch(numpy.zeros_like(gist), empty, empty[:1, 0], gist)
        similarity = numpy.maximum(self._meanings.all @ meant[1:].T, 0)
        for column, known in enumerate(stems):
            for term, score in known.items():
                similarity[term, column] = score
        near = numpy.stack([self._nearest(similarity[:, column]) for column in range(len(wanted))], axis=1)
        rarity = numpy.array([self._rarity(max(known, key=known.__getitem__, default=None)) for known in stems])
        return IndexMatch(self._words(stems, wanted), near, (rarity / rarity.sum()).astype(numpy.float32), gist)

    def _nearest(self, similarity: "Vector") -> "Vector":
        """For each text, the similarity of its most similar word, given those of all indexed words."""
        import numpy

        nearest = (
            numpy.argpartition(similarity, -SIMILAR_WORDS)[-SIMILAR_WORDS:]
            if len(similarity) > SIMILAR_WORDS
            else numpy.arange(len(similarity))
        )
        nearest = nearest[numpy.argsort(similarity[nearest])]
        held = [self._places[term] for term in nearest]
        near = numpy.full(
            len(self), similarity[nearest[0]] if len(similarity) > SIMILAR_WORDS else 0, dtype=numpy.float32
        )
        # The most similar are written last, over the others.
        near[numpy.concatenate([numpy.frombuffer(one, dtype="l") for one in held])] = numpy.repeat(
            similarity[nearest], [len(one) for one in held]
        )
        return near

    def _number(self, word: str, fresh: list[str]) -> int:
        """The number of a word's stem. A new stem gets the meaning of the word in this spelling."""
        term = stem_word(word)
        if term not in self._numbers:
            self._numbers[term] = len(self._numbers)
            self._known.append(term)
            self._places.append(array("l"))
            self._counts.append(array("f"))
            fresh.append(word or "nothing")
        return self._numbers[term]

    def _stems(self, word: str) -> dict[int, float]:
        """The indexed stems for a word, with their similarity: its own, else those with a similar spelling."""
        from rapidfuzz import fuzz, process
        from rapidfuzz.distance import OSA

        term = stem_word(word)
        if term in self._numbers:
            return {self._numbers[term]: 1.0}
        if len(term) < 4:
            return {}
        hits = process.extract(term, self._known, scorer=fuzz.ratio, score_cutoff=SPELLING_MATCH, limit=5)
        # Another form of a word shares its beginning, and a typo is one edit; anything else is another word.
        near = [hit for hit in hits if hit[0][:3] == term[:3] or OSA.distance(hit[0], term) == 1]
        return {number: score / 100 for _, score, number in near[:3]}

    def _rarity(self, term: int | None) -> float:
        return self._rare(0 if term is None else len(self._places[term]))

    def _rare(self, count: int) -> float:
        return math.log(1 + (len(self) - count + 0.5) / (count + 0.5))

    def _words(self, stems: Sequence[dict[int, float]], wanted: Sequence[str]) -> "Vector":
        import numpy

        lengths = numpy.frombuffer(self._lengths, dtype=numpy.float32)
        length_norm = SATURATION * (1 - LENGTH + LENGTH * lengths / max(1.0, float(lengths.mean())))
        total = numpy.zeros(len(self), dtype=numpy.float32)
        for term, weight in (item for known in stems for item in known.items()):
            at = numpy.frombuffer(self._places[term], dtype="l")
            frequency = numpy.frombuffer(self._counts[term], dtype=numpy.float32)
            total[at] += weight * self._rarity(term) * frequency * (SATURATION + 1) / (frequency + length_norm[at])
        for places in (self._labels[label] for label in {stem_word(word) for word in wanted} & self._labels.keys()):
            at = numpy.frombuffer(places, dtype="l")
            total[at] += self._rare(len(places)) * (SATURATION + 1) / (1 + length_norm[at])
        return total


def embed_texts(texts: Sequence[str]) -> "Vector":
    """Embed texts as vectors of length one; a text without known words is a zero vector.

    Without embeddings every text is one: then only words and their stems count.
    """
    import numpy

    model = load_embedder()
    if model is None:
        return numpy.zeros((len(texts), 1), dtype=numpy.float32)
    if len(texts) <= ONE_BY_ONE:
        # One by one: starting the batch threads takes longer than encoding a few words.
        tokens = (model.tokenizer.encode(text, add_special_tokens=False).ids for text in texts)
        known = (numpy.clip(numpy.array(ids, dtype=numpy.int64), 0, len(model.embedding) - 1) for ids in tokens)
        rows: Vector = numpy.stack([model.embedding[ids].sum(axis=0) for ids in known])
    else:
        rows = model.embed(list(texts))  # pyright: ignore[reportAssignmentType]
    return rows / numpy.maximum(numpy.linalg.norm(rows, axis=1, keepdims=True), 1e-6)

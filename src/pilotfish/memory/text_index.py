"""An index in memory that finds texts by words and by meaning, and tolerates misspellings.

It has four measures. `words`: BM25 over stems. `near`: for each word of the query, the similarity of the most similar
word of a text, from 0 to 1; `word_meaning` is their mean, weighted by rarity. `gist`: the cosine of the whole texts.
`evidence`: how surely a text is about the query at all; texts below `LEAST_EVIDENCE` are not.
"""

import math
from array import array
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pilotfish.memory.meanings import GrowingMatrix, WordMeanings, embed_texts
from pilotfish.memory.text_terms import is_foreign, list_content_words, query_words, speaks_of_person, stem_word
from pilotfish.memory.word_forms import find_forms

if TYPE_CHECKING:
    from pilotfish.memory.meanings import Vector

SATURATION, LENGTH_INFLUENCE = 1.2, 0.6
"""The two parameters of BM25, k1 and b."""
SIMILAR_WORDS = 128
"""How many indexed words are compared with each word of a query; less similar ones are noise."""
LEAST_MEANING, LEAST_FOREIGN = 0.2, 0.75
"""The least similarity at which a word of a text is evidence for one of the query; the second one is for languages that
the embeddings do not know, where only other forms of a word count."""
LEAST_EVIDENCE = 0.42
"""The least evidence of a text that is about a query."""
LIGHT_WEIGHT, LIGHT_WEIGHT_OF_PERSON = 0.3, 0.6
"""What a light word counts, and what it counts where the query speaks of the person."""


@dataclass(frozen=True)
class IndexMatch:
    """How well each text fits, by each measure. `near` has a row for each text and a column for each word."""

    words: "Vector"
    near: "Vector"
    rarity: "Vector"
    gist: "Vector"
    evidence: "Vector"

    @property
    def word_meaning(self) -> "Vector":
        return self.near @ self.rarity


class TextIndex:
    """Texts, numbered in the order in which they were added."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._known: list[str] = []
        self._places: list[array[int]] = []
        self._counts: list[array[float]] = []
        self._labels: defaultdict[str, array[int]] = defaultdict(lambda: array("l"))
        self._meanings = WordMeanings()
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
            words = list_content_words(text)
            counts = Counter(self._number(word, fresh) for word in words or [""])
            for label in labels[number] if labels else ():
                self._labels[stem_word(label)].append(len(self))
            for term, count in counts.items():
                self._places[term].append(len(self))
                self._counts[term].append(count)
            self._lengths.append(len(words))
        if fresh:
            self._meanings.add(fresh)
        self._gists.extend(embed_texts(texts))

    def match(self, query: str) -> IndexMatch:
        import numpy

        wanted = list(dict.fromkeys(list_content_words(query)))
        stems = [self._stems(word) for word in wanted]
        meant = embed_texts([query, *wanted])
        gist = self._gists.all @ meant[0]
        if not wanted:
            empty = numpy.zeros((len(self), 1), dtype=numpy.float32)
            return IndexMatch(numpy.zeros_like(gist), empty, empty[:1, 0], gist, empty[:, 0])
        similarity = self._meanings.compare(wanted, meant[1:])
        for column, known in enumerate(stems):
            for term, score in known.items():
                similarity[term, column] = score
        near = numpy.stack([self._nearest(similarity[:, column]) for column in range(len(wanted))], axis=1)
        rarity = numpy.array([self._rarity(max(known, key=known.__getitem__, default=None)) for known in stems])
        shares = (rarity / rarity.sum()).astype(numpy.float32)
        evidence = _weigh_evidence(query, wanted, self._with_labels(query, wanted, near), gist)
        return IndexMatch(self._words(stems, wanted), near, shares, gist, evidence)

    def _with_labels(self, query: str, wanted: Sequence[str], near: "Vector") -> "Vector":
        """How near each text comes to each word, its labels included.

        They count where the query has little else or speaks of the person: “March”, “What did I say on Tuesday?”.
        """
        import numpy

        columns = [(place, stem_word(word)) for place, word in enumerate(wanted) if stem_word(word) in self._labels]
        others = sum(word not in query_words().light for word in wanted) - len(columns)
        if not columns or (others > 0 and not speaks_of_person(query)):
            return near
        near = near.copy()
        for place, label in columns:
            near[numpy.frombuffer(self._labels[label], dtype="l"), place] = 1
        return near

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
        """The indexed stems for a word, with their similarity: its own, else other forms of it."""
        term = stem_word(word)
        return {self._numbers[term]: 1.0} if term in self._numbers else find_forms(term, self._known)

    def _rarity(self, term: int | None) -> float:
        return self._rarity_of(0 if term is None else len(self._places[term]))

    def _rarity_of(self, count: int) -> float:
        return math.log(1 + (len(self) - count + 0.5) / (count + 0.5))

    def _words(self, stems: Sequence[dict[int, float]], wanted: Sequence[str]) -> "Vector":
        import numpy

        lengths = numpy.frombuffer(self._lengths, dtype=numpy.float32)
        length_norm = SATURATION * (1 - LENGTH_INFLUENCE + LENGTH_INFLUENCE * lengths / max(1.0, float(lengths.mean())))
        total = numpy.zeros(len(self), dtype=numpy.float32)
        for term, weight in (item for known in stems for item in known.items()):
            at = numpy.frombuffer(self._places[term], dtype="l")
            frequency = numpy.frombuffer(self._counts[term], dtype=numpy.float32)
            total[at] += weight * self._rarity(term) * frequency * (SATURATION + 1) / (frequency + length_norm[at])
        for places in (self._labels[label] for label in {stem_word(word) for word in wanted} & self._labels.keys()):
            at = numpy.frombuffer(places, dtype="l")
            total[at] += self._rarity_of(len(places)) * (SATURATION + 1) / (1 + length_norm[at])
        return total


def _weigh_evidence(query: str, wanted: Sequence[str], near: "Vector", gist: "Vector") -> "Vector":
    """How surely each text is about the query, given how near it comes to each of the wanted words.

    One common word is much in a short query and less in a long one. A light word, such as “live”, counts little.
    """
    import numpy

    light = LIGHT_WEIGHT_OF_PERSON if speaks_of_person(query) else LIGHT_WEIGHT
    weights = numpy.array([light if word in query_words().light else 1.0 for word in wanted], dtype=numpy.float32)
    foreign = is_foreign(query)
    counting = numpy.where(near >= (LEAST_FOREIGN if foreign else LEAST_MEANING), near, 0)
    by_words = counting @ weights / math.sqrt(weights.sum())
    return by_words if foreign else by_words + numpy.maximum(gist, 0)

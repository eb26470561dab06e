"""Meanings of words and texts as vectors, from static word embeddings, so no model has to run.

The embeddings know pieces of words. Two words that share a piece, such as “volcano” and “Volvo”, look alike for their
spelling alone, so their similarity does not count as one of meaning; that of Chinese words, which are put together
from single bytes, does not either.
"""

from array import array
from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pilotfish.memory.text_terms import CJK
from pilotfish.web.rank import load_embedder

if TYPE_CHECKING:
    import numpy

    Vector = numpy.ndarray[Any, numpy.dtype[numpy.float32]]

ONE_BY_ONE = 32
"""Up to this many texts are embedded one by one."""


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


class WordMeanings:
    """The meanings of words, numbered in the order in which they were added."""

    def __init__(self) -> None:
        self._rows = GrowingMatrix()
        self._sharing: defaultdict[str, array[int]] = defaultdict(lambda: array("l"))

    def add(self, words: Sequence[str]) -> None:
        first = len(self._rows.all)
        self._rows.extend(embed_texts(words))
        for number, word in enumerate(words, first):
            for piece in _list_pieces(word):
                self._sharing[piece].append(number)

    def compare(self, words: Sequence[str], meant: "Vector") -> "Vector":
        """How similar each known word is to each of these words, whose meanings are given; a column for each."""
        import numpy

        similarity = numpy.maximum(self._rows.all @ meant.T, 0)
        for column, word in enumerate(words):
            if CJK.match(word):
                similarity[:, column] = 0
            for piece in _list_pieces(word) & self._sharing.keys():
                similarity[numpy.frombuffer(self._sharing[piece], dtype="l"), column] = 0
        return similarity


def _list_pieces(word: str) -> set[str]:
    model = load_embedder()
    if model is None:
        return set()
    return set(model.tokenizer.encode(word, add_special_tokens=False).tokens)


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

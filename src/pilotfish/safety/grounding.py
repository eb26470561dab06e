"""Checks that a person said a fact: in one statement, in that order, and not in its opposite."""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

SENTENCE_END = re.compile(
    r"(?<!\bdr\.)(?<!\bmr\.)(?<!\bms\.)(?<!\bsr\.)(?<!\bst\.)(?<!\bmrs\.)(?<!\bsra\.)(?<!\bprof\.)(?<=[.!?;])"
    r"(?!(?<=\d\.) (?!(?:i|my|we|our|ich|mein|meine|wir|unser|unsere|je|mon|ma|mes|yo|mi|mis)\b))\s+"
    r"|(?<=[。！？；])|\n+",
    re.IGNORECASE,
)
"""Where a sentence ends; it goes on behind a title and mostly behind a number: “Dr. Patel”, “am 4. Juni”."""
WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W_\u3040-\u30ff\u3400-\u9fff]+(?:['’][^\W\d_]+)?|[,，、:]")
PART_ENDS = frozenset(",，、:")
ENDINGS = ("'s", "’s", "ing", "ed", "es", "s", "e")
LONGEST_GAP, TRIED_OCCURRENCES = 8, 4
"""Words between two words of a fact at most; occurrences that are tried, and words in which a negation is looked
for."""


def is_grounded(fact: str, statements: Iterable[str]) -> bool:
    """Whether one of the statements says all that the fact says.

    Every word of the fact but the free ones must be in one sentence, in the same order and close together. The fact
    and the sentence must have the same number of negations. To have something needs a sentence in which somebody has
    something.
    """
    having = word_lists()["having"]
    said, free = list(_list_words(fact)), PART_ENDS | word_lists()["free"] | having
    wanted = [_stem(word) for word in said if word not in free and not _is_negation(word)]
    denied = _count_negations(said)
    if not wanted:
        return False
    sentences = (list(_list_words(part)) for text in statements for part in SENTENCE_END.split(text))
    owned = bool(having.intersection(said))
    sentences = (one for one in sentences if not owned or having.intersection(one))
    return any(
        _count_negations_around(sentence, span) == denied
        for sentence in sentences
        for span in _find_spans(wanted, sentence)
    )


def _list_words(text: str) -> Iterator[str]:
    return (found[0].replace("’", "'") for found in WORD.finditer(text.casefold()))


def _stem(word: str) -> str:
    word = aliases().get(word, word)
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word.removesuffix(ending)
    return word


def _find_spans(wanted: Sequence[str], sentence: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where the wanted stems follow each other, for each occurrence of the first."""
    stems = [_stem(word) for word in sentence]
    starts = [at for at, stem in enumerate(stems) if _is_same_stem(stem, wanted[0])]
    for start in starts[:TRIED_OCCURRENCES]:
        at, found = start, 1
        while found < len(wanted):
            near = range(at + 1, min(len(stems), at + 1 + LONGEST_GAP))
            at = next((place for place in near if _is_same_stem(stems[place], wanted[found])), -1)
            if at < 0:
                break
            found += 1
        else:
            yield start, at


def _is_same_stem(one: str, other: str) -> bool:
    return one == other or (min(len(one), len(other)) >= 5 and one[:5] == other[:5])


def _count_negations_around(sentence: Sequence[str], span: tuple[int, int]) -> int:
    """The number of negations in the part of a sentence around a span; a comma ends a part."""
    start, end = span
    before = start
    while before > max(0, start - TRIED_OCCURRENCES) and sentence[before - 1] not in PART_ENDS:
        before -= 1
    after = end
    while after < min(len(sentence) - 1, end + TRIED_OCCURRENCES) and sentence[after + 1] not in PART_ENDS:
        after += 1
    return _count_negations(sentence[before : after + 1])


def _count_negations(words: Sequence[str]) -> int:
    """The number of negations in the words. “Ne … pas” counts as one."""
    count = sum(map(_is_negation, words))
    return max(count - words.count("ne"), min(count, 1))


def _is_negation(word: str) -> bool:
    return word.endswith("n't") or word in word_lists()["negative"]


@cache
def word_lists() -> Mapping[str, frozenset[str]]:
    lists = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    return {name: frozenset(text.split()) for name, text in lists.items()}


@cache
def aliases() -> Mapping[str, str]:
    return {one: other for one, _, other in (pair.partition(":") for pair in word_lists()["alias"])}

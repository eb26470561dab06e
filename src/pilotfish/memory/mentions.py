"""Finds the former messages that mention a fact, so that a search no longer shows them once the fact is deleted."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from pilotfish.core.facts import PastMessage
from pilotfish.memory.claim_reading import FactClaim, read_claim
from pilotfish.memory.claim_vocabulary import CJK_CHARACTER, claim_words

SENTENCE = re.compile(r"(?<=[.!?;])\s+|[。！？；\n]")
SHARED_LETTERS = 4
"""How many first letters two forms of a word have in common."""


def find_mentions(contents: Iterable[str], messages: Iterable[PastMessage]) -> list[PastMessage]:
    """The messages that mention one of the facts, in other words too. Better one too many than one too few."""
    facts = [(read_claim(content), _content_words(read_claim(content))) for content in contents if content]
    return [one for one in messages if any(_mentions(one.text, claim, words) for claim, words in facts)]


def _mentions(text: str, fact: FactClaim, words: Sequence[str]) -> bool:
    for sentence in SENTENCE.split(text):
        claim = read_claim(sentence)
        if fact.attribute and claim.attribute == fact.attribute and set(fact.value.core) <= set(claim.value.core):
            return True
        said = [word for word in words if any(_are_alike(word, other) for other in claim.words)]
        named = fact.names and fact.names <= set(said) and len(said) > len(fact.names)
        if said and (named or (len(said) == len(words) and _has_same_pairs(words, sentence))):
            return True
    return False


def _content_words(fact: FactClaim) -> list[str]:
    return [word for word in fact.words if word not in claim_words()["join"]]


def _are_alike(one: str, other: str) -> bool:
    return one == other or (
        min(len(one), len(other)) >= SHARED_LETTERS and one[:SHARED_LETTERS] == other[:SHARED_LETTERS]
    )


def _has_same_pairs(words: Sequence[str], sentence: str) -> bool:
    """Whether each pair of Chinese characters of the fact occurs in the sentence."""
    characters = [word for word in words if CJK_CHARACTER.match(word)]
    return all(one + other in sentence for one, other in pairwise(characters)) or len(characters) < 2

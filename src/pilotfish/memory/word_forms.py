"""Finds the known words that are another form of a word: inflected, misspelt, or a part of a compound."""

from collections.abc import Sequence

SPELLING_MATCH = 80
"""The least spelling similarity, of 100, of two forms of a word."""
SHORTEST_WORD, SHORTEST_TYPO, SHORTEST_PART, SHORTEST_REST = 4, 6, 5, 3
"""Letters of the shortest word with forms, with a misspelling, within a compound, and of the rest of the compound."""
COMPOUND_MATCH = 0.8
"""How similar a compound is to the word that it begins or ends with."""


def find_forms(term: str, known: Sequence[str]) -> dict[int, float]:
    """The places of other forms of a stem among the known stems, with their similarity."""
    from rapidfuzz import fuzz, process
    from rapidfuzz.distance import OSA, Postfix, Prefix

    if len(term) < SHORTEST_WORD:
        return {}
    hits = process.extract(term, known, scorer=fuzz.ratio, score_cutoff=SPELLING_MATCH, limit=5)
    # Another form of a word shares its beginning, and a typo is one edit; anything else is another word.
    near = [hit for hit in hits if hit[0][:3] == term[:3] or _is_typo(term, hit[0], OSA.distance(hit[0], term))]
    forms = {number: score / 100 for _, score, number in near[:3]}
    if len(term) >= SHORTEST_PART:
        for scorer in (Prefix.similarity, Postfix.similarity):
            for word, shared, number in process.extract(
                term, known, scorer=scorer, score_cutoff=SHORTEST_PART, limit=8
            ):
                if shared == min(len(word), len(term)) and abs(len(word) - len(term)) >= SHORTEST_REST:
                    forms.setdefault(number, COMPOUND_MATCH)
    return forms


def _is_typo(term: str, other: str, edits: int) -> bool:
    return edits == 1 and min(len(term), len(other)) >= SHORTEST_TYPO

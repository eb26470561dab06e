"""Finds the statements in a person's message, and the facts in them that need no model to be read.

Questions, quotations, assumptions and reports about others are no statements.
"""

import re
from collections.abc import Iterable, Iterator

from pilotfish.memory.claim_reading import read_claim
from pilotfish.memory.claim_vocabulary import CJK_CHARACTER, claim_words, split_words
from pilotfish.memory.text_terms import speaks_of_person
from pilotfish.safety.grounding import SENTENCE_END

QUOTED_TEXT = re.compile(
    r"\"[^\"\n]{1,2000}\"|“[^“”\n]{1,2000}”|„[^„“\n]{1,2000}“|«[^«»\n]{1,2000}»|「[^「」\n]{1,2000}」|^>.*$",
    re.MULTILINE,
)
CLAUSE = re.compile(r"[,;!，。！；]| (?:and|but|und|aber|et|mais|y|e|pero) ", re.IGNORECASE)
STATING_NOTHING = ("?", "？", "吗", "呢", ":", "：")
"""How a question ends, and what introduces the words of others."""


def list_statements(text: str) -> list[str]:
    """The sentences that state something, without the quotes in them."""
    sentences = (part.strip() for part in SENTENCE_END.split(QUOTED_TEXT.sub(" ", text)))
    return [sentence for sentence in sentences if sentence and not _states_nothing(sentence)]


def list_plain_facts(statements: Iterable[str]) -> list[str]:
    """What the person plainly says of themselves: their name, birthday, home or work, in their own words."""
    clauses = list_clauses(statements)
    return [clause for clause in clauses if speaks_of_person(clause) and _read_own_value(clause)]


def list_clauses(statements: Iterable[str]) -> list[str]:
    """The parts of statements between commas and words such as “and”."""
    clauses = (clause.strip(" .") for statement in statements for clause in CLAUSE.split(statement))
    return list(filter(None, clauses))


def list_own_names(facts: Iterable[str]) -> Iterator[str]:
    """The first word of each name that the person gives as their own."""
    for fact in facts:
        if read_claim(fact).attribute == "name":
            yield _read_own_value(fact)[0]


def _read_own_value(clause: str) -> tuple[str, ...]:
    """The value of an attribute of the person that is told at once; empty if the clause gives none for certain."""
    claim = read_claim(clause)
    attribute = claim_words().attributes.get(claim.attribute)
    sure = claim.value.certain and not claim.denied and not claim.owner
    plain = attribute and (attribute.tier == "core" or claim.attribute in claim_words()["introduced"])
    return claim.value.core if plain and sure else ()


def _states_nothing(sentence: str) -> bool:
    """Whether a sentence is a question, an assumption or a report."""
    known = claim_words()
    words = [word.casefold() for word in split_words(sentence)]
    if sentence.rstrip(" .!。！").endswith(STATING_NOTHING) or (words and words[0] in known["question"]):
        return True
    markers = known["supposing"] | known["reporting"]
    phrases = (word for word in known["question"] | markers if CJK_CHARACTER.match(word))
    return any(phrase in sentence for phrase in phrases) or not markers.isdisjoint(words)

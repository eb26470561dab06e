"""Finds the statements in a person's message: not questions, quotations, assumptions, or reports about others."""

import re

from pilotfish.memory.claim_vocabulary import CJK_CHARACTER, claim_words, split_words

SENTENCE = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；])|\n+")
QUOTED = re.compile(
    r"\"[^\"\n]{1,2000}\"|“[^“”\n]{1,2000}”|„[^„“\n]{1,2000}“|«[^«»\n]{1,2000}»|「[^「」\n]{1,2000}」|^>.*$",
    re.MULTILINE,
)
QUESTION_ENDINGS = ("?", "？", "吗", "呢")


def list_statements(text: str) -> list[str]:
    """The sentences that state something, without the quotes in them."""
    sentences = (part.strip() for part in SENTENCE.split(QUOTED.sub(" ", text)))
    return [sentence for sentence in sentences if sentence and not _states_nothing(sentence)]


def _states_nothing(sentence: str) -> bool:
    """Whether a sentence is a question, an assumption or a report."""
    known = claim_words()
    words = [word.casefold() for word in split_words(sentence)]
    if sentence.rstrip(" .!。！").endswith(QUESTION_ENDINGS) or (words and words[0] in known["question"]):
        return True
    markers = known["supposing"] | known["reporting"]
    phrases = (word for word in known["question"] | markers if CJK_CHARACTER.match(word))
    return any(phrase in sentence for phrase in phrases) or not markers.isdisjoint(words)

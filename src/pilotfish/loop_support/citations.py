"""Adds sources to an answer where the model did not: by words that only one source contains."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pilotfish.safety.grounding import word_lists

if TYPE_CHECKING:
    from pilotfish.core.pages import TabText

WORD = re.compile(r"\d[\d.,]*\d|\d|[^\W\d_]{3,}")
WHOLE_WORD = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+")
DENIAL_WORDS = 10
"""The most words of an answer that counts as a mere denial."""
TAB_MENTION = re.compile(
    r"\b(tabs?|reiter|onglets?|pestañas?|schede?|abas?|вкладк\w*|kart\w*)\s*\d|标签页?\s*\d|タブ\s*\d", re.IGNORECASE
)
PARTICLES = """the and for with from that this are was not you has have its but there here also very much which
der die das und ist mit von den les des est une pour que los las una con por"""
STOP_WORDS = frozenset(PARTICLES.split())
"""Words that occur in every text, so they do not show a source."""
CITATION_MARK = re.compile(r"(?<!\s)\s*\[\d+\]")
CITED_NUMBER = re.compile(r"(?<!\w)\[(\d{1,3})\](?![(:])")
CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
SENTENCE = re.compile(r"(?<=[.!?。！？])(\s+)|(\n+)")
SENTENCE_ENDS = ".!?。！？"


def count_unique_words(said: str, texts: Sequence[str]) -> list[int]:
    """For each text, how many words of the answer occur in it and in no other text."""
    words = set(WORD.findall(said.lower())) - STOP_WORDS
    vocabularies = [set(WORD.findall(text.lower())) for text in texts]
    seen_in = Counter(word for vocabulary in vocabularies for word in vocabulary)
    return [sum(seen_in[word] == 1 for word in words & vocabulary) for vocabulary in vocabularies]


def credit_tabs(answer: str, tabs: "Sequence[TabText]") -> str:
    """The answer, with the tabs that it comes from added if there are several tabs and it names none."""
    if len(tabs) < 2 or TAB_MENTION.search(answer) or _is_denial(answer):
        return answer
    counts = count_unique_words(answer, [f"{tab.title} {tab.text}" for tab in tabs])
    sources = [tab.id for tab, count in zip(tabs, counts, strict=True) if count]
    if not sources:
        return answer
    named = f"tab {sources[0]}" if len(sources) == 1 else "tabs " + ", ".join(map(str, sources))
    return f"{answer.rstrip()} ({named})"


def _is_denial(answer: str) -> bool:
    """Whether an answer is a short denial, such as “I do not know.”, which has no source."""
    words = WHOLE_WORD.findall(answer.lower())
    if len(words) > DENIAL_WORDS or any(word.isdigit() for word in words):
        return False
    return any(word in word_lists()["negative"] for word in words)


def list_citations(answer: str, sources: int) -> list[int]:
    """The numbers that an answer cites and none of so many sources has. Code and links are no citations."""
    cited = {int(number) for number in CITED_NUMBER.findall(CODE.sub(" ", answer))}
    return sorted(number for number in cited if not 0 < number <= sources)


def cite_sources(answer: str, texts: Sequence[str]) -> str:
    """The answer with a citation after each sentence, where its source can be found."""
    parts = [part for part in SENTENCE.split(CITATION_MARK.sub("", answer)) if part]
    marked = [_cite_sentence(part, texts) for part in parts]
    return "".join(marked) if marked != parts else answer


def _cite_sentence(part: str, texts: Sequence[str]) -> str:
    if part.lstrip().startswith(("#", "|", "```")):
        return part
    counts = count_unique_words(part, texts)
    numbers = "".join(f"[{n}]" for n, count in enumerate(counts, 1) if count and 2 * count >= max(counts))
    said = part.rstrip(SENTENCE_ENDS)
    return f"{said} {numbers}{part[len(said) :]}" if numbers else part

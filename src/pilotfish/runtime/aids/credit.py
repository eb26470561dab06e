"""Saying where an answer comes from, where the model did not or does so badly: by words that one text has alone."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pilotfish.runtime.seeing import TabText

WORD = re.compile(r"\d[\d.,]*\d|\d|[^\W\d_]{3,}")
NAMED = re.compile(
    r"\b(tabs?|reiter|onglets?|pestañas?|schede?|abas?|вкладк\w*|kart\w*)\s*\d|标签页?\s*\d|タブ\s*\d", re.IGNORECASE
)
PARTICLES = """the and for with from that this are was not you has have its but there here also very much which
der die das und ist mit von den les des est une pour que los las una con por"""
SMALL = frozenset(PARTICLES.split())
"""Words that tell nothing of where they come from."""
CITED = re.compile(r"\s*\[\d+\]")
SENTENCE = re.compile(r"(?<=[.!?。！？])(\s+)|(\n+)")
ENDS = ".!?。！？"


def own(said: str, texts: Sequence[str]) -> list[int]:
    """How many words of what is said each of these texts has that no other has."""
    words = set(WORD.findall(said.lower())) - SMALL
    held = [set(WORD.findall(text.lower())) for text in texts]
    return [len(words & text - set[str]().union(*(other for other in held if other is not text))) for text in held]


def credited(answer: str, tabs: "Sequence[TabText]") -> str:
    """The answer; with several tabs, and none named in it, the tabs that alone have words of it are."""
    if len(tabs) < 2 or NAMED.search(answer):
        return answer
    counts = own(answer, [f"{tab.title} {tab.text}" for tab in tabs])
    sources = [tab.id for tab, count in zip(tabs, counts, strict=True) if count]
    if not sources:
        return answer
    named = f"tab {sources[0]}" if len(sources) == 1 else "tabs " + ", ".join(map(str, sources))
    return f"{answer.rstrip()} ({named})"


def grounded(answer: str, texts: Sequence[str]) -> str:
    """The answer with each sentence cited by the texts that it comes from; as it is where none can be told."""
    parts = [part for part in SENTENCE.split(CITED.sub("", answer)) if part]
    marked = [_marked(part, texts) for part in parts]
    return "".join(marked) if marked != parts else answer


def _marked(part: str, texts: Sequence[str]) -> str:
    if part.lstrip().startswith(("#", "|", "```")):
        return part
    counts = own(part, texts)
    numbers = "".join(f"[{n}]" for n, count in enumerate(counts, 1) if count and 2 * count >= max(counts))
    said = part.rstrip(ENDS)
    return f"{said} {numbers}{part[len(said) :]}" if numbers else part

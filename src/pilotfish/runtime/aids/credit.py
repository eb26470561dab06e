"""Saying which tab an answer comes from, where the model did not."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pilotfish.runtime.seeing import TabText

WORD = re.compile(r"\d[\d.,]*\d|\d|[^\W\d_]{3,}")
NAMED = re.compile(
    r"\b(tabs?|reiter|onglets?|pestañas?|schede?|abas?|вкладк\w*|kart\w*)\s*\d|标签页?\s*\d|タブ\s*\d", re.IGNORECASE
)


def credited(answer: str, tabs: "Sequence[TabText]") -> str:
    """The answer; with several tabs, and none named in it, the tabs that alone have words of it are."""
    if len(tabs) < 2 or NAMED.search(answer):
        return answer
    said = set(WORD.findall(answer.lower()))
    texts = [set(WORD.findall(f"{tab.title} {tab.text}".lower())) for tab in tabs]
    own = [said & text - set[str]().union(*(other for other in texts if other is not text)) for text in texts]
    sources = [tab.id for tab, words in zip(tabs, own, strict=True) if words]
    if not sources:
        return answer
    named = f"tab {sources[0]}" if len(sources) == 1 else "tabs " + ", ".join(map(str, sources))
    return f"{answer.rstrip()} ({named})"

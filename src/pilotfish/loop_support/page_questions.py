"""Recognises messages about a page, for runs in which none is open."""

import re
from itertools import pairwise

NO_TAB = "There is no open page to answer from. Open a tab, or give an address with your question."
WORD = re.compile(r"[^\W\d_]+")
POINTING_WORDS = frozenset(
    WORD.findall(
        "this these that the my our open current diese dieser dieses diesem diesen die der das den dem meine meiner"
        " offene offenen aktuelle aktuellen cette cet ce ces la le les l ma mes esta este estas estos el las los mi mis"
    )
)
PAGE_WORDS = frozenset(
    WORD.findall(
        "page pages webpage tab tabs site website article seite seiten webseite artikel onglet onglets página páginas"
        " pestaña pestañas sitio artículo"
    )
)
CJK_PAGES = ("这页", "这一页", "这个页", "这个网", "这篇", "本页", "本文", "该页", "页面", "网页上", "标签页")
THING_WORDS = frozenset(WORD.findall("this that it these das dies ça ceci cela esto eso"))
CJK_THINGS = ("这是", "那是", "它是")
SHORT_QUESTION, SHORT_CJK = 4, 6
"""The most words, or Chinese characters, of a question that only points, such as “What is this?”."""


def speaks_of_page(text: str) -> bool:
    """Whether a message names a page that the person has before them, or only points at something."""
    words = WORD.findall(text.lower())
    named = any(word in PAGE_WORDS and before in POINTING_WORDS for before, word in pairwise(words))
    points = 0 < len(words) <= SHORT_QUESTION and words[-1] in THING_WORDS
    cjk = any(word in text for word in CJK_PAGES)
    return named or points or cjk or (len(text) <= SHORT_CJK and text.startswith(CJK_THINGS))

"""Cuts text into comparable terms: stems, without stop words."""

import re
from collections.abc import Iterator
from datetime import datetime
from functools import cache, lru_cache
from typing import Any

WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]+|[^\W_\u3040-\u30ff\u3400-\u9fff]+(?:['’][^\W\d_]+)?")
CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
STOP = frozenset(
    re.findall(
        r"\w+",
        "a about an and are as at be been being but by can could did do does doing for from had has have having he her"
        " him his how i if in into is it its just me my of on or our she should so some than that the their them then"
        " there these they this those to too up us was we were what when where which who whom whose why will with would"
        " you your am not no any also im ive id dont didnt hes shes theyre youre thats user",
    )
)
PIECE = 110


def list_terms(text: str) -> list[str]:
    """The stems of the words that carry meaning; Chinese and Japanese as pairs of characters."""
    return [stem_word(word) for word in list_words(text) if word not in STOP]


def list_words(text: str) -> Iterator[str]:
    for found in WORD.findall(text.lower()):
        if CJK.match(found):
            yield from (found[n : n + 2] for n in range(max(1, len(found) - 1)))
        else:
            yield re.sub(r"['’]s$", "", found).replace("'", "").replace("’", "")


@lru_cache(maxsize=100_000)
def stem_word(word: str) -> str:
    return _stemmer().stemWord(word)


@cache
def _stemmer() -> Any:
    import snowballstemmer

    return snowballstemmer.stemmer("english")


def date_terms(at: datetime) -> list[str]:
    """The words by which a person may name a day."""
    return at.strftime("%B %Y %A %Y-%m-%d").lower().split()


def split_text(text: str) -> list[str]:
    """Split a long text into parts of about a hundred words, so that one good sentence is found among many."""
    found: list[str] = [""]
    for sentence in re.split(r"(?<=[.!?。！？])\s+|\n+", text):
        if found[-1] and len(found[-1].split()) + len(sentence.split()) > PIECE:
            found.append("")
        found[-1] = f"{found[-1]} {sentence}".strip()
    return found

"""Cuts text into comparable terms: stems, without function words."""

import re
import tomllib
import unicodedata
from collections.abc import Iterator
from datetime import datetime
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]+|[^\W_\u3040-\u30ff\u3400-\u9fff]+(?:['’][^\W\d_]+)?")
ELISION = re.compile(r"^(?:[cdjlmnst]|qu|lorsqu|jusqu|puisqu)['’]")
"""A French short word before a vowel, as in “l'eau”."""
LETTERS = re.compile(r"[^\W\d_]+")
CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
PIECE = 110
"""Words of a part at most."""


class QueryWords:
    """The lists of `query_words.toml`."""

    def __init__(self) -> None:
        data = tomllib.loads(Path(__file__).with_name("query_words.toml").read_text("utf-8"))
        function = {name: frozenset(text.split()) for name, text in data["function"].items()}
        self.also_english = function.pop("also_english")
        self.between_cjk = sorted(function.pop("cjk"), key=len, reverse=True)
        self.function = function
        self.always = frozenset().union(*function.values()) - (self.also_english - function["en"])
        self.person = frozenset(data["person"]["words"].split())
        self.cjk_person = frozenset(data["person"]["cjk"].split())
        self.light = frozenset(word for text in data["light"].values() for word in text.split())


@cache
def query_words() -> QueryWords:
    return QueryWords()


def list_terms(text: str) -> list[str]:
    """The stems of the words that carry meaning; Chinese and Japanese as pairs of characters."""
    return [stem_word(word) for word in list_content_words(text)]


def list_content_words(text: str) -> list[str]:
    """The words of a text but for function words, such as “the”."""
    known = query_words()
    words = list(list_words(text))
    said = {word for word in words if word in known.always}
    left_out = said.union(*(one & known.also_english for one in known.function.values() if said & one))
    return [word for word in words if word not in left_out]


def speaks_of_person(text: str) -> bool:
    """Whether a text has a word by which people speak of themselves, such as “I” or “mein”."""
    known = query_words()
    return not known.cjk_person.isdisjoint(text) or not known.person.isdisjoint(LETTERS.findall(text.lower()))


def is_foreign(text: str) -> bool:
    """Whether a text has function words of other languages, and fewer of English, or Chinese or Japanese letters."""
    if CJK.search(text):
        return True
    known = query_words()
    words = [word for word in list_words(text) if word in known.always]
    english = sum(word in known.function["en"] for word in words)
    return english < sum(any(word in one for name, one in known.function.items() if name != "en") for word in words)


def find_language(text: str) -> str:
    """The language that most function words of a text are of: en, de, fr or es; empty where two have as many."""
    said = list(list_words(text))
    counts = {name: sum(word in function for word in said) for name, function in query_words().function.items()}
    best = max(counts.values())
    found = [name for name, count in counts.items() if count == best]
    return found[0] if len(found) == 1 else ""


def list_words(text: str) -> Iterator[str]:
    for found in WORD.findall(text.lower()):
        if not CJK.match(found):
            yield ELISION.sub("", re.sub(r"['’]s$", "", found)).replace("'", "").replace("’", "")
            continue
        for between in query_words().between_cjk:
            found = found.replace(between, " ")
        for part in found.split():
            yield from (part[n : n + 2] for n in range(max(1, len(part) - 1)))


@lru_cache(maxsize=100_000)
def stem_word(word: str) -> str:
    """The stem of a word, without accents, which people often leave out."""
    plain = "".join(sign for sign in unicodedata.normalize("NFKD", word) if not unicodedata.combining(sign))
    return _stemmer().stemWord(plain if plain.isascii() else word)


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

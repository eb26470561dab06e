"""Tells what kind of thing texts are (money, a date, a rating …) by how they are written, and names by their words."""

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

USUAL_SHARE = 0.6
LONG_TEXT = 45
SENTENCE_ENDS = (".", "!", "?", "…", "。")
NUMBER = re.compile(r"(?<![^\W_])\d")
"""A digit that is not part of a code such as CS205."""
PLAIN_NUMBER = re.compile(r"[-−–+]?\d[\d.,'’ \u00a0\u202f]*\.?")
MONTHS = (
    "jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez|janv|févr|avr|juin|juil|août|déc|ene|abr|ago|dic|"
    "gen|mag|giu|lug|set|ott"
)
DAYS = (
    "(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|"
    "lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo"
)
SPANS = "h|hrs?|hours?|std\\.?|stunden|m|mins?|minut[eo][ns]?|minutes|s|sec|d|days?|tage|jours?|días?|heures?|horas?"
CURRENCY_CODES = r"EUR|USD|GBP|CHF|JPY|CNY|PLN|SEK|NOK|DKK|CZK|AUD|CAD|Fr\.|kr|zł|Kč|元|円|원"
DATES = (
    r"\b\d{4}-\d\d-\d\d",
    r"\b\d{1,2}[./]\d{1,2}[./]\d{2,4}",
    r"\d{4}年",
    rf"\b\d{{1,2}}\.? ?(?:{MONTHS})[a-zéû]*\b",
    rf"\b(?:{MONTHS})[a-zéû]*\.? \d{{1,2}}\b",
    rf"^(?:{DAYS})\b(?=$|[,. ]*\d)",
    r"\bago$|^(?:vor|il y a|hace)\b|^(?:today|yesterday|tomorrow|heute|gestern|morgen)\b",
)
RATINGS = (
    r"\d\s*(?:/|out of|von|sur|de|su|van)\s*(?:5|10|100)\b",
    r"[★☆⭐]|\d\s*(?:stars?|sterne|étoiles|estrellas|stelle)",
)
PATTERNS = {
    "money": rf"[€$£¥₹₩₽₺]|(?<![A-Za-z])(?:{CURRENCY_CODES})(?![A-Za-z])",
    "percent": r"\d\s?%",
    "rating": "|".join(RATINGS),
    "area": r"\d\s*(?:m²|m2|qm|sqm|sq\.? ?ft|ft²|㎡|ha\b)",
    "weight": r"\d\s*(?:kg|g|lbs?|oz|tons?)$",
    "extent": r"\d\s*(?:km|cm|mm|m|ft|mi|miles|inch|in|″)(?![\w²2])",
    "bytes": r"\d\s*(?:[KMGT]i?B|bytes)\b",
    "temperature": r"\d\s?[°℃℉]",
    "email": r"^[^\s@]+@[^\s@]+\.\w+$",
    "phone": r"^\+?[\d()/ .\u00a0-]{7,20}$",
    "link": r"^(?:https?://|www\.)\S+$",
    "time": rf"^(?:(?:{DAYS}),? )?(?:[01]?\d|2[0-3])[:.h][0-5]\d(?:\s?(?:Uhr|[ap]\.?m\.?))?$|^\d{{1,2}}\s?[ap]\.?m\.?$",
    "date": "|".join(DATES),
    "year": r"^(?:1[5-9]|20)\d\d$",
    "duration": rf"^\d+\s?(?:{SPANS})\b",
}
KINDS = {kind: re.compile(pattern, re.IGNORECASE) for kind, pattern in PATTERNS.items()}
EXACT = frozenset({"money", "percent", "rating", "area", "email", "link", "time", "year"})
"""Kinds that are written in a way that hardly anything else is."""
WORD = re.compile(r"[^\W\d_]+|\d+")
UMLAUTS = (("ae", "a"), ("oe", "o"), ("ue", "u"), ("ß", "ss"))


def kinds_of_values(texts: Sequence[str]) -> frozenset[str]:
    """The kinds that most of these texts are of."""
    if not texts:
        return frozenset()
    found = {kind for kind, pattern in KINDS.items() if _share(texts, pattern) >= USUAL_SHARE}
    if _is_rank(texts):
        found.add("rank")
    if sum(map(len, texts)) / len(texts) >= LONG_TEXT:
        found.add("long")
    if all(PLAIN_NUMBER.fullmatch(text) for text in texts):
        found.add("number")
    if found & {"email", "time", "date", "year"}:
        found.discard("phone")
    return frozenset(found)


def have_numbers(texts: Sequence[str]) -> bool:
    """Whether at least half of the texts hold a number, also one after a currency as in EUR34."""
    return 2 * sum(bool(NUMBER.search(text) or KINDS["money"].search(text)) for text in texts) >= max(1, len(texts))


def are_sentences(texts: Sequence[str]) -> bool:
    """Whether most of these texts are long, or several words that end as a sentence does."""
    said = [len(text) >= LONG_TEXT or (text.rstrip()[-1:] in SENTENCE_ENDS and text.count(" ") >= 3) for text in texts]
    return bool(said) and sum(said) >= USUAL_SHARE * len(said)


def kinds_of_name(name: str) -> frozenset[str]:
    """The kinds that a field or column of this name may be of."""
    if name == "©":
        return frozenset({"author"})
    known = _known_words()
    return frozenset(kind for word in words_of(name) for kind in known.get(word, ()))


def words_of(text: str) -> tuple[str, ...]:
    """The words of a name in one form: without case, accents and the sign of the plural."""
    return tuple(map(_plain, WORD.findall(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text))))


def _plain(word: str) -> str:
    word = word.casefold()
    folded = "".join(sign for sign in unicodedata.normalize("NFKD", word) if not unicodedata.combining(sign))
    for long, short in UMLAUTS:
        folded = folded.replace(long, short)
    if len(folded) > 4 and folded.endswith("ies"):
        return f"{folded[:-3]}y"
    return folded[:-1] if len(folded) > 3 and folded.endswith("s") and not folded.endswith("ss") else folded


@cache
def _known_words() -> dict[str, frozenset[str]]:
    data = tomllib.loads(Path(__file__).with_name("field_words.toml").read_text("utf-8"))
    found: dict[str, set[str]] = {}
    for kind, words in data.items():
        for word in words_of(words):
            found.setdefault(word, set()).add(kind)
    return {word: frozenset(kinds) for word, kinds in found.items()}


def _share(texts: Iterable[str], pattern: re.Pattern[str]) -> float:
    said = [bool(pattern.search(text)) for text in texts]
    return sum(said) / len(said)


def _is_rank(texts: Sequence[str]) -> bool:
    """Whether the texts count from 1 up."""
    numbers = [text.strip(" .#)") for text in texts]
    return len(numbers) > 2 and numbers == [str(at) for at in range(1, len(numbers) + 1)]

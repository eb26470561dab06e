"""Reads what people call times, in several languages, as the few plain words of `when_words.toml`; and months."""

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from functools import cache
from pathlib import Path

DATE = re.compile(r"\b(\d{1,2})\.(\d{1,2})\.(\d{4})\b")
CLOCK = re.compile(r"(?<![\d.:])(\d{1,2})(?:[:.h点點时]| ?uhr ?)([0-5]\d)分?(?: uhr)?(?![\d.:])")
HOUR = re.compile(r"(?<![\d.:])(\d{1,2})(?:[点點时]| ?uhr\b)")
HALF_DAY = re.compile(r"(?<![\d.:])(1[0-2]|0?[1-9])(?::([0-5]\d))? ?([ap])\.?m\b\.?")
ORDINAL = re.compile(r"(?<![\d.:])(\d{1,2})(?:st|nd|rd|th|er|号|\.(?=\s|$))")
NAME_SPAN = re.compile(r"(?<=[a-z]) ?[-–] ?(?=[a-z])")
PIECE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}|\d{1,2}:\d\d|\d+\.?|[^\W\d_]+|\S")
ALLE = re.compile(r"\balle(?= \d{1,5} [a-z])")
"""German for "every"; in Italian it says "at"."""
HAN = re.compile(r"[\u4e00-\u9fff]+")
NUMBER = re.compile(r"\d{4}-\d{1,2}-\d{1,2}|\d{1,2}:\d\d|\d{1,5}\.?")


def read_plain_words(text: str) -> str | None:
    """The plain words in their order, with ordinals as `1.` and times as `8:30`; None if one is unknown."""
    words = known_words("times")
    said = DATE.sub(r"\3-\2-\1", fold_accents(text))
    said = CLOCK.sub(r" \1:\2 ", HALF_DAY.sub(_whole_day, said))
    said = ORDINAL.sub(r" \1. ", HOUR.sub(r" \1:00 ", said))
    said = NAME_SPAN.sub(" to ", re.sub(r",(?: (?:and|und|et))?(?=\s)", " and ", said))
    said = HAN.sub(lambda run: f" {_cut_words(run[0], words)} ", said)
    plain = [piece if NUMBER.fullmatch(piece) else words.get(piece, "") for piece in PIECE.findall(said)]
    joined = " ".join(word for word in plain if word != "filler")
    return ALLE.sub("every", joined).replace("alle", "at") if all(plain) else None


def find_month(word: str) -> int:
    """The number of the month that a word names, or 0."""
    return int(known_words("months").get(fold_accents(word), 0))


@cache
def known_words(table: str) -> Mapping[str, str]:
    """What the words of a table mean."""
    data = tomllib.loads(Path(__file__).with_name("when_words.toml").read_text("utf-8"))
    return {word: plain for plain, said in data[table].items() for word in said.split()}


def fold_accents(text: str) -> str:
    """In one case and without accents."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in plain if not unicodedata.combining(sign))


def _whole_day(match: re.Match[str]) -> str:
    """A time of twelve hours as one of twenty-four."""
    return f"{int(match[1]) % 12 + 12 * (match[3] == 'p')}:{match[2] or '00'}"


def _cut_words(run: str, words: Mapping[str, str]) -> str:
    """A run of Chinese signs cut into the longest known words; a sign that begins none stands alone."""
    found: list[str] = []
    while run:
        size = next((size for size in (3, 2) if run[:size] in words), 1)
        found.append(run[:size])
        run = run[size:]
    return " ".join(found)

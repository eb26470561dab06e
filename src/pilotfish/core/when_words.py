"""Reads what people call times, in several languages, as the few plain words of `when_words.toml`."""

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from functools import cache
from pathlib import Path

CLOCKS = (
    (re.compile(r"\b(\d{1,2})\.(\d{1,2})\.(\d{4})\b"), r" \3-\2-\1 "),
    (re.compile(r"(\d{1,2})[点點时](\d{1,2})分?"), r" \1:\2 "),
    (re.compile(r"(\d{1,2})[点點时]半"), r" \1:30 "),
    (re.compile(r"(\d{1,2})[点點时]"), r" \1:00 "),
    (re.compile(r"\b(\d{1,2})(?:[.h]| ?uhr )(\d{2})\b(?![.\d])"), r"\1:\2"),
    (re.compile(r"\b(\d{1,2}) ?uhr\b"), r"\1:00"),
)
"""Dates as 24.12.2026, and times as 8点半, 8.30, 8h30 and 8 Uhr, in one form."""
HALF_DAY = re.compile(r"\b(\d{1,2})(?::(\d{2}))? ?([ap])\.?m\b\.?")
SPAN = re.compile(r"(?<![\d-])(\d{1,2}(?::\d\d)?|[a-z]{2,9}) ?[-–] ?(\d{1,2}(?::\d\d)?|[a-z]{2,9})(?![\d-])")
ORDINAL = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th|er|\.(?=\s|$))")
HAN = re.compile(r"[\u4e00-\u9fff]+")
NUMBER = re.compile(r"\d{1,5}\.?|\d{1,2}:\d{1,2}|\d{4}-\d{1,2}-\d{1,2}")


def read_plain_words(text: str) -> list[str] | None:
    """The plain words in their order, with numbers, ordinals as `1.` and times as `8:30`; None if one is unknown."""
    words, phrases = known_words()
    said = fold_accents(text.replace("’", "'"))
    for pattern, clock in CLOCKS:
        said = pattern.sub(clock, said)
    said = HALF_DAY.sub(_whole_day, said)
    for phrase, plain in phrases.items():
        edge = r"\b" if phrase.isascii() else ""
        said = re.sub(f"{edge}{re.escape(phrase)}{edge}", f" {plain} ", said)
    said = ORDINAL.sub(r"\1. ", SPAN.sub(r"\1 to \2", said))
    said = HAN.sub(lambda run: f" {' '.join(_cut_words(run[0], words))} ", said)
    pieces = re.sub(r"(?<=\d)(?=[a-su-z])", " ", said).replace(",", " ").split()
    plain = [piece if NUMBER.fullmatch(piece) else words.get(piece, "") for piece in pieces]
    return [word for word in plain if word != "filler"] if all(plain) else None


@cache
def known_words() -> tuple[Mapping[str, str], Mapping[str, str]]:
    """The plain words by the words that mean them, and what takes the place of phrases, the longest first."""
    data = tomllib.loads(Path(__file__).with_name("when_words.toml").read_text("utf-8"))
    words = {word: plain for plain, said in data["words"].items() for word in said.split()}
    phrases = {phrase: plain for plain, said in data["phrases"].items() for phrase in said.split("|")}
    return words, dict(sorted(phrases.items(), key=lambda each: -len(each[0])))


def fold_accents(text: str) -> str:
    """In one case and without accents."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in plain if not unicodedata.combining(sign))


def _whole_day(match: re.Match[str]) -> str:
    """A time of twelve hours as one of twenty-four."""
    hour = int(match[1])
    return f"{hour % 12 + 12 * (match[3] == 'p') if 1 <= hour <= 12 else 99}:{match[2] or '00'}"


def _cut_words(run: str, words: Mapping[str, str]) -> list[str]:
    """A run of Chinese signs cut into the longest known words; a sign that begins none stands alone."""
    found: list[str] = []
    at = 0
    while at < len(run):
        size = next((size for size in (4, 3, 2) if run[at : at + size] in words), 1)
        found.append(run[at : at + size])
        at += size
    return found

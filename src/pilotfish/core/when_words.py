"""Reads what people call times, in several languages, as the few plain words of `when_words.toml`."""

import re
import tomllib
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from pilotfish.core.when_reader import MONTHS, UNITS

CLOCKS = (
    (re.compile(r"\b(\d{1,2})\.(\d{1,2})\.(\d{4})\b"), r" \3-\2-\1 "),
    (re.compile(r"(\d{1,2})[点點时](\d{1,2})分?"), r" \1:\2 "),
    (re.compile(r"(\d{1,2})[点點时]半"), r" \1:30 "),
    (re.compile(r"(\d{1,2})[点點时]一刻"), r" \1:15 "),
    (re.compile(r"(\d{1,2})[点點时]"), r" \1:00 "),
    (re.compile(r"(\d{1,2})号"), r" \1. "),
    (re.compile(r"\b(\d{1,2})(?:[.h]| ?uhr )(\d{2})\b(?![.\d])"), r"\1:\2"),
    (re.compile(r"(?<![\d:])(\d{1,2}) ?uhr\b"), r"\1:00"),
)
"""Dates as 24.12.2026, and times as 8点半, 8.30, 8h30 and 8 Uhr, in one form."""
HALF_DAY = re.compile(r"\b(\d{1,2})(?::(\d{2}))? ?([ap])\.?m\b\.?")
SPAN = re.compile(r"(?<![\d-])(\d{1,2}(?::\d\d)?|[a-z]{2,9}) ?[-–] ?(\d{1,2}(?::\d\d)?|[a-z]{2,9})(?![\d-])")
ORDINAL = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th|er|\.(?=\s|$))")
HAN_NUMBER = re.compile(r"[一二两三四五六七八九十]{1,3}(?=[点點时分号个天]|小时)")
HAN_DIGITS = "零一二三四五六七八九"
HAN = re.compile(r"[\u4e00-\u9fff]+")
MINUTES_FIRST = re.compile(
    r"(?<![\d:])(\d{1,2})(?: minute)? (past|before) (?:(\d{1,2})(?::(\d\d))?|(noon|midnight))(?![\d:]| past| before)"
)
HOUR_FIRST = re.compile(r"\bat (\d{1,2})(?::00)?(?: hour)? (plus|less) (\d{1,2})(?![\d:])( minute)?")
HOUR_ALONE = re.compile(rf"\bat (\d{{1,2}})(?: hour)? (15|30|45)(?! (?:{'|'.join((*UNITS, *MONTHS))})|[\d:.])")
ALLE = re.compile(rf"\balle(?= \d{{1,2}}(?::\d\d)?(?! (?:{'|'.join(UNITS)})\b)(?![\d:.])| noon| midnight)")
"""Italian for "at"; in German it says "every"."""
NUMBER = re.compile(r"\d{1,5}\.?|\d{1,2}:\d{1,2}|\d{4}-\d{1,2}-\d{1,2}")


def read_plain_words(text: str) -> list[str] | None:
    """The plain words in their order, with numbers, ordinals as `1.` and times as `8:30`; None if one is unknown."""
    words, phrases = known_words()
    said = HAN_NUMBER.sub(_read_han_number, fold_accents(text.replace("’", "'")))
    for pattern, clock in CLOCKS:
        said = pattern.sub(clock, said)
    said = HALF_DAY.sub(_whole_day, said)
    for phrase, plain in phrases.items():
        edge = r"\b" if phrase.isascii() else ""
        said = re.sub(f"{edge}{re.escape(phrase)}{edge}", f" {plain} ", said)
    said = ORDINAL.sub(r"\1. ", SPAN.sub(r"\1 to \2", said))
    said = HAN.sub(lambda run: f" {' '.join(_cut_words(run[0], words))} ", said)
    pieces = re.sub(r",(?=\s|$)", " and ", re.sub(r"(?<=\d)(?=[a-su-z])", " ", said)).split()
    plain = [piece if NUMBER.fullmatch(piece) else words.get(piece, "") for piece in pieces]
    return join_clocks([word for word in plain if word != "filler"]) if all(plain) else None


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


def join_clocks(words: Sequence[str]) -> list[str]:
    """With a time of several words as one: 30 past 6 is 6:30, 30 before 8 is 7:30, at 7 plus 15 minute is 7:15.

    What else stands with "plus" says "and", except where two numbers could be one time or two.
    """
    said = ALLE.sub("at", " ".join(words)).replace("alle", "every")
    changed = ""
    while changed != said:
        changed, said = said, MINUTES_FIRST.sub(_add_minutes, said)
    said = HOUR_ALONE.sub(r"at \1:\2", HOUR_FIRST.sub(_add_minutes_after, said))
    joined: list[str] = []
    plain = said.split()
    for at, word in enumerate(plain):
        before, following = plain[max(0, at - 2) : at], plain[at + 1 : at + 2]
        sums = before[-1:] and (before[-1] in UNITS or (before[0] == "at" and before[-1].isdecimal()))
        one = "and" if word == "plus" and not (sums and following and following[0].isdecimal()) else word
        if one != "and" or joined[-1:] != ["and"]:
            joined.append(one)
    return joined


def _add_minutes(match: re.Match[str]) -> str:
    """Minutes before or after an hour, as one time; what could be at noon or at midnight stays unclear."""
    minutes, side, hour, minute, named = match.groups()
    begin = 0 if named == "midnight" else 12 * 60 if named else int(hour) * 60 + int(minute or 0)
    if begin >= 24 * 60 or int(minutes) > 59 or (begin == 60 and side == "before"):
        return "unclear"
    return _write_clock(begin + (int(minutes) if side == "past" else -int(minutes)))


def _add_minutes_after(match: re.Match[str]) -> str:
    hour, side, minutes, said = match.groups()
    if int(hour) > 23 or int(minutes) > 59 or (side == "plus" and int(minutes) <= 23 and not said):
        return match[0]
    return f"at {_write_clock(int(hour) * 60 + (int(minutes) if side == 'plus' else -int(minutes)))}"


def _write_clock(minutes: int) -> str:
    return f"{minutes // 60 % 24}:{minutes % 60:02}"


def _read_han_number(match: re.Match[str]) -> str:
    """A number up to 99 in Chinese signs, in digits."""
    tens, ten, ones = match[0].replace("两", "二").rpartition("十")
    many = (HAN_DIGITS.find(tens) if tens else 1) if ten else 0
    return str(many * 10 + (HAN_DIGITS.find(ones) if ones else 0))


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

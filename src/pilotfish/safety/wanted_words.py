"""Checks whether the person's own words ask for something: they name what is touched, or contain what is sent.

People do not say the whole name of a button: "I've rung the plumber, tick that off" means the box "Call the plumber".
One distinctive word in common is enough for what is switched, chosen or moved; a button does what all its words say.
"""

import re
import tomllib
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from pathlib import Path

from pilotfish.safety.control_words import normalize_text

LEAST_LETTERS, STEM_LETTERS, MOST_LETTERS, IN_A_ROW, MOST_WORDS = 3, 5, 2000, 3, 400
"""Letters of a word that counts and of its stem, of the text that is read; words that follow each other, and words
of a value."""
WORD = re.compile(r"[^\W\d_]+|\d+(?:[.,]\d+)?")
IDEOGRAMS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,}")
COUNTER = re.compile(r"[(\[]\d{1,9}[)\]]")
IDENTIFIER = re.compile(r"(?=\S*\d)(?=\S*[^\W\d_])\S{6,}|\S{33,}")


@cache
def nameless_words() -> frozenset[str]:
    return frozenset(tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))["nameless"].split())


@lru_cache(maxsize=64)
def distinctive_words(text: str) -> frozenset[str]:
    """The distinctive words of a text: stems, numbers of two digits and more, pairs of ideograms."""
    said = normalize_text(text[:MOST_LETTERS])
    found = {word.lstrip("0") for word in WORD.findall(said)} - nameless_words()
    stems = {word[:STEM_LETTERS] for word in found if len(word) >= LEAST_LETTERS and not word[0].isdecimal()}
    numbers = {word for word in found if len(word) > 1 and word[0].isdecimal()}
    pairs = {run[at : at + 2] for run in IDEOGRAMS.findall(said) for at in range(len(run) - 1)}
    return frozenset(stems | numbers | pairs)


def names_any(said: str, texts: Iterable[str]) -> bool:
    """Whether the person's words have a distinctive word in common with one of these texts."""
    return any(distinctive_words(said) & distinctive_words(text) for text in texts)


def names_whole(said: str, texts: Iterable[str]) -> bool:
    """Whether all distinctive words of one of these texts are among the person's words. A number in brackets counts
    something and names nothing."""
    own = distinctive_words(said)
    return any((words := distinctive_words(COUNTER.sub(" ", text[:MOST_LETTERS]))) and words <= own for text in texts)


def holds_own_words(said: str, values: Iterable[str], shows: Callable[[str], bool]) -> bool:
    """Whether the sent values are the person's: every text of several words is, and at least one value is.

    A text may also contain what the place showed before (`shows`). Single words, numbers and identifiers are ignored:
    pages add them by themselves.
    """
    said_words, own, known = normalize_text(said), distinctive_words(said), False
    for value in values:
        words = distinctive_words(value)
        if normalize_text(value) in said_words or (words and words <= own):
            known = known or bool(words)
        elif IDENTIFIER.fullmatch(value.strip()) or not ("@" in value or " " in value.strip()):
            continue
        elif len(left := strip_said(said_words, normalize_text(value))) and all(map(shows, left)):
            known = True
        else:
            return False
    return known


def strip_said(said_words: str, value: str) -> list[str]:
    """What is left of a text without the words that the person said; empty if they said none of it."""
    words = value.split()[:MOST_WORDS]
    starts = [at for at in range(len(words) - IN_A_ROW + 1) if " ".join(words[at : at + IN_A_ROW]) in said_words]
    covered = {at + step for at in starts for step in range(IN_A_ROW)}
    left = "".join(word + " " if at not in covered else "\n" for at, word in enumerate(words))
    return [run.strip() for run in left.split("\n") if run.strip()] if starts else []

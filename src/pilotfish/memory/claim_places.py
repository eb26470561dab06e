"""Tells how wide a place is, since who lives in a country also lives in a town of it."""

from collections.abc import Sequence
from functools import cache
from typing import Literal

from babel import Locale

from pilotfish.memory.claim_vocabulary import claim_words, split_words

PlaceWidth = Literal["country", "region", "town"]
LANGUAGES = ("en", "de", "fr", "es", "zh")


def read_width(core: Sequence[str]) -> PlaceWidth:
    """How wide the place with these words is; what is no known country or region is a town."""
    name = "".join(core)
    if name in _countries():
        return "country"
    return "region" if name in claim_words()["regions"] else "town"


@cache
def _countries() -> frozenset[str]:
    """The names of countries and continents, each as one word."""
    names = (name for language in LANGUAGES for name in Locale(language).territories.values())
    joined = ("".join(word.casefold() for word in split_words(name)) for name in names)
    return (frozenset(joined) | claim_words()["countries"]) - claim_words()["towns"]

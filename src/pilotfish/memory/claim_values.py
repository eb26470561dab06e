"""The value that a fact gives to an attribute: its kind, its words, and whether it is certainly one."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import dropwhile, takewhile
from typing import Literal

from pilotfish.memory.claim_vocabulary import CJK_CHARACTER, ClaimAttribute, claim_words, has_digit

ValueKind = Literal["name", "number", "text"]
LONG_NAME = 8
"""Characters of the longest Chinese name of a place, person or firm."""
LONGEST_CJK_PERSON = 4
SHORT_PLACE = 3
"""Characters of the longest Chinese word for a kind of place, such as 图书馆; what is longer is a name."""


@dataclass(frozen=True)
class ClaimValue:
    """The value of an attribute: its kind, its words, and what follows them, such as “in Munich”.

    It is not certain if its phrase is also used for other things: “Ich arbeite bei Mondschein”. It is changed if the
    fact says so, as with “now” or “new”, and present if it says “now”. It is indefinite if the fact speaks of some
    thing, as with “a car”. `qualities` are words such as “blue” before the name of a thing.
    """

    kind: ValueKind
    core: tuple[str, ...]
    tail: tuple[str, ...] = ()
    certain: bool = True
    changed: bool = False
    present: bool = False
    indefinite: bool = False
    qualities: frozenset[str] = frozenset()


def read_value(words: Sequence[str]) -> ClaimValue:
    """The kind and the words of a value, without prepositions and articles before it."""
    known = claim_words()
    rest = list(words)
    while rest and rest[0].casefold() in known["join"] | known["article"]:
        rest.pop(0)
    folded = [word.casefold() for word in rest]
    if any(map(has_digit, folded)) or (folded and folded[0] in known["date"]):
        plain = [word for word in folded if word not in known["join"] | known["article"]]
        if all(word[0].isdigit() or word in known["date"] for word in plain):
            return ClaimValue("number", tuple(word.rstrip(".") for word in plain))
    cut = next((place for place, word in enumerate(folded) if place and word in known["join"]), len(folded))
    core, tail = tuple(folded[:cut]), tuple(word for word in folded[cut:] if word not in known["article"])
    return ClaimValue("name" if _is_name(rest[:cut]) else "text", core, tail)


def read_value_of(attribute: ClaimAttribute, words: Sequence[str]) -> ClaimValue:
    """The value of an attribute; a person's name may also be a common word, such as June, and is then not certain."""
    known = claim_words()
    if attribute.name in known["things"]:
        named = list(dropwhile(lambda word: word.casefold() in known["quality"] | known["article"], words))
        dropped = (word.casefold() for word in words[: len(words) - len(named)])
        qualities = frozenset(dropped) - known["article"] - known["change"]
        return replace(read_value(named), qualities=qualities)
    value = read_value(words)
    if attribute.value != "given" or not words:
        return value
    if CJK_CHARACTER.match(words[0]):
        person = 1 < len(words) <= LONGEST_CJK_PERSON and words[0] in claim_words()["cjk_surnames"]
        return ClaimValue("name", tuple(words)) if person else replace(value, certain=False)
    count = len(list(takewhile(lambda word: word[0].isupper(), words)))
    if value.kind == "name" or not count:
        return value
    folded = tuple(word.casefold() for word in words)
    return ClaimValue("name", folded[:count], folded[count:], certain=False)


def has_title(core: Sequence[str]) -> bool:
    """Whether a name has a title: “dr shah”, “陈医生”."""
    known = claim_words()
    return core[0] in known["title"] or (core[0] in known["cjk_surnames"] and "".join(core[1:]) in known["cjk_title"])


def _is_name(words: Sequence[str]) -> bool:
    common = claim_words()["common"]
    joined = "".join(words)
    if CJK_CHARACTER.match(joined):
        place = len(joined) <= SHORT_PLACE and joined[-1] in claim_words()["cjk_place_endings"]
        return (
            len(joined) <= LONG_NAME and not place and not any(word in joined for word in common if not word.isascii())
        )
    folded = [word.casefold() for word in words]
    if folded and folded[0] in claim_words()["title"]:
        words = words[1:]
    endings = tuple(claim_words()["common_endings"])
    named = (
        bool(words)
        and all(_is_capital(word) for word in words[:1])
        and all(_is_capital(word) or word[0].isdigit() for word in words)
    )
    return named and not any(word in common or word.endswith(endings) for word in folded)


def _is_capital(word: str) -> bool:
    """Whether a word is written as a name, such as “Skoda” and “iPhone”."""
    return any(character.isupper() for character in word[:2])

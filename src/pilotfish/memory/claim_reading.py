"""Reads a fact as a claim: its owner, its attribute and its value.

The words and attributes of five languages are in `claims.toml`. A fact without a known attribute is a list of
words with an owner: it can be the same as another fact, but it contradicts one only by a denial.
"""

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import Any, Literal

from pilotfish.core.facts import MemoryTier

ValueKind = Literal["name", "number", "text"]
ClaimSubject = Literal["person", "thing", "none"]

HAN = r"\u3040-\u30ff\u3400-\u9fff"
TOKEN = re.compile(rf"[{HAN}]|'s\b|[^\W_{HAN}]+(?:[@.:/+-]+[^\W_{HAN}]+)*|[,，、]")
CJK_CHARACTER = re.compile(rf"[{HAN}]")
"""A Chinese or Japanese character."""
SHORT_FORMS = {"cannot": "can not", "can't": "can not", "n't": " not", "'m": " am", "'re": " are", "'ve": " have"}
GAP = "…"
SUBJECT_WORDS = 6
"""The most words before the phrase of an attribute."""
LONG_NAME = 8
"""Characters of the longest Chinese name of a place, person or firm."""
SHORT_PLACE = 3
"""Characters of the longest Chinese word for a kind of place, such as 图书馆; what is longer is a name."""


@dataclass(frozen=True)
class ClaimValue:
    """The value of an attribute: its kind, its words, and what follows them, such as “in Munich”."""

    kind: ValueKind
    core: tuple[str, ...]
    tail: tuple[str, ...] = ()


@dataclass(frozen=True)
class FactClaim:
    """The parts of a fact. `owner` is empty for the person themselves, `attribute` if none is recognised.

    `subject`: the person, something else, or none. `measured`: how many words name the subject of “is” or “costs”, if
    it is definite and not the person; else 0.
    """

    owner: tuple[str, ...]
    attribute: str
    value: ClaimValue
    words: tuple[str, ...]
    denied: bool
    subject: ClaimSubject
    measured: int = 0


@dataclass(frozen=True)
class ClaimPhrase:
    """Words before and after the value of an attribute."""

    before: tuple[str, ...]
    after: tuple[str, ...] = ()


@dataclass(frozen=True)
class ClaimAttribute:
    """An attribute that a fact can give."""

    name: str
    single: bool
    value: str
    tier: MemoryTier | None
    phrases: tuple[ClaimPhrase, ...]
    nouns: tuple[tuple[str, ...], ...]


class ClaimWords:
    """The lists of `claims.toml`."""

    def __init__(self) -> None:
        data = tomllib.loads(Path(__file__).with_name("claims.toml").read_text("utf-8"))
        self._lists = {name: frozenset(text.casefold().split()) for name, text in data["words"].items()}
        self.opposites = {one: other for one, _, other in (pair.partition(":") for pair in self["opposites"])}
        self.spelling = {one: other for one, _, other in (pair.partition(":") for pair in self["spelling"])}
        self.cjk_spelling = {one: other for one, _, other in (pair.partition(":") for pair in self["cjk_spelling"])}
        self.attributes = {name: _make_attribute(name, entry) for name, entry in data["attributes"].items()}
        self.small = self["self"] | self["possessive"] | self["article"] | self["indefinite"] | self["be"]
        self.unowned = self.small | self["link"]

    def __getitem__(self, name: str) -> frozenset[str]:
        return self._lists[name]


@cache
def claim_words() -> ClaimWords:
    return ClaimWords()


def _make_attribute(name: str, entry: dict[str, Any]) -> ClaimAttribute:
    phrases = tuple(
        ClaimPhrase(*(tuple(_split_pattern(side)) for side in phrase.split(GAP))) for phrase in entry.get("phrases", ())
    )
    nouns = tuple(tuple(_split_pattern(noun)) for noun in entry.get("nouns", ()))
    return ClaimAttribute(name, entry["single"], entry["value"], entry.get("tier"), phrases, nouns)


def _split_pattern(text: str) -> Iterator[str]:
    for piece in text.casefold().split():
        if "*" in piece or piece == "#":
            yield piece
        else:
            yield from TOKEN.findall(piece)


def read_claim(text: str) -> FactClaim:
    """Read a sentence as a claim."""
    known = claim_words()
    tokens = list(split_words(text))
    opposites_found = [known.opposites.get(word.casefold()) for word in tokens]
    tokens = [other or word for other, word in zip(opposites_found, tokens, strict=True)]
    folded = [word.casefold() for word in tokens]
    denied = any(opposites_found) or any(word in known["denial"] for word in folded)
    kept = [place for place, word in enumerate(folded) if word not in known["denial"]] if denied else range(len(folded))
    words = [tokens[place] for place in kept]
    plain = [word.casefold() for word in words]
    at = next((place for place, word in enumerate(plain) if word in known["copula"]), 0)
    owner, attribute, value = _find_attribute(words, plain) or ((), "", ClaimValue("text", ()))
    measured = len(list(_content_words(plain[:at]))) if _is_definite(plain[:at]) else 0
    return FactClaim(owner, attribute, value, tuple(_content_words(plain)), denied, _read_subject(plain), measured)


def _content_words(plain: Sequence[str]) -> Iterator[str]:
    """The words without articles, forms of “be”, and the person: “my”, “of the user”."""
    known = claim_words()
    held: list[str] = []
    begun = False
    for word in plain:
        if word in known["link"] and word not in known["possessive"]:
            held.append(word)
        elif word not in known.small or (begun and word in known["possessive"]):
            yield from (*held, word)
            held, begun = [], True
        elif word in known["self"]:
            held = []


def _read_subject(plain: Sequence[str]) -> ClaimSubject:
    known = claim_words()
    lead = list(takewhile(known.unowned.__contains__, plain))
    if any(word in known["possessive"] or word in known["link"] for word in lead):
        return "thing"
    if any(word in known["self"] for word in lead):
        return "person"
    return "none" if not lead or lead[-1] in known["be"] else "thing"


def split_words(text: str) -> Iterator[str]:
    """The words of a text with Chinese as single characters, short forms written out, and fillers left out."""
    known = claim_words()
    text = text.replace("’", "'")
    for short, full in SHORT_FORMS.items():
        text = text.replace(short, full)
    for word in known["cjk_self"]:
        text = text.replace(word, "我")
    for word in known["cjk_filler"]:
        text = text.replace(word, "")
    for one, other in known.cjk_spelling.items():
        text = text.replace(one, other)
    for one, other in known.opposites.items():
        text = text.replace(one, f"不{other}") if CJK_CHARACTER.match(one) else text
    found: list[str] = TOKEN.findall(text)
    if [word.casefold() for word in found[:2]] == ["the", "person"]:
        found[1] = "user"
    for word in found:
        if word.casefold() not in known["filler"]:
            yield known.spelling.get(word.casefold(), word)


FoundAttribute = tuple[tuple[str, ...], str, ClaimValue]


def _find_attribute(words: Sequence[str], folded: Sequence[str]) -> FoundAttribute | None:
    for attribute in claim_words().attributes.values():
        for found in (*_by_phrase(attribute, words, folded), *_by_noun(attribute, words, folded)):
            owner, value = found
            if _accepts_value(attribute, value):
                return owner, attribute.name, value
    return None


def _accepts_value(attribute: ClaimAttribute, value: ClaimValue) -> bool:
    if attribute.value == "code":
        return any(has_digit(word) or "@" in word for word in value.core)
    if attribute.value == "person":
        return value.kind == "name" and len(value.core) > 1 and value.core[0] in claim_words()["title"]
    return bool(value.core) and attribute.value in ("any", value.kind)


def read_claim_with_parts(content: str, owner: str, attribute: str, value: str) -> FactClaim:
    """A claim with the parts that a model named, if the text has no known attribute and contains their words."""
    claim = read_claim(content)
    kind = claim_words().attributes.get(attribute)
    named = list(split_words(value))
    held = {word.casefold() for word in split_words(content)} | claim_words()["self"]
    if claim.attribute or kind is None or any(word.casefold() not in held for word in (*named, *split_words(owner))):
        return claim
    read = read_value(named)
    if not _accepts_value(kind, read):
        return claim
    return replace(
        claim, owner=_read_owner([word.casefold() for word in split_words(owner)]), attribute=attribute, value=read
    )


def _by_phrase(
    attribute: ClaimAttribute, words: Sequence[str], folded: Sequence[str]
) -> Iterator[tuple[tuple[str, ...], ClaimValue]]:
    for phrase in attribute.phrases:
        for start in range(min(len(folded), SUBJECT_WORDS + 1)):
            end = start + len(phrase.before)
            if not _matches(phrase.before, folded[start:end]) or not _is_definite(folded[:start]):
                continue
            matched = [
                word[: -len(mark) + 1]
                for mark, word in zip(phrase.before, words[start:end], strict=True)
                if "*" in mark
            ]
            first = start if phrase.before[0] == "#" else end
            last = _find_end(phrase.after, folded, first) if phrase.after else len(folded)
            if phrase.before[0] == "#":
                last = _find_end(phrase.before[1:], folded, first)
            if last >= 0:
                value = read_value([*matched, *words[first:last]])
                rest = folded[last + len(phrase.after) :] if phrase.after else ()
                yield _read_owner(folded[:start]), replace(value, tail=(*value.tail, *rest))
            break


def _by_noun(
    attribute: ClaimAttribute, words: Sequence[str], folded: Sequence[str]
) -> Iterator[tuple[tuple[str, ...], ClaimValue]]:
    """The form “my name is Ann”: a subject that holds the noun, a copula, and the value."""
    at = next((place for place, word in enumerate(folded) if word in claim_words()["copula"]), 0)
    subject = folded[:at]
    if not at or len(subject) > 2 * SUBJECT_WORDS or not _is_definite(subject):
        return
    for noun in sorted(attribute.nouns, key=len, reverse=True):
        for start in range(len(subject) - len(noun) + 1):
            if _matches(noun, subject[start : start + len(noun)]):
                about = [
                    word.removeprefix(mark[:-1])
                    for mark, word in zip(noun, subject[start:], strict=False)
                    if mark.endswith("*")
                ]
                yield (
                    _read_owner([*subject[:start], *about, *subject[start + len(noun) :]]),
                    read_value(words[at + 1 :]),
                )
                return


def _matches(pattern: Sequence[str], words: Sequence[str]) -> bool:
    return len(pattern) == len(words) and all(_fits(mark, word) for mark, word in zip(pattern, words, strict=True))


def _fits(mark: str, word: str) -> bool:
    if mark == "#":
        return has_digit(word)
    if mark.startswith("*"):
        return word.endswith(mark[1:]) and len(word) > len(mark)
    if mark.endswith("*"):
        return word.startswith(mark[:-1]) and len(word) > len(mark)
    return mark == word


def _find_end(after: Sequence[str], folded: Sequence[str], first: int) -> int:
    """The position of the words after the value; -1 if they do not follow."""
    places = range(first, len(folded) - len(after) + 1)
    return next((place for place in places if list(folded[place : place + len(after)]) == list(after)), -1)


def _is_definite(subject: Sequence[str]) -> bool:
    """Whether a subject is definite: “I have a dog called Bolt” gives no value of a single-valued attribute."""
    return not any(word in claim_words()["indefinite"] for word in subject)


def _read_owner(subject: Sequence[str]) -> tuple[str, ...]:
    return tuple(word for word in subject if word not in claim_words().unowned)


def read_value(words: Sequence[str]) -> ClaimValue:
    """The kind and the words of a value, without prepositions and articles before it."""
    known = claim_words()
    rest = list(words)
    while rest and rest[0].casefold() in known["join"] | known["article"]:
        rest.pop(0)
    folded = [word.casefold() for word in rest]
    if any(map(has_digit, folded)) or (folded and folded[0] in known["date"]):
        plain = [word for word in folded if word not in known["join"] | known["article"]]
        if all(has_digit(word) or word in known["date"] for word in plain):
            return ClaimValue("number", tuple(word.rstrip(".") for word in plain))
    cut = next((place for place, word in enumerate(folded) if place and word in known["join"]), len(folded))
    core, tail = tuple(folded[:cut]), tuple(word for word in folded[cut:] if word not in known["article"])
    return ClaimValue("name" if _is_name(rest[:cut]) else "text", core, tail)


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
    named = bool(words) and all(word[0].isupper() for word in words)
    return named and not any(word in common or word.endswith(endings) for word in folded)


def has_digit(word: str) -> bool:
    return any(character.isdigit() for character in word)

"""The words and attributes of five languages by which facts are read, from `claims.toml`, and the words of a text."""

import re
import tomllib
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from pilotfish.core.facts import MemoryTier
from pilotfish.memory.claim_forms import write_in_one_form

HAN = r"\u3040-\u30ff\u3400-\u9fff"
TOKEN = re.compile(rf"[{HAN}]|'s\b|[^\W_{HAN}]+(?:[@.:/+-]+[^\W_{HAN}]+)*|[,，、]")
CJK_CHARACTER = re.compile(rf"[{HAN}]")
"""A Chinese or Japanese character."""
SHORT_FORMS = {
    "cannot": "can not",
    "can't": "can not",
    "n't": " not",
    "'m": " am",
    "'re": " are",
    "'ve": " have",
    " have got ": " have ",
    " has got ": " has ",
} | {
    # The German “an” is read as “bei”, since the English article “an” is left out.
    f" an {article} ": f" bei {article} "
    for article in ("der", "dem", "einer", "einem")
}
GERMAN_AM = re.compile(r"(?<!\bI) am (?!not\b)")
"""The German “am”, as in “ein Haus am See”; the English one follows “I”."""
NO_LONGER = re.compile(r"\bany ?more(?=\W*$)", re.IGNORECASE)
"""What ends a denial in English: “I do not smoke any more”."""
CJK_DONE = re.compile(r"了\W*$")
"""What ends a Chinese statement of something new: “我上个月搬到重庆了”."""
GAP = "…"


@dataclass(frozen=True)
class ClaimPhrase:
    """Words before and after the value of an attribute. `plain` are those that each text with it holds."""

    before: tuple[str, ...]
    after: tuple[str, ...] = ()
    certain: bool = True

    @cached_property
    def plain(self) -> frozenset[str]:
        return frozenset(word for word in (*self.before, *self.after) if word != "#" and "*" not in word)


@dataclass(frozen=True)
class ClaimAttribute:
    """An attribute that a fact can give."""

    name: str
    single: bool
    value: str
    tier: MemoryTier | None
    phrases: tuple[ClaimPhrase, ...]
    nouns: tuple[tuple[str, ...], ...]
    certain_nouns: bool = True
    values: frozenset[str] = frozenset()


class ClaimWords:
    """The lists of `claims.toml`."""

    def __init__(self) -> None:
        data = tomllib.loads(Path(__file__).with_name("claims.toml").read_text("utf-8"))
        self._lists = {name: frozenset(text.casefold().split()) for name, text in data["words"].items()}
        self.opposites = {one: other for one, _, other in (pair.partition(":") for pair in self["opposites"])}
        self.spelling = {one: other for one, _, other in (pair.partition(":") for pair in self["spelling"])}
        self.cjk_spelling = {one: other for one, _, other in (pair.partition(":") for pair in self["cjk_spelling"])}
        self.attributes = {name: _make_attribute(name, entry) for name, entry in data["attributes"].items()}
        self.attribute_names = tuple(dict.fromkeys(one.name for one in self.attributes.values()))
        self.small = self["self"] | self["possessive"] | self["article"] | self["indefinite"] | self["be"]
        self.unowned = self.small | self["link"]

    def __getitem__(self, name: str) -> frozenset[str]:
        return self._lists[name]


@cache
def claim_words() -> ClaimWords:
    return ClaimWords()


def _make_attribute(name: str, entry: dict[str, Any]) -> ClaimAttribute:
    phrases = tuple(
        ClaimPhrase(before=sides[0], after=sides[-1] if len(sides) > 1 else (), certain=certain)
        for key, certain in (("phrases", True), ("vague_phrases", False))
        for sides in ([tuple(_split_pattern(side)) for side in phrase.split(GAP)] for phrase in entry.get(key, ()))
    )
    vague = "vague_nouns" in entry
    nouns = tuple(tuple(_split_pattern(noun)) for noun in entry.get("vague_nouns" if vague else "nouns", ()))
    values = frozenset(entry.get("values", ()))
    return ClaimAttribute(
        entry.get("means", name), entry["single"], entry["value"], entry.get("tier"), phrases, nouns, not vague, values
    )


def _split_pattern(text: str) -> Iterator[str]:
    for piece in text.casefold().split():
        if "*" in piece or piece == "#":
            yield piece
        else:
            yield from TOKEN.findall(piece)


def mentions_any(text: str, terms: frozenset[str]) -> bool:
    """Whether a text has one of the words; Chinese ones may stand anywhere in it."""
    said = {word.casefold() for word in TOKEN.findall(text)}
    return not said.isdisjoint(terms) or any(term in text for term in terms if CJK_CHARACTER.match(term))


def split_words(text: str) -> Iterator[str]:
    """The words of a text with Chinese as single characters, short forms written out, and fillers left out."""
    known = claim_words()
    text = write_in_one_form(NO_LONGER.sub("", text.replace("’", "'")))
    for short, full in SHORT_FORMS.items():
        text = text.replace(short, full)
    text = GERMAN_AM.sub(" bei ", text)
    for word in known["cjk_self"]:
        text = text.replace(word, "我")
    for word in known["cjk_filler"] | (known["cjk_began"] if CJK_DONE.search(text) else set()):
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


def has_digit(word: str) -> bool:
    return any(character.isdigit() for character in word)


def without_accents(word: str) -> str:
    return "".join(sign for sign in unicodedata.normalize("NFKD", word) if not unicodedata.combining(sign))


def list_stems(word: str, endings: Sequence[str]) -> set[str]:
    """What is left of a word without each of the endings."""
    return {word.removesuffix(end) for end in endings if word.endswith(end) and len(word) - len(end) >= 3}

"""How people describe things: reads `goals/described.txt`, and compares the words of two texts."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).parent / "goals" / "described.txt"
HEAD = re.compile(r"\[(\w+) (\w+)\]")
WORD = re.compile(r"[^\W\d_]+")
SECTIONS, ROLES = "sections", "roles"
APART = frozenset({SECTIONS, ROLES, "family"})
"""Keys whose names are not drawn: keys of sections, what people do, and names that families have of their own."""
SHORTEST, ROOT = 4, 5
"""Letters from which a word may stand in another one, and letters that two forms of a word share."""
EMPTY = frozenset(
    WORD.findall(
        """
the one and for with what that this from who where when how not are was has have had can may will you your our its
they them their about into out off over under all any some something somebody someone thing things whoever people
person more than only just too new get one's day days time der die das den dem des ein eine einen einem und mit wer
wie wenn damit etwas jemand für von zum zur auf aus bei nicht mehr man ich wir sich sache dass les une qui que quoi
pour par avec dans sur ce est pas quelque chose histoire los las una con por para lo del algo esta este cada sus mis
nos two on up at of to in is it be me my
        """
    )
)


@dataclass(frozen=True)
class Described:
    """How people describe a thing. `group`: names whose descriptions fit each other."""

    key: str
    group: str
    ways: tuple[str, ...]


@cache
def load_described(language: str) -> Mapping[str, Described]:
    """The descriptions of a language, by name."""
    return dict(read_described(language))


def read_described(language: str) -> Iterator[tuple[str, Described]]:
    key = spoken = ""
    known: set[str] = set()
    for line in FILE.read_text("utf-8").splitlines():
        if head := HEAD.fullmatch(line.strip()):
            key, spoken = head[1], head[2]
        elif line.strip() and not line.startswith("#") and spoken == language:
            begun, _, ways = line.partition(" = ")
            name, _, group = (part.strip() for part in begun.partition(" @"))
            if name in known:
                raise ValueError(f"{FILE.name}: {name} is there twice in {language}")
            known.add(name)
            yield name, Described(key, group, tuple(way.strip() for way in ways.split(";")))


@cache
def described_names(key: str, language: str) -> tuple[str, ...]:
    """The names of a key that can be drawn besides those of the vocabulary."""
    return tuple(name for name, one in load_described(language).items() if one.key == key and key not in APART)


def content_words(text: str) -> list[str]:
    """The words that carry meaning."""
    words = (word.casefold() for word in WORD.findall(text))
    return [word for word in words if len(word) > 2 and word not in EMPTY]


def share_word(one: str, other: str, language: str) -> bool:
    """Whether two texts have a word in common, in any form; in Chinese: two signs in a row."""
    if language == "zh":
        return any(one[at : at + 2] in other for at in range(len(one) - 1))
    return any(same_root(a, b) for a in content_words(one) for b in content_words(other))


def same_root(a: str, b: str) -> bool:
    short, long = sorted((a, b), key=len)
    return a == b or (len(short) >= SHORTEST and short in long) or (len(short) >= ROOT and a[:ROOT] == b[:ROOT])


def list_ways(one: Described, name: str, around: Sequence[str], language: str) -> list[str]:
    """The descriptions that have no word of the name nor of what stands around it; none where a near name does."""
    if any(name in each and name != each for each in around):
        return []
    return [way for way in one.ways if not any(share_word(way, each, language) for each in (name, *around))]

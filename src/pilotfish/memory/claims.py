"""Whether two facts say the same, contradict each other, or have nothing to do with each other.

A fact is read as a claim: what it is about, and what it says of it. Two claims about the same single-valued thing
(where somebody lives, what a child is called) with different values contradict each other.
"""

import re
from dataclasses import dataclass
from typing import Literal

from pilotfish.memory.words import STOP, stem, terms

Verdict = Literal["same", "conflict", "other"]

NOISE = re.compile(r"\b(now|currently|recently|usually|really|actually|also|always|as of \w+)\b")
OWNER = re.compile(r"^(the )?(user|person|customer|i|he|she|they)('s|’s)?\b|^(my|his|her|their)\b")
NEGATION = re.compile(r"\b(not|no longer|never|no|dislikes?|hates?|stopped|quit)\b|n['’]t\b")
OPPOSITE = re.compile(r"\b(dislikes?|hates?)\b")
SPELLING = {"favorite": "favourite", "color": "colour", "e-mail": "email", "mobile": "phone"}
SINGLE = (
    ("home", r"(lives?|resides?|is based|is located|moved|relocated|is living)( back)? (in|to|at|near)"),
    ("employer", r"(works?|is working|is employed)( \w+)? (at|for|by)|joined"),
    ("job", r"(works?|is working|is employed) as|is an? (?=\w+( \w+)? by profession)"),
    ("birth", r"was born (in|on)"),
    ("spouse", r"is (married|engaged) to"),
    ("car", r"drives"),
    ("age", r"is (?=\d+ years)|is aged"),
    ("name", r"(is called|is named|goes by|name is)"),
)
COPULA = re.compile(
    r"^(?P<about>[\w\s'’-]+?) (?P<verb>is|are|was|will be|starts?|ends?|renews?|expires?|happens?|takes place)"
    r"(?P<kind> called| named| an?(?= )| the(?= )| in| on| at| due)?:? (?P<value>.+)$"
)
PREFERS = re.compile(r"^prefers? (?P<value>.+)$")


@dataclass(frozen=True)
class Claim:
    """`about` is empty where a fact can stand beside any other."""

    about: frozenset[str]
    value: frozenset[str]
    words: frozenset[str]
    negated: bool


def compare(one: str, other: str) -> Verdict:
    first, second = claim(one), claim(other)
    if first.words == second.words and first.negated == second.negated:
        return "same"
    if first.negated != second.negated:
        shared = first.words & second.words
        return "conflict" if len(shared) >= 0.75 * max(len(first.words), len(second.words)) else "other"
    if first.about and first.about == second.about:
        return "same" if _covers(first.value, second.value) else "conflict"
    if _numbers(one) != _numbers(other):
        return "other"
    return "same" if _covers(first.words, second.words) else "other"


def claim(text: str) -> Claim:
    plain = " ".join(SPELLING.get(word, word) for word in NOISE.sub("", text.lower()).strip(" .!").split())
    said = OWNER.sub("", plain).strip()
    about, value = _parts(said, plain)
    return Claim(
        about=frozenset(about),
        value=frozenset(stem(word) for word in re.findall(r"[^\s,;()]+", value) if word not in STOP),
        words=frozenset(terms(NEGATION.sub("", OPPOSITE.sub("likes", said)))),
        negated=bool(NEGATION.search(said)),
    )


def _parts(said: str, plain: str) -> tuple[list[str], str]:
    for name, pattern in SINGLE:
        if found := re.match(rf"({pattern})\s+(?P<rest>.+)$|({pattern})(?P<tail>.+)$", said):
            return [f"={name}"], found["rest"] or found["tail"]
    if found := PREFERS.match(said):
        value = re.split(r"\b(over|to|when|for|on|in|if|instead)\b", found["value"])[0]
        return ["=prefers", *terms(value)[-1:]], found["value"]
    if (found := COPULA.match(said)) and terms(found["about"]):
        kind = (found["kind"] or "").strip().replace("an", "a").replace("named", "called")
        return [*terms(found["about"]), f"={found['verb']} {kind}"], found["value"]
    return [], plain


def _covers(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether all of the shorter is in the longer, endings aside."""
    short, long = sorted((one, other), key=len)
    return len(short) > 0 and all(any(_alike(a, b) for b in long) for a in short)


def _alike(one: str, other: str) -> bool:
    return one == other or (
        min(len(one), len(other)) >= 5 and (one.startswith(other[:-1]) or other.startswith(one[:-1]))
    )


def _numbers(text: str) -> set[str]:
    return set(re.findall(r"\d+", text))

"""Reads a fact as a claim: its owner, its attribute and its value.

A fact without a known attribute is a list of words with an owner: it can be the same as another fact, but it
contradicts one only by a denial.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Literal

from pilotfish.memory.claim_values import ClaimValue, has_title, read_value, read_value_of
from pilotfish.memory.claim_vocabulary import (
    CJK_CHARACTER,
    ClaimAttribute,
    claim_words,
    has_digit,
    mentions_any,
    split_words,
)

ClaimSubject = Literal["person", "thing", "none"]

SUBJECT_WORDS = 6
"""The most words before the phrase of an attribute."""


@dataclass(frozen=True)
class FactClaim:
    """The parts of a fact. `owner` is empty for the person themselves, `attribute` if none is recognised.

    `subject`: the person, something else, or none. `measured`: how many words name the subject of “is” or “costs”, if
    it is definite and not the person; else 0. `names`: the words with a capital letter.
    """

    owner: tuple[str, ...]
    attribute: str
    value: ClaimValue
    words: tuple[str, ...]
    denied: bool
    subject: ClaimSubject
    measured: int = 0
    names: frozenset[str] = frozenset()


def read_claim(text: str) -> FactClaim:
    """Read a sentence as a claim."""
    known = claim_words()
    tokens = list(split_words(text))
    opposites_found = [known.opposites.get(word.casefold()) for word in tokens]
    tokens = [other or word for other, word in zip(opposites_found, tokens, strict=True)]
    folded = [word.casefold() for word in tokens]
    denied = any(opposites_found) or any(word in known["denial"] for word in folded)
    kept = [place for place, word in enumerate(folded) if word not in known["denial"]] if denied else range(len(folded))
    words = _name_owner_last([tokens[place] for place in kept])
    plain = [word.casefold() for word in words]
    at = _find_copula(plain)
    owner, attribute, value = _find_attribute(words, plain) or ((), "", ClaimValue("text", ()))
    measured = len(list(_content_words(plain[:at]))) if _is_definite(plain[:at]) else 0
    names = frozenset(word.casefold() for word in words[1:] if word[0].isupper())
    content = tuple(_content_words(plain))
    changed = mentions_any(text, known["change"] | known["present"])
    present = mentions_any(text, known["present"])
    value = replace(value, changed=changed, present=present, indefinite=not _is_definite(plain))
    return FactClaim(owner, attribute, value, content, denied, _read_subject(plain), measured, names)


def _name_owner_last(words: Sequence[str]) -> Sequence[str]:
    """Write “my dog's vet is” as “vet of my dog is”; “my” and “the user's” stay where they are."""
    folded = [word.casefold() for word in words]
    at, end = (folded.index("'s") if folded.count("'s") == 1 else 0), _find_copula(folded)
    if not 0 < at < end - 1 or claim_words().small.issuperset(folded[:at]):
        return words
    return [*words[at + 1 : end], "of", *words[:at], *words[end:]]


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
    if any(map(CJK_CHARACTER.match, lead)):
        # Chinese says “my brother” with and without the word for “of”.
        return "none"
    if any(word in known["possessive"] or word in known["link"] for word in lead):
        return "thing"
    if any(word in known["self"] for word in lead):
        return "person"
    return "none" if not lead or lead[-1] in known["be"] else "thing"


FoundAttribute = tuple[tuple[str, ...], str, ClaimValue]


def _find_attribute(words: Sequence[str], folded: Sequence[str]) -> FoundAttribute | None:
    for attribute in claim_words().attributes.values():
        for found in (*_read_by_phrase(attribute, words, folded), *_read_by_noun(attribute, words, folded)):
            owner, value = found
            if _accepts_value(attribute, value):
                return owner, attribute.name, value
    return None


def _accepts_value(attribute: ClaimAttribute, value: ClaimValue) -> bool:
    if attribute.value == "code":
        return any(has_digit(word) or "@" in word for word in value.core)
    if attribute.value == "given":
        return value.kind == "name"
    if attribute.value in ("person", "full"):
        long_enough = value.kind == "name" and len(value.core) > 1
        return long_enough and (attribute.value == "full" or has_title(value.core))
    if attribute.value == "measure":
        return bool(value.core) and value.core[0][0].isdigit()
    if attribute.value == "listed":
        return not value.tail and "".join(value.core) in attribute.values
    if attribute.name == "job" and not claim_words()["time"].isdisjoint(value.core):
        return False
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


def _read_by_phrase(
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
            vague = not phrase.certain and folded[first : first + 1]
            if last >= 0 and not (vague and vague[0] in claim_words()["join"]):
                value = read_value_of(attribute, [*matched, *words[first:last]])
                rest = folded[last + len(phrase.after) :] if phrase.after else ()
                certain = value.certain and phrase.certain
                yield _read_owner(folded[:start]), replace(value, tail=(*value.tail, *rest), certain=certain)
            break


def _read_by_noun(
    attribute: ClaimAttribute, words: Sequence[str], folded: Sequence[str]
) -> Iterator[tuple[tuple[str, ...], ClaimValue]]:
    """The form “my name is Ann”: a subject that holds the noun, a copula, and the value."""
    at = _find_copula(folded)
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
                value = read_value_of(attribute, words[at + 1 :])
                if attribute.certain_nouns:
                    yield _read_owner([*subject[:start], *about, *subject[start + len(noun) :]]), value
                elif tuple(folded[at + 1 : at + 2]) == value.core[:1]:
                    # A bank and an insurance are two things, and “is in Bonn” does not name one.
                    yield _read_owner(subject), replace(value, certain=False)
                return


def _find_copula(folded: Sequence[str]) -> int:
    """The position of the copula, or 0. After “my” or “the” the Spanish copula “son” is the English noun."""
    known = claim_words()
    nouns_follow = known["possessive"] | known["article"] | known["indefinite"]
    places = (place for place, word in enumerate(folded) if word in known["copula"])
    return next((place for place in places if not place or folded[place - 1] not in nouns_follow), 0)


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
    """The words that name an owner; “my new landlord” is the landlord."""
    known = claim_words()
    return tuple(word for word in subject if word not in known.unowned | known["change"])

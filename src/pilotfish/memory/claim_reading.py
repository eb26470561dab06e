"""Reads a fact as a claim: its owner, its attribute and its value.

A fact without a known attribute is a list of words with an owner: it can be the same as another fact, but it
contradicts one only by a denial.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from pilotfish.memory.claim_order import (
    ClaimSubject,
    find_copula,
    is_definite,
    list_content,
    order_words,
    read_subject,
    split_beginning,
)
from pilotfish.memory.claim_states import find_state
from pilotfish.memory.claim_values import ClaimValue, has_title, read_value, read_value_of
from pilotfish.memory.claim_vocabulary import (
    ClaimAttribute,
    claim_words,
    has_digit,
    mentions_any,
    split_words,
)
from pilotfish.memory.text_terms import find_language

YEAR_DIGITS = 4
"""Digits of the number of a year; a number alone with fewer is an age."""
SUBJECT_WORDS = 6
"""The most words before the phrase of an attribute."""
CLAIMS_KEPT = 2048
"""How many claims are kept: a fact is compared with all statements of a text, and each of these with all facts."""


@dataclass(frozen=True)
class FactClaim:
    """The parts of a fact. `owner` is empty for the person themselves, `attribute` if none is recognised.

    `subject`: the person, something else, or none. `measured`: how many words name the subject of “is” or “costs”, if
    it is definite and not the person; else 0. `written`: the words as they are written.
    """

    owner: tuple[str, ...]
    attribute: str
    value: ClaimValue
    words: tuple[str, ...]
    denied: bool
    subject: ClaimSubject
    measured: int = 0
    written: tuple[str, ...] = ()

    @cached_property
    def names(self) -> frozenset[str]:
        """The words with a capital letter, but the first."""
        return frozenset(word.casefold() for word in self.written[1:] if word[0].isupper())

    @cached_property
    def lasting(self) -> "FactClaim":
        """The claim without the words that say since when: “die Miete beträgt seit Mai 850 Euro”."""
        kept, beginning = split_beginning(self.written)
        if claim_words()["since"].isdisjoint(word.casefold() for word in beginning):
            return self
        return _with_words(self, kept)

    @cached_property
    def language(self) -> str:
        """What its function words tell, if they do."""
        return find_language(" ".join(self.written))


@lru_cache(CLAIMS_KEPT)
def read_claim(text: str) -> FactClaim:
    """Read a sentence as a claim."""
    known = claim_words()
    tokens = list(split_words(text))
    # “I do not dislike jazz” does not say that they like it.
    opposites = {} if known["denial"] & {word.casefold() for word in tokens} else known.opposites
    opposites_found = [opposites.get(word.casefold()) for word in tokens]
    tokens = [other or word for other, word in zip(opposites_found, tokens, strict=True)]
    folded = [word.casefold() for word in tokens]
    reason = next((place for place, word in enumerate(folded) if place and word in known["reason"]), len(folded))
    denials = {place for place, word in enumerate(folded[:reason]) if word in known["denial"]}
    denied = any(opposites_found) or bool(denials)
    kept = [place for place in range(len(folded)) if place not in denials]
    words = order_words([tokens[place] for place in kept])
    plain = [word.casefold() for word in words]
    lasting, beginning = split_beginning(words)
    found = _read_state(folded) or _find_attribute(lasting, [word.casefold() for word in lasting])
    owner, attribute, value = found or ((), "", ClaimValue("text", ()))
    changed = mentions_any(text, known["change"] | known["present"])
    present = mentions_any(text, known["present"])
    tail = (*value.tail, *(word.casefold() for word in beginning))
    value = replace(value, tail=tail, changed=changed, present=present, indefinite=not is_definite(plain))
    return _with_words(FactClaim(owner, attribute, value, (), denied, read_subject(plain)), words)


def _with_words(claim: FactClaim, words: Sequence[str]) -> FactClaim:
    """The claim with other words: all, those that name something, and how many of these are its subject."""
    plain = [word.casefold() for word in words]
    subject = plain[: find_copula(plain)]
    measured = len(list(list_content(subject))) if is_definite(subject) else 0
    return replace(claim, words=tuple(list_content(plain)), measured=measured, written=tuple(words))


FoundAttribute = tuple[tuple[str, ...], str, ClaimValue]


def _read_state(folded: Sequence[str]) -> FoundAttribute | None:
    found = find_state(folded)
    if found is None:
        return None
    owner, state = found
    return _read_owner(owner), state.kind, ClaimValue("text", (state.name,), certain=state.certain)


def _find_attribute(words: Sequence[str], folded: Sequence[str]) -> FoundAttribute | None:
    for attribute in claim_words().attributes.values():
        for found in (*_read_by_phrase(attribute, words, folded), *_read_by_noun(attribute, words, folded)):
            owner, value = found
            if accepts_value(attribute, value):
                return owner, attribute.name, value
    return None


def accepts_value(attribute: ClaimAttribute, value: ClaimValue) -> bool:
    if attribute.value == "code":
        sizes = claim_words()["sizes"] if attribute.name == "size" else ()
        return any(has_digit(word) or "@" in word or word in sizes for word in value.core)
    if attribute.value == "given":
        return value.kind == "name"
    if attribute.value in ("person", "full"):
        long_enough = value.kind == "name" and len(value.core) > 1
        return long_enough and (attribute.value == "full" or has_title(value.core))
    if attribute.value in ("measure", "length"):
        measured = bool(value.core) and value.core[0][0].isdigit()
        return measured and (attribute.value == "measure" or "cm" in value.core)
    if attribute.value == "years":
        return value.kind == "number" and len(value.core) == 1 and len(value.core[0]) < YEAR_DIGITS and not value.tail
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
    if not accepts_value(kind, read):
        return claim
    return replace(
        claim, owner=_read_owner([word.casefold() for word in split_words(owner)]), attribute=attribute, value=read
    )


def _read_by_phrase(
    attribute: ClaimAttribute, words: Sequence[str], folded: Sequence[str]
) -> Iterator[tuple[tuple[str, ...], ClaimValue]]:
    said = frozenset(folded)
    for phrase in attribute.phrases:
        if not phrase.plain <= said:
            continue
        for start in range(min(len(folded), SUBJECT_WORDS + 1)):
            end = start + len(phrase.before)
            if not _matches(phrase.before, folded[start:end]) or not is_definite(folded[:start]):
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
    at = find_copula(folded)
    subject = folded[:at]
    if not at or len(subject) > 2 * SUBJECT_WORDS or not is_definite(subject):
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


def _read_owner(subject: Sequence[str]) -> tuple[str, ...]:
    """The words that name an owner; “my new landlord” is the landlord."""
    known = claim_words()
    return tuple(word for word in subject if word not in known.unowned | known["change"])

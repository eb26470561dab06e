"""Decides whether two facts say the same, refine or contradict each other, or can both hold.

A contradiction needs the same owner, the same single-valued attribute and another value of the same kind, or a denial
of the same words. Where the phrase leaves open whether a value is meant, as in “Ich arbeite bei Mondschein”, it also
needs a word for a change, such as “jetzt”. A refinement has every word of the other fact in its order, and adds a
part. In all other cases both facts hold.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Literal

from pilotfish.memory.claim_details import adds_parts, gives_time
from pilotfish.memory.claim_names import are_names_of_one
from pilotfish.memory.claim_places import read_width
from pilotfish.memory.claim_reading import FactClaim, read_claim
from pilotfish.memory.claim_values import ClaimValue
from pilotfish.memory.claim_vocabulary import claim_words, has_digit, list_stems, without_accents
from pilotfish.memory.claim_wording import deny_each_other, join_compounds, say_the_same

ClaimRelation = Literal["same", "narrower", "wider", "conflict", "other"]
"""How a new fact relates to a known one: `narrower` says more than it, `wider` less."""

YEAR = re.compile(r"(?:19|20)\d\d")
MARRIAGE, MARRIAGE_END = frozenset({"spouse"}), frozenset({"divorce", "partnership"})
"""Attributes that tell a marriage, and those that tell its end."""
GENITIVES = ("", "s", "es")
PLURALS = ("", "s", "es", "e", "n", "en")


def compare_facts(new: str, known: str) -> ClaimRelation:
    return compare_claims(read_claim(new), read_claim(known))


def compare_claims(new: FactClaim, known: FactClaim) -> ClaimRelation:
    if new.attribute == known.attribute and new.attribute not in {"", *claim_words().attributes}:
        # A state holds its denial: “I do not smoke”.
        return _compare_owned(new, known) if _same_owner(new, known) else "other"
    if {new.attribute, known.attribute} & MARRIAGE and {new.attribute, known.attribute} & MARRIAGE_END:
        return "conflict" if _ends_marriage(new, known) else "other"
    if new.denied != known.denied:
        return "conflict" if deny_each_other(new, known) else "other"
    if say_the_same(new, known):
        return "same"
    if new.attribute and new.attribute == known.attribute and not new.denied:
        return _compare_owned(new, known) if _same_owner(new, known) else "other"
    if _differ_in_numbers(new.lasting, known.lasting) or are_names_of_one(new.lasting, known.lasting):
        return "conflict"
    if adds_parts(new, known):
        return "narrower"
    return "wider" if adds_parts(known, new) and not gives_time(known.words, new.words) else "other"


def _ends_marriage(new: FactClaim, known: FactClaim) -> bool:
    """Whether one fact names a spouse, and the other says that the same person is not married, or no longer to them."""
    spouse, other = (new, known) if new.attribute in MARRIAGE else (known, new)
    if not _same_owner(new, known) or spouse.denied or spouse.value.tail:
        return False
    if other.attribute == "divorce":
        return other is new and other.value.core == spouse.value.core
    return other.value.core[0] in ("single", "divorced", "widowed")


def _same_owner(one: FactClaim, other: FactClaim) -> bool:
    """Whether both are of the same owner; a genitive ends in another way: “meines Chefs”."""
    if len(one.owner) != len(other.owner):
        return False
    pairs = zip(one.owner, other.owner, strict=True)
    return all(a == b or list_stems(a, GENITIVES) & list_stems(b, GENITIVES) for a, b in pairs)


def _compare_owned(new: FactClaim, known: FactClaim) -> ClaimRelation:
    """Compare the values of one owner. Of whom a person has several, like a brother, it may be another one, unless
    the fact says “now”."""
    relation = _weigh_qualities(_compare_values(new, known), new.value.qualities, known.value.qualities)
    several = claim_words()["several"]
    unsure = "".join(new.owner) in several or not several.isdisjoint(new.owner)
    return "other" if unsure and relation == "conflict" and not new.value.present else relation


def _weigh_qualities(relation: ClaimRelation, new: frozenset[str], known: frozenset[str]) -> ClaimRelation:
    """The relation of two things where one may also be said to be blue: none of what is said is lost."""
    if relation == "same":
        return "same" if new == known else "narrower" if new > known else "wider" if new < known else "other"
    fits = new >= known if relation == "narrower" else new <= known
    return relation if fits or relation not in ("narrower", "wider") else "other"


def _compare_values(new: FactClaim, known: FactClaim) -> ClaimRelation:
    one, other = new.value, known.value
    attribute = claim_words().attributes.get(new.attribute)
    if attribute is not None and not attribute.single:
        return _compare_items(one, other)
    if new.attribute in claim_words()["things"] and (
        _contains(one.core, other.core) or _contains(other.core, one.core)
    ):
        return "narrower" if len(one.core) > len(other.core) else "wider"
    if one.kind == other.kind == "number":
        return _compare_numbers(one, other)
    if join_compounds(one.core) == join_compounds(other.core):
        return _compare_tails(one.tail, other.tail)
    if one.kind != other.kind and (attribute is None or attribute.value != "listed"):
        return "other"
    if _lies_in(one, other) or _lies_in(other, one):
        return "narrower" if _lies_in(one, other) else "wider"
    if _extends(one.core, other.core) or _extends(other.core, one.core):
        return "narrower" if len(one.core) > len(other.core) else "wider"
    if set(one.core) <= set(other.core) or set(other.core) <= set(one.core):
        return "other"
    if new.attribute == "preference" and not _are_alternatives(one, other):
        return "other"
    if new.attribute in claim_words()["places"] and read_width(one.core) != read_width(other.core):
        return "other"
    beside = claim_words()["company"] | claim_words()["since"] | claim_words()["last"]
    company_only = all(not value.tail or value.tail[0] in beside for value in (one, other))
    certain = (one.certain and other.certain) or (one.changed and not other.indefinite)
    return "conflict" if certain and (company_only or one.tail == other.tail) else "other"


def _are_alternatives(one: ClaimValue, other: ClaimValue) -> bool:
    """Whether two preferences exclude each other, as window seats and aisle seats do, and “vin rouge”, “vin blanc”."""
    known = claim_words()
    kinds = one.core[-1] == other.core[-1]
    if one.core[0] == other.core[0]:
        of_kind = one.core[:2] == other.core[:2] and one.core[1:2] and one.core[1] in known["kind_of"]
        kinds = kinds or bool(of_kind) or known["quality"].issuperset({*one.core[1:], *other.core[1:]})
    return kinds and not one.tail and not other.tail and min(len(one.core), len(other.core)) > 1


def _lies_in(part: ClaimValue, whole: ClaimValue) -> bool:
    """Whether a value names what it lies in, and that is the other value: “Glasgow, Scotland” and “Scotland”."""
    around = tuple(word for word in part.tail if word not in claim_words()["join"])
    return not whole.tail and around == whole.core


def _compare_tails(one: Sequence[str], other: Sequence[str]) -> ClaimRelation:
    if tuple(one) == tuple(other):
        return "same"
    if {*one, *other} & claim_words()["limit"]:
        return "other"
    if one[: len(other)] == other:
        return "narrower"
    return "wider" if other[: len(one)] == one and not gives_time(other, one) else "other"


def _compare_items(one: ClaimValue, other: ClaimValue) -> ClaimRelation:
    """Compare two values of which several can hold: one refines the other where it only adds to it."""
    if _lies_in(one, other) or _lies_in(other, one):
        return "narrower" if _lies_in(one, other) else "wider"
    if not _same_thing(one, other):
        return "other"
    added = max(one.tail, other.tail, key=len)[min(len(one.tail), len(other.tail)) :]
    adds = not added or added[0] in claim_words()["adding"] | claim_words()["part"]
    return _compare_tails(one.tail, other.tail) if adds else "other"


def _compare_numbers(one: ClaimValue, other: ClaimValue) -> ClaimRelation:
    first, second = Counter(one.core), Counter(other.core)
    if one.tail != other.tail:
        return _compare_tails(one.tail, other.tail) if first == second else "other"
    if first == second:
        written = any(word.isascii() and word.isalpha() for word in one.core)
        return "same" if written or one.core == other.core else "conflict"
    if first > second:
        return "narrower"
    if first < second:
        return "wider"
    shared = [(a, b) for a, b in zip(_date_parts(one), _date_parts(other), strict=True) if a and b]
    return "conflict" if any(a != b for a, b in shared) else "other"


def _date_parts(value: ClaimValue) -> tuple[set[str], set[str]]:
    """The years of a number or date, and its other words: a year and a day can both hold."""
    years = {word for word in value.core if YEAR.fullmatch(word)}
    return years, set(value.core) - years - claim_words()["unit"]


def _same_thing(one: ClaimValue, other: ClaimValue) -> bool:
    if len(one.core) != len(other.core):
        return False
    pairs = zip(map(without_accents, one.core), map(without_accents, other.core), strict=True)
    return all(first == second or list_stems(first, PLURALS) & list_stems(second, PLURALS) for first, second in pairs)


def _contains(longer: Sequence[str], shorter: Sequence[str]) -> bool:
    """Whether a value holds the words of another one side by side: “green Skoda Fabia”, “Skoda”."""
    places = range(len(longer) - len(shorter) + 1) if 0 < len(shorter) < len(longer) else ()
    return any(tuple(longer[place : place + len(shorter)]) == tuple(shorter) for place in places)


def _extends(longer: Sequence[str], shorter: Sequence[str]) -> bool:
    return 0 < len(shorter) < len(longer) and tuple(longer[: len(shorter)]) == tuple(shorter)


def _differ_in_numbers(one: FactClaim, other: FactClaim) -> bool:
    """Whether both say a number of the same thing, and everything else is alike: “the rent is 900 euros”.

    The thing is the definite subject of “is”, or what is counted or measured: “I go to bed at 10 pm”. What happened
    once can happen again with another number.
    """
    if one.denied or len(one.words) != len(other.words):
        return False
    pairs = [(n, a, b) for n, (a, b) in enumerate(zip(one.words, other.words, strict=True)) if a != b]
    if not pairs or not all(has_digit(a) and has_digit(b) for _, a, b in pairs):
        return False
    if one.measured and other.measured:
        return all(n >= one.measured for n, _, _ in pairs)
    known = claim_words()
    counted = one.value.present or all(set(one.words[n + 1 : n + 2]) & known["measured"] for n, _, _ in pairs)
    if not known["several"].isdisjoint(one.words[: pairs[0][0]]):
        return False
    had = all(n and one.words[n - 1] in known["having"] for n, _, _ in pairs)
    if had and not any(YEAR.fullmatch(a) for _, a, _ in pairs):
        return known["several"].isdisjoint(one.words[: pairs[0][0]])
    lasting = one.value.present or known["past"].isdisjoint(one.words)
    return counted and lasting and not any(YEAR.fullmatch(a) for _, a, _ in pairs)

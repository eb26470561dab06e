"""Decides whether two facts say the same, refine or contradict each other, or can both hold.

A contradiction needs the same owner, the same single-valued attribute and another value of the same kind, or a denial
of the same words. Where the phrase leaves open whether a value is meant, as in “Ich arbeite bei Mondschein”, it also
needs a word for a change, such as “jetzt”. A refinement has every word of the other fact in its order, and adds a
part. In all other cases both facts hold.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import dropwhile
from typing import Literal

from pilotfish.memory.claim_reading import FactClaim, read_claim
from pilotfish.memory.claim_values import ClaimValue
from pilotfish.memory.claim_vocabulary import CJK_CHARACTER, claim_words, has_digit, list_stems, without_accents

ClaimRelation = Literal["same", "narrower", "wider", "conflict", "other"]
"""How a new fact relates to a known one: `narrower` says more than it, `wider` less."""

YEAR = re.compile(r"(?:19|20)\d\d")
VERB_ENDINGS = ("", "s", "es", "e", "t", "et", "st", "o", "a", "en", "ing")
PLURALS = ("", "s", "es", "e", "n", "en")
CJK_PLACE = "在"
"""The Chinese word before a place."""


def compare_facts(new: str, known: str) -> ClaimRelation:
    return compare_claims(read_claim(new), read_claim(known))


def compare_claims(new: FactClaim, known: FactClaim) -> ClaimRelation:
    if new.denied != known.denied:
        return "conflict" if _same_words(_without_links(new), _without_links(known)) else "other"
    if _same_words(new, known) or any(_same_job(*pair) or _same_name(*pair) for pair in ((new, known), (known, new))):
        return "same"
    if new.attribute and new.attribute == known.attribute and not new.denied:
        return _compare_owned(new, known) if new.owner == known.owner else "other"
    if _differ_in_numbers(new, known):
        return "conflict"
    if _adds_part(new, known):
        return "narrower"
    return "wider" if _adds_part(known, new) and not _gives_time(known.words, new.words) else "other"


def _without_links(claim: FactClaim) -> FactClaim:
    """Without “of” and “de”, which a denial changes in French: “du vin”, “pas de vin”."""
    link = claim_words()["link"]
    return replace(claim, words=tuple(word for word in claim.words if word not in link))


def _same_words(one: FactClaim, other: FactClaim) -> bool:
    """Whether both have the same words; the verb after “I” or “the user” may have another ending."""
    subjects = {one.subject, other.subject}
    if _join_compounds(one.words) == _join_compounds(other.words):
        return bool(one.words) and (len(subjects) == 1 or "none" in subjects)
    first, second = one.words[:1], other.words[:1]
    if "person" not in subjects or "thing" in subjects or not first or not second or one.words[1:] != other.words[1:]:
        return False
    irregular = claim_words()["forms"] & {f"{first[0]}:{second[0]}", f"{second[0]}:{first[0]}"}
    return bool(
        irregular
        or list_stems(without_accents(first[0]), VERB_ENDINGS) & list_stems(without_accents(second[0]), VERB_ENDINGS)
    )


def _same_job(job: FactClaim, other: FactClaim) -> bool:
    """Whether one names a job, and the other says that the same person is just that: “works as a vet”, “is a vet”."""
    if job.attribute != "job" or other.attribute or job.denied:
        return False
    known = claim_words()
    named = [word for word in (*job.owner, *job.value.core, *job.value.tail) if word not in known.small]
    return bool(job.value.core) and named == [word for word in other.words if word not in known.small | known["copula"]]


def _same_name(naming: FactClaim, other: FactClaim) -> bool:
    """Whether one says what somebody is called, and the other that they are it: “is called Mr Roe”, “is Mr Roe”.

    A single word may also be what somebody is: “Mein Vermieter ist Bäcker”.
    """
    if naming.attribute != "name" or naming.value.kind != "name" or not naming.owner or naming.denied:
        return False
    named = [
        word for word in (*naming.owner, *naming.value.core, *naming.value.tail) if word not in claim_words().small
    ]
    return len(naming.value.core) > 1 and named == [word for word in other.words if word not in claim_words()["copula"]]


def _join_compounds(words: Sequence[str]) -> str:
    """The words as one, since some write “colour-blind” and others “colour blind”."""
    return "".join(words).replace("-", "")


def _compare_owned(new: FactClaim, known: FactClaim) -> ClaimRelation:
    """Compare the values of one owner. Of whom a person has several, like a brother, it may be another one, unless
    the fact says “now”."""
    relation = _compare_values(new, known)
    several = claim_words()["several"]
    unsure = "".join(new.owner) in several or not several.isdisjoint(new.owner)
    return "other" if unsure and relation == "conflict" and not new.value.present else relation


def _compare_values(new: FactClaim, known: FactClaim) -> ClaimRelation:
    one, other = new.value, known.value
    if not claim_words().attributes[new.attribute].single:
        return _compare_items(one, other)
    if one.kind != other.kind:
        return "other"
    if one.kind == "number":
        return _compare_numbers(one, other)
    if one.core == other.core:
        return _compare_tails(one.tail, other.tail)
    if _lies_in(one, other) or _lies_in(other, one):
        return "narrower" if _lies_in(one, other) else "wider"
    if _extends(one.core, other.core) or _extends(other.core, one.core):
        return "narrower" if len(one.core) > len(other.core) else "wider"
    if set(one.core) <= set(other.core) or set(other.core) <= set(one.core):
        return "other"
    if new.attribute == "preference" and not _are_alternatives(one, other):
        return "other"
    company = claim_words()["company"]
    company_only = all(not value.tail or value.tail[0] in company for value in (one, other))
    certain = (one.certain and other.certain) or one.changed
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
    return "wider" if other[: len(one)] == one and not _gives_time(other, one) else "other"


def _compare_items(one: ClaimValue, other: ClaimValue) -> ClaimRelation:
    """Compare two values of which several can hold: one refines the other where it only adds to it."""
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


def _differ_in_numbers(one: FactClaim, other: FactClaim) -> bool:
    """Whether both say a number of the same definite thing, and everything else is alike: “the rent is 900 euros”."""
    if not (one.measured and other.measured) or one.denied or len(one.words) != len(other.words):
        return False
    pairs = [(n, a, b) for n, (a, b) in enumerate(zip(one.words, other.words, strict=True)) if a != b]
    return bool(pairs) and all(n >= one.measured and has_digit(a) and has_digit(b) for n, a, b in pairs)


def _extends(longer: Sequence[str], shorter: Sequence[str]) -> bool:
    return 0 < len(shorter) < len(longer) and tuple(longer[: len(shorter)]) == tuple(shorter)


def _adds_part(fuller: FactClaim, briefer: FactClaim) -> bool:
    """Whether one claim has the words of the other and adds a part without a limit.

    The part may be a quality of some thing: “a red car”. Else at the end it begins with a preposition, a time, or a
    name after a common noun: “a scooter Vespa”; elsewhere it is a time, a place or the name of what follows, which
    Chinese puts first: “周末在公园”, “叫年糕的”.
    """
    known = claim_words()
    longer, shorter = fuller.words, briefer.words
    extra = len(longer) - len(shorter)
    if extra <= 0 or len(shorter) < 1:
        return False
    same = next((n for n, (a, b) in enumerate(zip(longer, shorter, strict=False)) if a != b), len(shorter))
    added = longer[same : same + extra]
    some_thing = fuller.value.indefinite and briefer.value.indefinite
    plain = tuple(word for word in longer if word in shorter or word not in known["quality"] | known["degree"])
    if some_thing and len(shorter) < len(plain) < len(longer) and not CJK_CHARACTER.match(added[0]):
        return _adds_part(replace(fuller, words=plain), briefer)
    if longer[same + extra :] != shorter[same:] or set(added) & known["limit"]:
        return False
    if some_thing and fuller.names.isdisjoint(added) and _gives_quality(added, same == len(shorter)):
        return True
    timely = known["time"] | known["duration"] | known["join"]
    after_time = list(dropwhile(lambda word: word in timely or has_digit(word), added))
    if not after_time and not set(added) <= known["join"]:
        return True
    if same < len(shorter):
        place = CJK_PLACE in added[: extra - len(after_time)]
        return place or (added[0] in known["part"] and added[-1] in known["link"])
    maker = added[0] in known["link"] and fuller.value.indefinite and added[-1] in fuller.names
    named = maker or (added[0] in fuller.names and same > 0 and longer[same - 1] not in fuller.names)
    return named or added[0] in known["join"] | known["part"] | known["time"]


def _gives_quality(added: Sequence[str], at_end: bool) -> bool:
    """Whether words only say what a thing is like: “rouge”, “muy viejo”; in Chinese they end in 的."""
    known = claim_words()
    if CJK_CHARACTER.match(added[0]):
        return not at_end and added[-1] in known["link"] and set(added[:-1]) <= known["quality"] | known["degree"]
    return bool(set(added) & known["quality"]) and set(added) <= known["quality"] | known["degree"]


def _gives_time(longer: Sequence[str], shorter: Sequence[str]) -> bool:
    """Whether the longer one also gives a time. Then the shorter one is not the same fact."""
    return any(word in claim_words()["time"] for word in set(longer) - set(shorter))

"""Decides whether two facts say the same in other words."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from pilotfish.memory.claim_reading import FactClaim
from pilotfish.memory.claim_vocabulary import CJK_CHARACTER, claim_words, list_stems, without_accents

COMMAS = (",", "，")
CJK_WORD = 2
"""The least characters of a part of a Chinese statement that is put first."""
FRONTED_WORDS = 2
"""The least words of statements that are compared in another order."""
VERB_ENDINGS = ("", "s", "es", "e", "t", "et", "st", "o", "a", "en", "ing")


def say_the_same(one: FactClaim, other: FactClaim) -> bool:
    """Whether two facts, both denied or both not, say the same."""
    pairs = ((one, other), (other, one))
    return _same_words(one, other) or any(_same_job(*pair) or _same_name(*pair) or _has_named(*pair) for pair in pairs)


def deny_each_other(one: FactClaim, other: FactClaim) -> bool:
    """Whether two facts have the same words, where one is denied."""
    return _same_words(_without_links(one), _without_links(other))


def _without_links(claim: FactClaim) -> FactClaim:
    """Without “of” and “de”, which a denial changes in French: “du vin”, “pas de vin”."""
    link = claim_words()["link"]
    return replace(claim, words=tuple(word for word in claim.words if word not in link))


def _same_words(one: FactClaim, other: FactClaim) -> bool:
    """Whether both have the same words; the verb after “I” or “the user” may have another ending."""
    subjects = {one.subject, other.subject}
    plain, plain_other = (_without_links(claim).words for claim in (one, other))
    if join_compounds(plain) == join_compounds(plain_other):
        return bool(plain) and (len(subjects) == 1 or "none" in subjects)
    if _is_fronted(one.words, other.words) and "thing" not in subjects:
        return True
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


def _has_named(naming: FactClaim, other: FactClaim) -> bool:
    """Whether one says what something of the person is called, and the other that they have one that is called so."""
    known = claim_words()
    if naming.attribute != "name" or not naming.owner or naming.denied or not other.value.indefinite:
        return False
    named = (*naming.owner, *naming.value.core, *naming.value.tail)
    had = Counter(word for word in other.words[1:] if word not in known["naming"])
    return not known["having"].isdisjoint(other.words[:1]) and had == Counter(named)


def join_compounds(words: Sequence[str]) -> str:
    """The words as one, since some write “colour-blind” and others “colour blind”."""
    return "".join(words).replace("-", "")


def _is_fronted(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether a part of one statement begins the other: “I swim on Mondays”, “on Mondays, I swim”."""
    one, other = ([word for word in words if word not in COMMAS] for words in (one, other))
    if len(one) < FRONTED_WORDS or Counter(one) != Counter(other):
        return False
    if any(map(CJK_CHARACTER.match, one)):
        # A Chinese word has two characters or more, and a subject and an object do not change places in two parts.
        return any([*one[cut:], *one[:cut]] == other for cut in range(CJK_WORD, len(one) - CJK_WORD + 1))
    moved = range(1, len(one))
    return any(_moves(one, other, size) or _moves(other, one, size) for size in moved)


def _moves(one: Sequence[str], other: Sequence[str], size: int) -> bool:
    """Whether the first words of one stand further back in the other, in which the rest keeps its order."""
    first, rest = list(one[:size]), list(one[size:])
    return any([*rest[:at], *first, *rest[at:]] == list(other) for at in range(1, len(rest) + 1))

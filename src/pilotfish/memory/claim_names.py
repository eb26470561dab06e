"""Decides whether two facts name one thing in two ways, so that the newer one holds: “my bank is Ando”, “is Bevis”."""

from collections.abc import Sequence
from itertools import takewhile

from pilotfish.memory.claim_reading import FactClaim
from pilotfish.memory.claim_values import has_title
from pilotfish.memory.claim_vocabulary import CJK_CHARACTER, claim_words


def are_names_of_one(new: FactClaim, known: FactClaim) -> bool:
    """Whether what “is” something, by name, is said to be something else: “my bank is Ando”, “is Bevis”.

    Of what the person may have several it must be so “now”. What follows a name tells more about it, and then it must
    be said to have changed, as where it may be no name: German writes all nouns like names.
    """
    if new.denied or not new.measured:
        return False
    subjects = (new.words[: new.measured], known.words[: known.measured])
    change = claim_words()["change"]
    about = [[word for word in subject if word not in change] for subject in subjects]
    if about[0] != about[1] or not (new.value.present or claim_words()["several"].isdisjoint(about[0])):
        return False
    (lead, name, rest), (known_lead, known_name, known_rest) = _split_name(new), _split_name(known)
    if lead != known_lead or name == known_name or not name or not known_name:
        return False
    sure = [_surely_names(new, name), _surely_names(known, known_name)]
    if new.value.changed:
        return any(sure) or "de" not in (new.language, known.language)
    return all(sure) and not rest and not known_rest


def _split_name(claim: FactClaim) -> tuple[Sequence[str], Sequence[str], Sequence[str]]:
    """What stands after the copula: the prepositions, the name with its title, and the rest."""
    known = claim_words()
    said = [word for word in claim.words[claim.measured :] if word not in known["copula"]]
    lead = list(takewhile(known["join"].__contains__, said))
    after = said[len(lead) :]
    if after and CJK_CHARACTER.match(after[0]):
        return lead, after if has_title(after) else (), ()
    name = list(takewhile((claim.names | known["title"]).__contains__, after))
    return lead, name, after[len(name) :]


def _surely_names(claim: FactClaim, name: Sequence[str]) -> bool:
    """Whether a name is no other word: no origin or belief (“Dutch”), no day and no month.

    In German it has a title, a capital within or “the”.
    """
    known = claim_words()
    if claim.value.indefinite or not known["was"].isdisjoint(claim.written):
        return False
    if has_title(name):
        return True
    if name[0] in known["time"] | known["date"]:
        return False
    written = [word for word in claim.written if word.casefold() in name]
    if claim.language == "de":
        before = claim.written[claim.written.index(written[0]) - 1]
        return before in known["article"] or any(not word[1:].islower() for word in written)
    return len(name) > 1 or not name[0].endswith(tuple(known["origin_endings"]))

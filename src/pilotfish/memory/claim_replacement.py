"""Decides whether a model may say that one fact takes the place of another, where their words do not tell it."""

from pydantic import Field

from pilotfish.core.values import Value
from pilotfish.memory.claim_reading import FactClaim, accepts_value
from pilotfish.memory.claim_values import ClaimValue, read_value
from pilotfish.memory.claim_vocabulary import claim_words, split_words


class Replacement(Value):
    """What a model says: a known fact no longer holds, since this one gives the same attribute another value."""

    known: str = Field(max_length=400, description="the known fact, word for word")
    attribute: str = Field(min_length=1, max_length=40, description="what both tell of the same owner, such as: home")
    old_value: str = Field(min_length=1, max_length=200, description="in the words of the known fact")
    new_value: str = Field(min_length=1, max_length=200, description="in the words of the content")


def may_replace(said: Replacement, new: FactClaim, known: FactClaim) -> bool:
    """Whether both facts hold the values that the model names, and nothing tells another owner or attribute."""
    old_value, new_value = _list_folded(said.old_value), _list_folded(said.new_value)
    grounded = new_value <= _list_folded(" ".join(new.written)) and old_value <= _list_folded(" ".join(known.written))
    former = claim_words()["limit"] | claim_words()["was"] | claim_words()["several"]
    says_both = bool(new_value and old_value) and grounded and new_value.isdisjoint(old_value)
    if not says_both or not former.isdisjoint((*new.words, *known.words)):
        return False
    return _one_attribute(new, known, read_value(list(split_words(said.new_value)))) and _one_owner(new, known)


def _list_folded(text: str) -> set[str]:
    return {word.casefold() for word in split_words(text)} - claim_words().small


def _one_attribute(new: FactClaim, known: FactClaim, value: ClaimValue) -> bool:
    """Whether the sentences leave open that both tell the same, of which there is one. What is certain was compared."""
    named = {claim.attribute for claim in (new, known)} & claim_words().attributes.keys()
    kinds = [claim_words().attributes[name] for name in named]
    if not all(kind.single and accepts_value(kind, value) for kind in kinds):
        return False
    if new.attribute and known.attribute:
        return new.attribute == known.attribute and not (new.value.certain and known.value.certain)
    return True


def _one_owner(new: FactClaim, known: FactClaim) -> bool:
    if new.attribute and known.attribute:
        return new.owner == known.owner
    if new.subject != known.subject:
        return False
    return new.subject == "person" or new.words[:1] == known.words[:1]

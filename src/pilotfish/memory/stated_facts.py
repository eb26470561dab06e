"""Chooses the facts that a person stated, of those that a model found and those that were plainly said."""

from collections.abc import Sequence

from pilotfish.memory.claim_reading import read_claim
from pilotfish.memory.claim_vocabulary import claim_words, mentions_any
from pilotfish.memory.claims import compare_facts
from pilotfish.memory.fact_merging import FactDraft
from pilotfish.memory.statements import list_clauses, list_own_names, list_plain_facts
from pilotfish.memory.text_terms import speaks_of_person
from pilotfish.safety.grounding import is_grounded


def choose_drafts(found: Sequence[FactDraft], statements: list[str]) -> list[FactDraft]:
    """The facts that the person stated: those that the model found, and what was plainly said, if it missed that.

    A small model calls the person by their name; that person is the user.
    """
    plain = list_plain_facts(statements)
    found = [name_the_user(draft, list(list_own_names(plain))) for draft in found]
    drafts = [draft for draft in found if is_stated(draft.content, statements)]
    missed = [fact for fact in plain if all(compare_facts(draft.content, fact) == "other" for draft in drafts)]
    return [*(FactDraft(content=fact[0].upper() + fact[1:]) for fact in missed), *drafts]


def name_the_user(draft: FactDraft, names: list[str]) -> FactDraft:
    """The fact with “The user” where it begins with the person's own name."""
    begin = draft.content.partition(" ")[0].removesuffix("'s").removesuffix("’s")
    if begin.casefold() not in names:
        return draft
    return draft.model_copy(update={"content": f"The user{draft.content[len(begin) :]}"})


def is_stated(fact: str, statements: list[str]) -> bool:
    """Whether one statement says the fact: in its words if it names the person, or the same in other words.

    “She is a dentist” has words of a statement, and says of nobody in particular what that said of somebody.
    """
    grounded = is_grounded(fact, statements)
    if grounded and _names_person(fact):
        return True
    parts = (*statements, *list_clauses(statements)) if grounded or read_claim(fact).attribute else ()
    return any(compare_facts(fact, said) == "same" for said in parts)


def _names_person(fact: str) -> bool:
    known = claim_words()
    return speaks_of_person(fact) or mentions_any(fact, known["self"] | known["cjk_self"] | {"person"})

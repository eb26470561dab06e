"""Finds the state that a fact tells, such as that somebody smokes. The states are in `claim_states.toml`."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pilotfish.memory.claim_order import is_definite, split_beginning
from pilotfish.memory.claim_vocabulary import claim_words, split_words

OWNER_WORDS = 6
"""The most words before the phrase of a state."""


@dataclass(frozen=True)
class ClaimState:
    """A state of a person: its kind, its name, and whether it surely excludes the others of its kind."""

    kind: str
    name: str
    certain: bool


@cache
def _phrases() -> Mapping[tuple[str, ...], ClaimState]:
    data = tomllib.loads(Path(__file__).with_name("claim_states.toml").read_text("utf-8"))
    return {
        tuple(word.casefold() for word in split_words(phrase)): ClaimState(kind, name, certain="vague" not in states)
        for kind, states in data.items()
        for name in states.keys() - {"vague"}
        for phrase in states[name]
    }


def find_state(folded: Sequence[str]) -> tuple[Sequence[str], ClaimState] | None:
    """The state that a sentence ends with, and the words before it, which name its owner. When it began is left out."""
    known = claim_words()
    folded = split_beginning(folded)[0]
    denial = known["denial"]
    for start in range(min(len(folded), OWNER_WORDS + 1)):
        state = _phrases().get(tuple(folded[start:]))
        if state is not None and is_definite(folded[:start]) and denial.isdisjoint(folded[:start]):
            return folded[:start], state
    return None

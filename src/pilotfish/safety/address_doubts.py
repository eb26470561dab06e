"""Decides which addresses that pages load by themselves are judged: those whose words say that something is done."""

from functools import lru_cache

from pilotfish.browser.sessions.held_request import AddressDoubts, HeldRequest
from pilotfish.core.policy import EffectKind
from pilotfish.safety.address_words import is_answer, is_file, split_words
from pilotfish.safety.control_words import load_words
from pilotfish.safety.request_effects import find_visit, request_words

VISIT_EFFECTS: frozenset[EffectKind] = frozenset({"buy", "delete", "send", "publish"})
"""Effects that a redirect or the fetch of a script may not have unasked. Sign-ins lead through addresses that name
accounts."""
LOADED_TYPES = frozenset({"Image", "Stylesheet", "Script", "Font", "Media", "TextTrack", "Manifest", "Prefetch"})
"""Types of what a page loads to be shown or run."""


@lru_cache(maxsize=1000)
def doubts_address(url: str, kind: str = "Fetch") -> bool:
    """Whether a script's fetch of an address, or a picture or the like from there, has to be judged.

    Its words name something strong that is done. What is a file by its name is none of these; data such as delete.json
    is none where the page loads it to be shown or run.
    """
    if is_file(url) or (kind in LOADED_TYPES and is_answer(url)):
        return False
    found = find_visit(HeldRequest(method="GET", url=url))
    return found is not None and found.effect in VISIT_EFFECTS


def make_doubts() -> AddressDoubts:
    """The doubts about addresses, with all words that can raise one."""
    doing = ("path.words", "path.verbs", "path.removals", "path.chores")
    known = {part for name in doing for word in load_words()[name].exact for part in split_words(word)}
    strong = frozenset(word for effect in VISIT_EFFECTS for word in request_words()[f"effects.{effect}"])
    return AddressDoubts(doubts_address, strong & known, strong & (load_words()["path.verbs"].exact | {"buy"}))

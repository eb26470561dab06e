"""Remembers which kinds of requests the pages of a conversation send by themselves, and which a person allowed."""

from collections.abc import Mapping

from pilotfish.browser.sessions.held_request import HeldRequest
from pilotfish.safety.effects import EffectFinding
from pilotfish.safety.request_body import read_body
from pilotfish.safety.request_effects import find_effects, request_kind

MOST_KINDS = 2000


class RequestKinds:
    """Kinds of requests of one conversation: those that pages send by themselves, and those that a person allowed."""

    def __init__(self) -> None:
        self.by_page: dict[str, None] = {}
        self.allowed: dict[str, None] = {}
        self.at_first: dict[str, None] = {}

    def learn(self, kind: str, by_page: bool) -> None:
        self._add(self.by_page if by_page else self.allowed, kind)

    def _add(self, known: dict[str, None], kind: str) -> None:
        known[kind] = None
        for old in list(known)[:-MOST_KINDS]:
            del known[old]

    def watch(self, request: HeldRequest) -> None:
        """Learn the kind of a request that a page sends without having been touched, by the agent or the person.

        One whose words are strong is only known as what pages send before the agent has touched any of them.
        """
        if request.after_input or request.reads or request.driver == "person":
            return
        body = read_body(request)
        if is_mild(find_effects(request, body)):
            self.learn(request_kind(request, body), by_page=True)
        elif not request.follows_input:
            self._add(self.at_first, request_kind(request, body))

    def saved(self) -> Mapping[str, tuple[str, ...]]:
        return {"by_page": tuple(self.by_page), "allowed": tuple(self.allowed), "at_first": tuple(self.at_first)}

    def restore(self, saved: Mapping[str, tuple[str, ...]]) -> None:
        self.at_first |= dict.fromkeys(saved.get("at_first", ()))
        self.by_page |= dict.fromkeys(saved.get("by_page", ()))
        self.allowed |= dict.fromkeys(saved.get("allowed", ()))

    def knows(self, kind: str) -> bool:
        return kind in self.by_page or kind in self.allowed

    def knows_place(self, place: str) -> bool:
        """Whether pages send requests to this place by themselves."""
        return any(kind.startswith(f"{place} ") for kind in self.by_page)


def is_mild(found: tuple[EffectFinding, ...]) -> bool:
    """Whether the only effects are that something is sent."""
    return all(one.effect == "submit" for one in found)

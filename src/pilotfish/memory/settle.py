"""What becomes of facts when new ones come: merged, replaced, refused or saved, and who makes room. No I/O."""

import math
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

from pydantic import Field, ValidationError

from pilotfish.core.facts import Category, Ending, Fact, Shelf
from pilotfish.core.settings import Memory as Caps
from pilotfish.core.values import Value
from pilotfish.memory.claims import compare
from pilotfish.memory.screen import refusal, secret

LIFE: dict[Shelf, timedelta | None] = {"core": None, "important": timedelta(days=90), "context": timedelta(days=30)}
RANK: dict[Shelf, float] = {"core": 3.0, "important": 2.0, "context": 1.0}
HALF = 60.0
"""After how many days without use a fact is worth half."""
SHOWN = 120
"""Characters of a refused text that are told again."""


class Draft(Value):
    """A fact as a model or a person proposes it."""

    content: str = Field(description="one short sentence in the third person, such as: The user is allergic to nuts")
    category: Category = "profile"
    tier: Shelf = "important"
    confidence: float = Field(default=0.8, ge=0, le=1)
    keywords: tuple[str, ...] = ()


class Refused(Value):
    """A fact that was not saved, and why."""

    content: str
    reason: str


class Saved(Value):
    """What became of the proposed facts, and of those that had to go for them."""

    saved: tuple[Fact, ...] = ()
    merged: tuple[Fact, ...] = ()
    replaced: tuple[Fact, ...] = ()
    evicted: tuple[Fact, ...] = ()
    refused: tuple[Refused, ...] = ()

    def lines(self) -> list[str]:
        """What happened, fact by fact."""
        told = {"saved": self.saved, "already known": self.merged, "no longer true": self.replaced}
        told["made room, as the least valuable"] = self.evicted
        lines = [f"{what}: {fact.content}" for what, facts in told.items() for fact in facts]
        return [*lines, *(f"not saved ({no.reason}): {no.content}" for no in self.refused)]


class Settlement:
    """Facts of one person while new ones are being settled among them."""

    def __init__(self, held: Sequence[Fact], caps: Caps, now: datetime, source: str = "") -> None:
        self.held = {fact.id: fact for fact in held}
        self.caps = caps
        self.now = now
        self.source = source
        self.changed: dict[str, Fact] = {}
        self._report: dict[str, list[Any]] = {name: [] for name in Saved.model_fields}

    def settle(self, proposed: Draft | Mapping[str, Any], user: str) -> None:
        """Find a place for one fact, or say why it has none."""
        draft = read(proposed)
        if isinstance(draft, Refused):
            self._report["refused"].append(draft)
            return
        verdicts = [(fact, compare(draft.content, fact.content)) for fact in self.held.values()]
        same = next((fact for fact, verdict in verdicts if verdict == "same"), None)
        if same is not None:
            self._merge(same, draft)
            return
        fact = self._fact(draft, user)
        rivals = [rival for rival, verdict in verdicts if verdict == "conflict"]
        if self._room(fact, leaving=rivals):
            for rival in rivals:
                self._report["replaced"].append(self._end(rival, "replaced", fact.id))
            self._keep(fact)
            self._report["saved"].append(fact)

    def trim(self) -> None:
        """Bring every tier down to its cap, as after a setting was lowered."""
        for tier in RANK:
            there = sorted((one for one in self.held.values() if one.tier == tier), key=self._value)
            for fact in there[: max(0, len(there) - cap(self.caps, tier))]:
                self._report["evicted"].append(self._end(fact, "evicted", ""))

    def report(self) -> Saved:
        return Saved(**{name: tuple(found) for name, found in self._report.items()})

    def _merge(self, fact: Fact, draft: Draft) -> None:
        """The fuller wording stays, and the fact's time begins anew."""
        content = max(fact.content, draft.content.strip(), key=len)
        tier = max(fact.tier, draft.tier, key=RANK.__getitem__)
        if tier != fact.tier and sum(other.tier == tier for other in self.held.values()) >= cap(self.caps, tier):
            tier = fact.tier
        merged = fact.model_copy(
            update={
                "content": content,
                "tier": tier,
                "confidence": max(fact.confidence, draft.confidence),
                "keywords": tuple(dict.fromkeys((*fact.keywords, *draft.keywords))),
                "sources": tuple(dict.fromkeys((*fact.sources, *self._sources()))),
                "expires": expiry(tier, self.now),
            }
        )
        self._keep(merged)
        self._report["merged"].append(merged)

    def _fact(self, draft: Draft, user: str) -> Fact:
        return Fact(
            id=uuid4().hex[:12],
            user=user,
            content=draft.content.strip(),
            category=draft.category,
            tier=draft.tier,
            confidence=draft.confidence,
            keywords=draft.keywords,
            sources=self._sources(),
            created=self.now,
            expires=expiry(draft.tier, self.now),
        )

    def _room(self, fact: Fact, leaving: Sequence[Fact]) -> bool:
        """Make room in the fact's tier; the least valuable goes, be it the new one."""
        limit = cap(self.caps, fact.tier)
        gone = {rival.id for rival in leaving}
        there = [other for other in self.held.values() if other.tier == fact.tier and other.id not in gone]
        if len(there) < limit:
            return True
        least = min([*there, fact], key=self._value) if limit else fact
        if least is fact:
            reason = f"all {limit} places for {fact.tier} facts are taken by more valuable ones"
            self._report["refused"].append(Refused(content=fact.content, reason=reason))
            return False
        self._report["evicted"].append(self._end(least, "evicted", fact.id))
        return True

    def _value(self, fact: Fact) -> float:
        return value(fact, self.now)

    def _end(self, fact: Fact, ending: Ending, heir: str) -> Fact:
        ended = fact.model_copy(update={"ended": self.now, "ending": ending, "heir": heir})
        del self.held[fact.id]
        self.changed[fact.id] = ended
        return ended

    def _keep(self, fact: Fact) -> None:
        self.held[fact.id] = self.changed[fact.id] = fact

    def _sources(self) -> tuple[str, ...]:
        return (self.source,) if self.source else ()


def read(proposed: Draft | Mapping[str, Any]) -> Draft | Refused:
    """A fact that may be kept, or why not."""
    try:
        draft = proposed if isinstance(proposed, Draft) else Draft.model_validate(dict(proposed))
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        name = ".".join(str(part) for part in first["loc"])
        content = str(proposed.get("content", "")) if isinstance(proposed, Mapping) else ""
        return Refused(content=shown(content), reason=f"{name}: {first['msg'][0].lower()}{first['msg'][1:]}")
    reason = refusal(draft.content, draft.confidence)
    return Refused(content=shown(draft.content), reason=reason) if reason else draft


def shown(content: str) -> str:
    """As much of a refused text as may be told again: of a secret nothing."""
    if secret(content):
        return "…"
    return content if len(content) <= SHOWN else f"{content[:SHOWN]}…"


def value(fact: Fact, now: datetime) -> float:
    """What a fact is worth: how sure, how often used, how lately."""
    idle = (now - (fact.last_used or fact.created)).total_seconds() / 86_400
    return fact.confidence * (1 + math.log1p(fact.use_count)) * 0.5 ** (max(0.0, idle) / HALF)


def expiry(tier: Shelf, now: datetime) -> datetime | None:
    life = LIFE[tier]
    return None if life is None else now + life


def cap(caps: Caps, tier: Shelf) -> int:
    return {"core": caps.core, "important": caps.important, "context": caps.context}[tier]

"""Merges new facts into those of a person: saves, merges, replaces or refuses, and makes room. No I/O."""

import math
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

from pydantic import Field, ValidationError, model_validator

from pilotfish.core.facts import Fact, FactCategory, FactEnding, MemoryTier
from pilotfish.core.settings import MemorySettings as Caps
from pilotfish.core.values import Value
from pilotfish.memory.claim_reading import FactClaim, read_claim, read_claim_with_parts
from pilotfish.memory.claim_replacement import Replacement, may_replace
from pilotfish.memory.claim_vocabulary import claim_words, mentions_any
from pilotfish.memory.claims import ClaimRelation, compare_claims
from pilotfish.memory.fact_filter import find_refusal, is_secret

LIFETIME: dict[MemoryTier, timedelta | None] = {
    "core": None,
    "important": timedelta(days=90),
    "context": timedelta(days=30),
}
RANK: dict[MemoryTier, float] = {"core": 3.0, "important": 2.0, "context": 1.0}
HALF_LIFE_DAYS = 60.0
"""After how many days without use the value of a fact is halved."""
REFUSED_CHARACTERS = 120
"""Characters of a refused text that the report repeats."""


ATTRIBUTES = f"one of {', '.join(claim_words().attribute_names)}; empty for anything else"


class FactDraft(Value):
    """A fact as a model or a person proposes it."""

    content: str = Field(description="one short sentence in the third person, such as: The user is allergic to nuts")
    category: FactCategory = "profile"
    tier: MemoryTier = "important"
    confidence: float = Field(default=0.8, ge=0, le=1)
    keywords: tuple[str, ...] = ()
    owner: str = Field(default="", max_length=80, description="whose it is, such as: wife; empty for the user")
    attribute: str = Field(default="", max_length=40, description=ATTRIBUTES)
    value: str = Field(default="", max_length=200, description="its value, in the words of the content")

    @model_validator(mode="before")
    @classmethod
    def _read_plain_sentence(cls, given: Any) -> Any:
        """Take a sentence alone as the content, since small models write it so."""
        return {"content": given} if isinstance(given, str) else given


class NoticedFact(FactDraft):
    """A fact as a model proposes it that sees what is known."""

    replaces: Replacement | None = Field(default=None, description="a known fact that is no longer true since this is")


class RefusedFact(Value):
    """A fact that was not saved, and why."""

    content: str
    reason: str


class SaveReport(Value):
    """What was done with the proposed facts, and which facts were removed to make room."""

    saved: tuple[Fact, ...] = ()
    merged: tuple[Fact, ...] = ()
    replaced: tuple[Fact, ...] = ()
    refined: tuple[Fact, ...] = ()
    evicted: tuple[Fact, ...] = ()
    refused: tuple[RefusedFact, ...] = ()

    def lines(self) -> list[str]:
        """One line for each fact."""
        groups = {"saved": self.saved, "already known": self.merged, "replaced": self.replaced}
        groups |= {"made more exact": self.refined, "made room, as the least valuable": self.evicted}
        lines = [f"{what}: {fact.content}" for what, facts in groups.items() for fact in facts]
        return [*lines, *(f"not saved ({no.reason}): {no.content}" for no in self.refused)]


class FactMerger:
    """The facts of one person while new ones are merged in."""

    def __init__(self, held: Sequence[Fact], caps: Caps, now: datetime, source: str = "") -> None:
        self.held = {fact.id: fact for fact in held}
        self.caps = caps
        self.now = now
        self.source = source
        self.changed: dict[str, Fact] = {}
        self._report: dict[str, list[Any]] = {name: [] for name in SaveReport.model_fields}

    def add(self, proposed: FactDraft | Mapping[str, Any], user: str) -> None:
        """Save, merge or refuse one fact."""
        draft = read_draft(proposed)
        if isinstance(draft, RefusedFact):
            self._report["refused"].append(draft)
            return
        fact = self._fact(draft, user)
        claim = _read(fact)
        said = draft.replaces if isinstance(draft, NoticedFact) else None
        relations = [(known, _relate(claim, known, said)) for known in self.held.values()]
        same = next((known for known, relation in relations if relation in ("same", "wider")), None)
        if same is not None:
            self._merge(same, fact)
            return
        replaced = [known for known, relation in relations if relation == "conflict"]
        refined = [known for known, relation in relations if relation == "narrower"]
        if self._make_room(fact, leaving=[*replaced, *refined]):
            self._report["replaced"] += [self._end(known, "replaced", fact.id) for known in replaced]
            self._report["refined"] += [self._end(known, "refined", fact.id) for known in refined]
            self._keep(fact)
            self._report["saved"].append(fact)

    def bring_back(self, past: Fact) -> Fact | None:
        """Restore a fact that ended, beside its successor. Returns None if its tier has no room."""
        fresh = {"id": uuid4().hex[:12], "ended": None, "ending": None, "successor": "", "last_used": self.now}
        fact = past.model_copy(update={**fresh, "expires": expiry_of(past.tier, self.now)})
        if not self._make_room(fact, leaving=()):
            return None
        self._keep(fact)
        self.changed[past.id] = past.model_copy(update={"ending": "undone", "successor": fact.id})
        return fact

    def trim(self) -> None:
        """Remove the least valuable facts of each tier that has more than its limit."""
        for tier in RANK:
            in_tier = sorted((one for one in self.held.values() if one.tier == tier), key=self._value)
            for fact in in_tier[: max(0, len(in_tier) - tier_limit(self.caps, tier))]:
                self._report["evicted"].append(self._end(fact, "evicted", ""))

    def report(self) -> SaveReport:
        return SaveReport(**{name: tuple(found) for name, found in self._report.items()})

    def _merge(self, fact: Fact, new: Fact) -> None:
        """Keep the wording and restart the fact's lifetime."""
        tier = max(fact.tier, new.tier, key=RANK.__getitem__)
        if tier != fact.tier and sum(other.tier == tier for other in self.held.values()) >= tier_limit(self.caps, tier):
            tier = fact.tier
        merged = fact.model_copy(
            update={
                "tier": tier,
                "confidence": max(fact.confidence, new.confidence),
                "keywords": tuple(dict.fromkeys((*fact.keywords, *new.keywords))),
                "sources": tuple(dict.fromkeys((*fact.sources, *new.sources))),
                "expires": expiry_of(tier, self.now),
            }
        )
        self._keep(merged)
        self._report["merged"].append(merged)

    def _fact(self, draft: FactDraft, user: str) -> Fact:
        content = draft.content.strip()
        tier = suggest_tier(content, draft.tier)
        same = draft.model_dump(include={"category", "confidence", "keywords", "owner", "attribute", "value"})
        held: dict[str, Any] = {"created": self.now, "expires": expiry_of(tier, self.now), "sources": self._sources()}
        return Fact(id=uuid4().hex[:12], user=user, content=content, tier=tier, **same, **held)

    def _make_room(self, fact: Fact, leaving: Sequence[Fact]) -> bool:
        """Make room in the fact's tier: remove the least valuable fact, which may be the new one."""
        limit = tier_limit(self.caps, fact.tier)
        gone = {rival.id for rival in leaving}
        in_tier = [other for other in self.held.values() if other.tier == fact.tier and other.id not in gone]
        if len(in_tier) < limit:
            return True
        least = min([*in_tier, fact], key=self._value) if limit else fact
        if least is fact:
            reason = f"all {limit} places for {fact.tier} facts are taken by more valuable ones"
            self._report["refused"].append(RefusedFact(content=fact.content, reason=reason))
            return False
        self._report["evicted"].append(self._end(least, "evicted", fact.id))
        return True

    def _value(self, fact: Fact) -> float:
        return fact_value(fact, self.now)

    def _end(self, fact: Fact, ending: FactEnding, successor: str) -> Fact:
        ended = fact.model_copy(update={"ended": self.now, "ending": ending, "successor": successor})
        del self.held[fact.id]
        self.changed[fact.id] = ended
        return ended

    def _keep(self, fact: Fact) -> None:
        self.held[fact.id] = self.changed[fact.id] = fact

    def _sources(self) -> tuple[str, ...]:
        return (self.source,) if self.source else ()


def _relate(claim: FactClaim, known: Fact, said: Replacement | None) -> ClaimRelation:
    """How a fact relates to a known one; what a model says counts where their words leave it open."""
    held = _read(known)
    relation = compare_claims(claim, held)
    if relation != "other" or said is None or said.known != known.content:
        return relation
    return "conflict" if may_replace(said, claim, held) else "other"


def _read(fact: Fact) -> FactClaim:
    return read_claim_with_parts(fact.content, fact.owner, fact.attribute, fact.value)


def suggest_tier(content: str, wanted: MemoryTier = "important") -> MemoryTier:
    """The tier of a fact: core for attributes such as a name, and for lasting conditions of health; else as wanted."""
    known = claim_words()
    attribute = known.attributes.get(read_claim(content).attribute)
    if mentions_any(content, known["health"]):
        return "core"
    return attribute.tier if attribute and attribute.tier else wanted


def read_draft(proposed: FactDraft | Mapping[str, Any]) -> FactDraft | RefusedFact:
    """A fact that may be kept, or why not."""
    try:
        draft = proposed if isinstance(proposed, FactDraft) else FactDraft.model_validate(dict(proposed))
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        name = ".".join(str(part) for part in first["loc"])
        content = str(proposed.get("content", "")) if isinstance(proposed, Mapping) else ""
        return RefusedFact(content=shown_text(content), reason=f"{name}: {first['msg'][0].lower()}{first['msg'][1:]}")
    reason = find_refusal(draft.content, draft.confidence)
    return RefusedFact(content=shown_text(draft.content), reason=reason) if reason else draft


def shown_text(content: str) -> str:
    """The part of a refused text that may be shown: nothing of a secret."""
    if is_secret(content):
        return "…"
    return content if len(content) <= REFUSED_CHARACTERS else f"{content[:REFUSED_CHARACTERS]}…"


def fact_value(fact: Fact, now: datetime) -> float:
    """Rate a fact by confidence, use and recency."""
    idle = (now - (fact.last_used or fact.created)).total_seconds() / 86_400
    return fact.confidence * (1 + math.log1p(fact.use_count)) * 0.5 ** (max(0.0, idle) / HALF_LIFE_DAYS)


def expiry_of(tier: MemoryTier, now: datetime) -> datetime | None:
    lifetime = LIFETIME[tier]
    return None if lifetime is None else now + lifetime


def tier_limit(caps: Caps, tier: MemoryTier) -> int:
    return {"core": caps.core, "important": caps.important, "context": caps.context}[tier]

"""Facts and former messages of a person."""

from datetime import datetime
from typing import Literal

from pydantic import AliasChoices, Field

from pilotfish.core.events import current_time
from pilotfish.core.values import Value

FactCategory = Literal["profile", "preference", "technical", "project"]
MemoryTier = Literal["core", "important", "context"]
FactEnding = Literal["replaced", "refined", "corrected", "evicted", "expired", "deleted", "undone"]


class Fact(Value):
    """One thing known about a person. It holds until `ended`; `ending` says why, `successor` names what replaced it.

    `owner`, `attribute` and `value` are the parts that a model named. `hidden` are the former messages that mention a
    deleted fact; a search does not find them.
    """

    id: str
    user: str
    content: str
    category: FactCategory = "profile"
    tier: MemoryTier = "important"
    confidence: float = Field(default=0.8, ge=0, le=1)
    keywords: tuple[str, ...] = ()
    sources: tuple[str, ...] = Field(default=(), description="conversations that it came from")
    created: datetime = Field(default_factory=current_time)
    last_used: datetime | None = None
    use_count: int = 0
    expires: datetime | None = None
    ended: datetime | None = None
    ending: FactEnding | None = None
    successor: str = Field(default="", validation_alias=AliasChoices("successor", "heir"))
    owner: str = ""
    attribute: str = ""
    value: str = ""
    hidden: tuple[int, ...] = ()


class PastMessage(Value):
    """A former message of a person, with its conversation and time. `id` is its place in the journal."""

    text: str
    role: str = "user"
    id: int = 0
    conversation: str = ""
    at: datetime = Field(default_factory=current_time)

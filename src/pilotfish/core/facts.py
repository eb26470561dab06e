"""What is remembered of a person: facts, and what becomes of them."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from pilotfish.core.events import now
from pilotfish.core.values import Value

Category = Literal["profile", "preference", "technical", "project"]
Shelf = Literal["core", "important", "context"]
Ending = Literal["replaced", "corrected", "evicted", "expired", "deleted"]


class Fact(Value):
    """One thing known about a person. `ended` says when and `ending` why it stopped holding; `heir` what came after."""

    id: str
    user: str
    content: str
    category: Category = "profile"
    tier: Shelf = "important"
    confidence: float = Field(default=0.8, ge=0, le=1)
    keywords: tuple[str, ...] = ()
    sources: tuple[str, ...] = Field(default=(), description="conversations that it came from")
    created: datetime = Field(default_factory=now)
    last_used: datetime | None = None
    use_count: int = 0
    expires: datetime | None = None
    ended: datetime | None = None
    ending: Ending | None = None
    heir: str = ""


class Said(Value):
    """A message of a person's past, where and when it was said. `id` is its place in the journal."""

    text: str
    role: str = "user"
    id: int = 0
    conversation: str = ""
    at: datetime = Field(default_factory=now)

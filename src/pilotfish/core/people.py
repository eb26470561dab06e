"""Who uses it: people, what they may do, and the tokens by which they are known."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from pilotfish.core.events import now
from pilotfish.core.values import Value

Role = Literal["admin", "member"]

LOCAL = "local"


class User(Value):
    """A person. Everything is kept by `id`; `name` is for people."""

    id: str
    name: str
    role: Role = "member"
    created: datetime = Field(default_factory=now)

    @property
    def admin(self) -> bool:
        return self.role == "admin"


class Grant(Value):
    """A token as it is kept: never the token itself."""

    id: str
    user: str
    name: str
    kind: Literal["api", "session"] = "api"
    created: datetime = Field(default_factory=now)
    expires: datetime | None = None

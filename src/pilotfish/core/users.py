"""Users, their roles and their tokens."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from pilotfish.core.events import current_time
from pilotfish.core.values import Value

Role = Literal["admin", "member"]

LOCAL = "local"


class User(Value):
    """A person. Everything is kept by `id`; `name` is for people."""

    id: str
    name: str
    role: Role = "member"
    created: datetime = Field(default_factory=current_time)

    @property
    def admin(self) -> bool:
        return self.role == "admin"


class TokenRecord(Value):
    """What is stored of a token: never the token itself. With `origin`, only that origin may use it in a browser."""

    id: str
    user: str
    name: str
    kind: Literal["api", "session", "extension"] = "api"
    origin: str = ""
    created: datetime = Field(default_factory=current_time)
    expires: datetime | None = None

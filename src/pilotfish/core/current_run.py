"""Names the run that the present asyncio task works on, and its user, for logs, traces and fair shares."""

from contextvars import ContextVar

CURRENT_RUN: ContextVar[str] = ContextVar("run", default="")
CURRENT_USER: ContextVar[str] = ContextVar("user", default="")

"""Which run the present task is about, for whoever writes a log or a trace."""

from contextvars import ContextVar

RUN: ContextVar[str] = ContextVar("run", default="")

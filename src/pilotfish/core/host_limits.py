"""The sites that a browser's own rules hold the tabs of a conversation to."""

from pilotfish.core.values import Value


class HostLimits(Value):
    """Hosts in every list of `allowed` may be reached, and nothing of `blocked` (`host` or `host:port`)."""

    allowed: tuple[tuple[str, ...], ...] = ()
    blocked: tuple[str, ...] = ()

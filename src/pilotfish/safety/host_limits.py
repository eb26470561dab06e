"""Writes network limits as lists of hosts, for browsers whose own rules can hold requests to them."""

from pilotfish.core.host_limits import HostLimits
from pilotfish.safety.address import parse_address
from pilotfish.safety.network_limits import NetworkLimits

MACHINE = ("localhost", "127.0.0.1", "[::1]")


def list_hosts(limits: NetworkLimits) -> HostLimits:
    """The limits as hosts. Ports of allowed sites, and whether names lead to private addresses, are not in them."""
    allowed: list[tuple[str, ...]] = []
    blocked: list[str] = []
    held: NetworkLimits | None = limits
    while held is not None:
        allowed += [hosts for sites in (held.allowed, held.sites) if (hosts := _list_allowed_hosts(sites))]
        blocked += [place for site in held.blocked for place in _list_blocked_hosts(site)]
        blocked += [f"{name}:{port}" for port in sorted(held.own) for name in MACHINE]
        held = held.also
    return HostLimits(allowed=tuple(dict.fromkeys(allowed)), blocked=tuple(dict.fromkeys(blocked)))


def _list_allowed_hosts(sites: tuple[str, ...]) -> tuple[str, ...]:
    """The hosts of allowed sites; none where any site is allowed."""
    hosts = [_split(site)[0] for site in sites]
    return () if "*" in hosts else tuple(host for host in hosts if host)


def _list_blocked_hosts(site: str) -> list[str]:
    host, port = _split(site)
    names = MACHINE if host in MACHINE else (host,)
    return [f"{name}{port}" for name in names if name and name != "*"]


def _split(site: str) -> tuple[str, str]:
    """Host and port (`:8080`, or nothing) of a site that a person named."""
    named = site.strip().lower().removeprefix("*.")
    if "://" in named:
        address = parse_address(named)
        return (address.site.partition(":")[0], "") if address else ("", "")
    bare = f"[{named}]" if named.count(":") > 1 and not named.startswith("[") else named
    host, colon, port = bare.rpartition(":")
    return (host, f":{port}") if colon and port.isdigit() else (bare, "")
